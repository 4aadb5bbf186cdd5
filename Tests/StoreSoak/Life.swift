/// One process of a soak, from its start to its end.
final class Life {
  /// The unique number, which is higher than those of the slot's earlier processes.
  let number: Int
  let slot: Int
  /// Whether it ended early, because of a kill or a fault.
  var wasKilled = false
  /// The times when it was stopped and resumed, in nanoseconds.
  var pauses: [(began: Int, ended: Int)] = []

  init(_ number: Int, slot: Int) {
    self.number = number
    self.slot = slot
  }

  func wasStopped(within times: ClosedRange<Int>) -> Bool {
    pauses.contains { $0.began <= times.upperBound && $0.ended >= times.lowerBound }
  }
}

/// The outcome of a soak, which the verdict verifies.
struct Outcome {
  let folder: String
  let store: any VerifiedStore
  let lives: [Life]
  /// The initial contents of the store.
  let firstItems: [Int: ItemState]
  let firstCommit: Int
  /// The key of the last commit.
  let lastCommit: Int
  /// The problems found so far.
  let faults: [String]
}
