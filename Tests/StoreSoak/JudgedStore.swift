/// The store as whoever judges it reads it, without Core Data.
protocol JudgedStore {
  func newest() throws -> RawStore.Newest
  /// The rows of `Commit` after the first ones, in the order in which they were committed.
  func commits(after first: Int) throws -> [StoredCommit]
  /// What is wrong with the store itself.
  func faults() throws -> [String]
}

/// A row of `Commit`.
struct StoredCommit {
  /// Its place in the order of commits: 1, 2, 3…
  var position: Int
  /// The key of its row.
  var row: Int
  var life: Int
  var number: Int
}

extension RawStore: JudgedStore {
  /// Keys are given under the writer lock, in the order of commits.
  func commits(after first: Int) throws -> [StoredCommit] {
    try rows("SELECT Z_PK, ZLIFE, ZNUMBER FROM ZCOMMIT WHERE Z_PK > \(first)").map { row in
      let numbers = row.map { Int($0) ?? 0 }
      return StoredCommit(position: numbers[0], row: numbers[0], life: numbers[1], number: numbers[2])
    }
  }
}
