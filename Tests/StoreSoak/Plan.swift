import Foundation
import StrataTestSupport

/// The schedule of kills and stops, determined by the seed before anything starts.
struct Plan {
  enum Event {
    case kill(slot: Int)
    case killAll
    case stop(slot: Int, seconds: Double)
    /// Deletes, moves or replaces the signal file.
    case replaceSignalFile(Int)
    case restart(isImmediate: Bool)
    case terminate
    case cut(seconds: Double)
  }

  var processes = 8
  var writers = 4
  /// The number of threads of each writing process that save at the same time.
  var threads = 1
  var seconds = 20.0
  var kills = 50
  /// Commits per second of all writers together, if nothing delays them.
  var rate = 300
  var seed = UInt64.random(in: 0..<1_000_000)
  var folder: String?
  /// Whether the store is on a PostgreSQL server, which the soak starts.
  var isOnServer = false
  /// The number of restarts of the server, and of terminations of connections by it.
  var restarts = 0
  var terminations = 0
  /// The number of network failures between the server and every second process, which runs on a host of its own.
  var cuts = 0
  /// The number of seconds at the end in which wake-ups of idle processes are counted.
  var idleSeconds = 0

  /// Whether the server and the network always work.
  var isSound: Bool { restarts + terminations + cuts == 0 }

  /// - Returns: nil if the arguments are invalid.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      if name == "--postgres" {
        isOnServer = true
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      switch (name, Double(value)) {
      case ("--processes", let number?): processes = Int(number)
      case ("--writers", let number?): writers = Int(number)
      case ("--threads", let number?): threads = Int(number)
      case ("--seconds", let number?): seconds = number
      case ("--kills", let number?): kills = Int(number)
      case ("--rate", let number?): rate = Int(number)
      case ("--seed", let number?): seed = UInt64(number)
      case ("--store", _): folder = value
      case ("--restarts", let number?): restarts = Int(number)
      case ("--terminations", let number?): terminations = Int(number)
      case ("--cuts", let number?): cuts = Int(number)
      case ("--idle", let number?): idleSeconds = Int(number)
      default: return nil
      }
    }
    guard processes >= 1, (1...processes).contains(writers), threads >= 1, seconds > 0, kills >= 0, rate > 0
    else { return nil }
    guard isOnServer || isSound else { return nil }
  }

  static let usage = """
    usage: store-soak [--processes P] [--writers W] [--threads T] [--seconds S] [--kills K] [--rate COMMITS] [--seed N]
                      [--store FOLDER]
                      [--postgres [--restarts R] [--terminations T] [--cuts C]] [--idle S]

    """

  /// Sorted by time, in seconds from the start.
  func events() -> [(time: Double, event: Event)] {
    var random = SeededRandom(seed: seed)
    func time() -> Double { Double.random(in: 0.3...max(0.4, seconds - 0.5), using: &random) }
    func slot() -> Int { Int.random(in: 0..<processes, using: &random) }
    var events: [(Double, Event)] = []
    var left = kills
    while left > 0 {
      // One kill in twenty is of all processes simultaneously.
      if left >= processes, processes > 1, Int.random(in: 0..<20, using: &random) == 0 {
        events.append((time(), .killAll))
        left -= processes
      } else {
        events.append((time(), .kill(slot: slot())))
        left -= 1
      }
    }
    for _ in 0..<Int(seconds / 4) {
      events.append((time(), .stop(slot: slot(), seconds: Double.random(in: 0.2...3, using: &random))))
    }
    if !isOnServer {
      for _ in 0..<Int(seconds / 2) {
        events.append((time(), .replaceSignalFile(Int.random(in: 0..<4, using: &random))))
      }
    }
    for number in 0..<restarts { events.append((time(), .restart(isImmediate: number % 3 != 2))) }
    for _ in 0..<terminations { events.append((time(), .terminate)) }
    for _ in 0..<cuts { events.append((time(), .cut(seconds: Double.random(in: 0.5...6, using: &random)))) }
    return events.sorted { $0.0 < $1.0 }
  }
}
