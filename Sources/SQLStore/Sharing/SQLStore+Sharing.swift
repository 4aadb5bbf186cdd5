import StrataRowStore
import StrataSharing

/// Support for other processes with the same store.
extension SQLStore: HistoryKeeping {
  package var commitSignaling: (any CommitSignaling)? { self }
  package var historyKeeping: (any HistoryKeeping)? { keepsHistory ? self : nil }
  package var historyReaders: any HistoryReaderRegistry { readerFile }
  private var readerFile: ReaderFileRegistry { ReaderFileRegistry(ofStore: path, identifier: identifier) }

  package func makeCommitProbe() throws -> any CommitProbe { try DataVersionProbe(of: self) }

  package func startFollowing() throws -> Int64 {
    if let count = try commitCount() { lastCount.withLock { $0 = count } }
    return try newestTransaction()
  }

  /// One read transaction, as small as can be: every process that follows the store asks at every commit.
  package func nextTransactions(after number: Int64, limit: Int) throws -> HistoryBatch {
    guard keepsHistory else { return HistoryBatch() }
    return try readers.readInOneTransaction { reader in
      let query = HistoryQuery(after: number, limit: limit, changes: .ids)
      let transactions = try transactions(query, reader.connection)
      var batch = HistoryBatch()
      if transactions.first?.number == number.addingCapped(1) {
        batch.transactions = transactions
      } else {
        var range = try bounds(from: number, reader.connection)
        range.transactions = transactions
        batch = HistoryBatch(range, after: number)
      }
      guard transactions.count < limit else { return batch }
      let newest = try transactions.last?.number ?? newestTransaction(reader.connection)
      let count = commitCount(newest: newest, reader)
      batch.knowsForeignCommits = count != nil
      if let count { batch.hasForeignCommit = isForeign(count) }
      return batch
    }
  }

  /// The sqlite3 shell, for one, leaves no history.
  private func isForeign(_ count: CommitCount) -> Bool {
    var count = count
    return lastCount.withLock { last in
      defer { last = count }
      return last.map { count.goOn(from: $0) } ?? false
    }
  }

  /// nil if the files are not those that were opened: then their commits are not seen here.
  package var commitOrigin: CommitOrigin? { readers.loss == nil ? writer?.ownCommits?.origin : nil }

  /// Notices when the store's files were deleted, moved or replaced: whatever is read from then on would be stale
  /// forever.
  package func checkFileLocation() { location.withLock { $0.check(readers) } }

  package func purgeHistory(before number: Int64, keepingInactive: Bool) throws -> Int {
    let end = { (floor: Int64?) in min(number, floor?.addingCapped(1) ?? .max) }
    // Takes no lock if there is nothing to purge.
    guard try oldestTransaction() < end(readerFile.floor(withInactive: keepingInactive)) else { return 0 }
    return try purgeHistory { forget in
      try readerFile.holdingOffNewReaders(withInactive: keepingInactive) { try forget(end($0)) }
    }
  }
}
