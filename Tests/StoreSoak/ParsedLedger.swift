import Foundation

/// A process's ledger, as the verdict reads it.
struct ParsedLedger {
  enum End {
    /// The times when the save began and returned, in nanoseconds.
    case acknowledged(began: Int, ended: Int)
    case refused
    /// A fault made the save fail. The store may contain the commit.
    case failed
  }

  struct Save {
    var operations: [Substring]
    var end: End?
  }

  struct Merge {
    var key: Int
    var life: Int
    var number: Int
    var time: Int
  }

  /// A transaction that the history reported: its number and the process that wrote it, 0 for none.
  struct ReportedTransaction: Equatable {
    var number: Int
    var life: Int
    /// Whether it is the first one after following restarted.
    var isFirst = false
  }

  let life: Life
  /// The number of commits when merging began, or nil if the process died before.
  private(set) var firstCommit: Int?
  /// The number of commits when the contents were fetched again instead of merged, or nil if they never were.
  private(set) var refetched: Int?
  private(set) var saves: [Int: Save] = [:]
  private(set) var merges: [Merge] = []
  private(set) var reported: [ReportedTransaction] = []
  /// The context's contents at the end.
  private(set) var held: [Int: ItemState]?
  private(set) var faults: [String] = []
  /// Operations that failed because of system faults.
  private(set) var notes: [String] = []

  init(_ life: Life, in folder: String) throws {
    self.life = life
    let path = Ledger.path(of: life.number, in: folder)
    // A process that was killed immediately did not create a ledger.
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return }
    var isFirst = true
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      let numbers = words.dropFirst().map { Int($0) ?? 0 }
      switch words[0] {
      case "S": firstCommit = numbers[0]
      case "W": saves[numbers[0]] = Save(operations: Array(words.dropFirst(2)))
      case "A": saves[numbers[0]]?.end = .acknowledged(began: numbers[1], ended: numbers[2])
      case "R": saves[numbers[0]]?.end = .refused
      case "E": saves[numbers[0]]?.end = .failed
      case "N": notes.append(String(line))
      case "M": merges.append(Merge(key: numbers[0], life: numbers[1], number: numbers[2], time: numbers[3]))
      case "U": refetched = numbers[0]
      case "T":
        reported.append(ReportedTransaction(number: numbers[0], life: numbers.last ?? 0, isFirst: isFirst))
        isFirst = false
      case "L": isFirst = true
      case "F":
        let states = words.dropFirst().compactMap { ItemState($0) }
        held = Dictionary(states.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        if held?.count != states.count { faults.append("the context holds two items with one key") }
      default: faults.append(String(line))
      }
    }
  }

  /// Replaces the row keys of merges by the positions of their commits, and sorts the merges. Merges of one notification
  /// are not ordered among themselves.
  mutating func sortMerges(by positions: [Int: Int]) {
    for index in merges.indices { merges[index].key = positions[merges[index].key] ?? merges[index].key }
    merges.sort { ($0.time, $0.key) < ($1.time, $1.key) }
  }
}
