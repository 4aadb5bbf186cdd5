import Foundation
import StrataTestSupport

/// The schedule of kills and stops, determined by the seed before anything starts.
struct Plan {
  enum Event {
    case kill(slot: Int)
    case killAll
    case stop(slot: Int, seconds: Double)
    case vandal(Int)
  }

  var processes = 8
  var writers = 4
  var seconds = 20.0
  var kills = 50
  /// Commits per second of all writers together, if nothing delays them.
  var rate = 300
  var seed = UInt64.random(in: 0..<1_000_000)
  var folder: String?

  /// - Returns: nil if the arguments are invalid.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch (name, Double(value)) {
      case ("--processes", let number?): processes = Int(number)
      case ("--writers", let number?): writers = Int(number)
      case ("--seconds", let number?): seconds = number
      case ("--kills", let number?): kills = Int(number)
      case ("--rate", let number?): rate = Int(number)
      case ("--seed", let number?): seed = UInt64(number)
      case ("--store", _): folder = value
      default: return nil
      }
    }
    guard processes >= 1, (1...processes).contains(writers), seconds > 0, kills >= 0, rate > 0 else { return nil }
  }

  static let usage = """
    usage: store-soak [--processes P] [--writers W] [--seconds S] [--kills K] [--rate COMMITS] [--seed N] [--store FOLDER]

    """

  /// Sorted by time, in seconds from the start.
  func events() -> [(moment: Double, event: Event)] {
    var random = SeededRandom(seed: seed)
    func moment() -> Double { Double.random(in: 0.3...max(0.4, seconds - 0.5), using: &random) }
    func slot() -> Int { Int.random(in: 0..<processes, using: &random) }
    var events: [(Double, Event)] = []
    var left = kills
    while left > 0 {
      // Once in twenty times all are killed at once.
      if left >= processes, processes > 1, Int.random(in: 0..<20, using: &random) == 0 {
        events.append((moment(), .killAll))
        left -= processes
      } else {
        events.append((moment(), .kill(slot: slot())))
        left -= 1
      }
    }
    for _ in 0..<Int(seconds / 4) {
      events.append((moment(), .stop(slot: slot(), seconds: Double.random(in: 0.2...3, using: &random))))
    }
    for _ in 0..<Int(seconds / 2) { events.append((moment(), .vandal(Int.random(in: 0..<4, using: &random)))) }
    return events.sorted { $0.0 < $1.0 }
  }
}
