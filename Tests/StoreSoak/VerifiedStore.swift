/// The store as the verdict reads it, without Core Data.
protocol VerifiedStore {
  func newest() throws -> RawStore.Newest
  /// The rows of `Commit` after the first ones, in the order in which they were committed.
  func commits(after first: Int) throws -> [StoredCommit]
  /// The problems of the store itself.
  func faults() throws -> [String]
}

/// A row of `Commit`.
struct StoredCommit {
  /// The position in the order of commits: 1, 2, 3…
  var position: Int
  /// The key of the row.
  var row: Int
  var life: Int
  var number: Int
}

extension RawStore: VerifiedStore {
  /// Keys are assigned under the writer lock, in the order of commits.
  func commits(after first: Int) throws -> [StoredCommit] {
    try rows("SELECT Z_PK, ZLIFE, ZNUMBER FROM ZCOMMIT WHERE Z_PK > \(first)").map { row in
      let numbers = row.map { Int($0) ?? 0 }
      return StoredCommit(position: numbers[0], row: numbers[0], life: numbers[1], number: numbers[2])
    }
  }
}
