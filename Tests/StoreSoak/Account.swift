import Foundation

/// A process's ledger as the conductor reads it.
struct Account {
  enum End {
    /// When the save began and returned, in nanoseconds.
    case acknowledged(began: Int, ended: Int)
    case refused
    /// By a fault: the commit is there or not.
    case failed
  }

  struct Save {
    var works: [Substring]
    var end: End?
  }

  struct Merge {
    var key: Int
    var life: Int
    var number: Int
    var time: Int
  }

  /// The transactions that the history reported: their numbers and the processes that wrote them, 0 for none.
  struct Told: Equatable {
    var number: Int
    var life: Int
    /// Whether following began anew with it.
    var isFirst = false
  }

  let life: Life
  /// The number of commits when merging began; nil if the process died before.
  private(set) var firstCommit: Int?
  /// The number of commits when the contents were read anew instead of merged; nil if they never were.
  private(set) var reread: Int?
  private(set) var saves: [Int: Save] = [:]
  private(set) var merges: [Merge] = []
  private(set) var told: [Told] = []
  /// The context's contents at the end.
  private(set) var held: [Int: ItemState]?
  private(set) var faults: [String] = []
  /// What failed by faults of the system.
  private(set) var notes: [String] = []

  init(_ life: Life, in folder: String) throws {
    self.life = life
    let path = Ledger.path(of: life.number, in: folder)
    // A process that was killed at once has none.
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return }
    var isFirst = true
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      let numbers = words.dropFirst().map { Int($0) ?? 0 }
      switch words[0] {
      case "S": firstCommit = numbers[0]
      case "W": saves[numbers[0]] = Save(works: Array(words.dropFirst(2)))
      case "A": saves[numbers[0]]?.end = .acknowledged(began: numbers[1], ended: numbers[2])
      case "R": saves[numbers[0]]?.end = .refused
      case "E": saves[numbers[0]]?.end = .failed
      case "N": notes.append(String(line))
      case "M": merges.append(Merge(key: numbers[0], life: numbers[1], number: numbers[2], time: numbers[3]))
      case "U": reread = numbers[0]
      case "T":
        told.append(Told(number: numbers[0], life: numbers.last ?? 0, isFirst: isFirst))
        isFirst = false
      case "L": isFirst = true
      case "F":
        let states = words.dropFirst().compactMap { ItemState($0) }
        held = Dictionary(states.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        if held?.count != states.count { faults.append("two items with one key are held") }
      default: faults.append(String(line))
      }
    }
  }

  /// Gives merges the places of their commits in the order of commits instead of the keys of their rows. Those of one
  /// notification have no order among them.
  mutating func order(by positions: [Int: Int]) {
    for place in merges.indices { merges[place].key = positions[merges[place].key] ?? merges[place].key }
    merges.sort { ($0.time, $0.key) < ($1.time, $1.key) }
  }
}
