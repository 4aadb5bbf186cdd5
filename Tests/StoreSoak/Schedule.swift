import Foundation
import StrataCSimulator
import StrataTestSupport

#if arch(x86_64)
/// The decisions that a seed determines before a run: its processes and their faults.
struct Schedule {
  struct Fault: CustomStringConvertible {
    var raw: sim_fault

    var description: String {
      let repeats = raw.repeats > 1 ? " × \(raw.repeats)" : ""
      let detail =
        switch raw.kind {
        case SIM_FAIL: " with \(Self.names[Int32(raw.detail)] ?? "\(raw.detail)")"
        case SIM_STOP: " for \(Double(raw.detail) / 1000) ms"
        case SIM_WALL_JUMP, SIM_SUSPEND: " by \(raw.detail) s"
        default: ""
        }
      return
        "\(Self.kindNames[Int(raw.kind.rawValue)])\(detail)\(repeats), in slot \(raw.slot) from call \(raw.call) on"
    }

    /// All transfers of all processes are cut short.
    static func allTransfersShort(processes: Int) -> [Fault] {
      (0..<processes).map { slot in
        var raw = sim_fault()
        (raw.kind, raw.slot, raw.repeats) = (SIM_SHORT, Int32(slot), .max)
        return Fault(raw: raw)
      }
    }

    /// Many single calls fail with an error.
    static func manyErrors(_ code: Int32, processes: Int, seed: UInt64) -> [Fault] {
      var random = SeededRandom(seed: seed)
      return (0..<processes * 30).map { index in
        var raw = sim_fault()
        (raw.kind, raw.slot, raw.repeats) = (SIM_FAIL, Int32(index % processes), 1)
        (raw.call, raw.detail) = (Int64.random(in: 1...2_000, using: &random), Int64(code))
        return Fault(raw: raw)
      }
    }

    static let kindNames = [
      "a call fails", "a transfer is cut short", "a signal is lost", "a signal is doubled", "events are lost",
      "an event is doubled", "the event queue overflows", "the process is killed", "all processes are killed",
      "the process is stopped", "the wall clock jumps", "the machine sleeps",
    ]

    static let names = [
      EIO: "EIO", ENOSPC: "ENOSPC", EINTR: "EINTR", EMFILE: "EMFILE", ENOLCK: "ENOLCK", ENOMEM: "ENOMEM",
    ]
  }

  let seed: UInt64
  var processes = 3
  var writers = 2
  /// Microseconds between two saves.
  var pause = 2_000
  /// The number of 256 choices of the next thread that keep the current one.
  var stickiness = 128
  /// The number of calls after which no more faults occur.
  var steps = 8_000
  /// The virtual time. If 0, the run takes as long as its steps.
  var hours = 0
  var faults: [Fault] = []
  /// Whether a process with a fault may give up.
  var excusesFailure = true

  init(seed: UInt64) {
    self.seed = seed
    var random = SeededRandom(seed: seed)
    processes = Int.random(in: 2...4, using: &random)
    writers = Int.random(in: 1...processes, using: &random)
    pause = [300, 2_000, 8_000].randomElement(using: &random) ?? 300
    stickiness = [0, 64, 200, 250].randomElement(using: &random) ?? 0
    steps = 2_000 * processes
    // Some worlds do not have faults, only a random order of events.
    guard Int.random(in: 0..<8, using: &random) > 0 else { return }
    for _ in 0..<Int.random(in: 1...8, using: &random) { faults.append(fault(&random)) }
  }

  private func fault(_ random: inout SeededRandom) -> Fault {
    func chance(_ parts: Int) -> Bool { Int.random(in: 0..<parts, using: &random) == 0 }
    var raw = sim_fault()
    raw.slot = Int32.random(in: 0..<Int32(processes), using: &random)
    raw.call = Int64.random(in: 1...3_000, using: &random)
    raw.repeats = 1
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<45:
      raw.kind = SIM_FAIL
      raw.detail = Int64(
        [EIO, EIO, ENOSPC, ENOSPC, EINTR, EMFILE, ENOLCK, ENOMEM].randomElement(using: &random) ?? EIO)
      if chance(3) { raw.repeats = Int32.random(in: 2...20, using: &random) }
      if chance(10) { raw.repeats = 200 }
    case 45..<52:
      raw.kind = SIM_SHORT
      raw.repeats = Int32.random(in: 1...20, using: &random)
    case 52..<58:
      raw.kind = SIM_LOSE_SIGNAL
      raw.repeats = Int32.random(in: 1...10, using: &random)
    case 58..<60: raw.kind = SIM_DOUBLE_SIGNAL
    case 60..<65:
      raw.kind = SIM_LOSE_EVENTS
      raw.repeats = Int32.random(in: 1...10, using: &random)
    case 65..<68: raw.kind = SIM_DOUBLE_EVENT
    case 68..<72: raw.kind = SIM_OVERFLOW
    case 72..<84: raw.kind = SIM_KILL
    case 84..<86: raw.kind = SIM_KILL_ALL
    case 86..<94:
      raw.kind = SIM_STOP
      // Rarely longer than a writer waits for the lock.
      raw.detail = chance(10) ? 40_000_000 : Int64.random(in: 100...2_000_000, using: &random)
    case 94..<97:
      raw.kind = SIM_WALL_JUMP
      raw.detail = Int64.random(in: -40_000_000...40_000_000, using: &random)
    default:
      raw.kind = SIM_SUSPEND
      raw.detail = Int64.random(in: 1...100_000, using: &random)
    }
    return Fault(raw: raw)
  }
}
#endif
