import StrataRowStore
import StrataStoreSignal

/// What other processes with the same store need.
extension SQLStore: HistoryKeeping {
  package var commitSignalling: (any CommitSignalling)? { self }
  package var historyKeeping: (any HistoryKeeping)? { keepsHistory ? self : nil }
  package var historyReaders: any HistoryReaderRegistry { readerFile }
  private var readerFile: ReaderFileRegistry { ReaderFileRegistry(ofStore: path, identifier: identifier) }

  package func makeCommitProbe() throws -> any CommitProbe { try DataVersionProbe(of: self) }

  /// The sqlite3 shell, for one, leaves no history.
  package func hadForeignCommit() throws -> Bool {
    guard var now = try commitCount() else { return false }
    return lastCount.withLock { last in
      defer { last = now }
      return last.map { now.goOn(from: $0) } ?? false
    }
  }

  /// Notices when the store's files were deleted, moved or replaced: whatever is read from then on would be stale
  /// forever.
  package func checkFileLocation() {
    do {
      try files?.check()
      readers.loss = nil
    } catch {
      // If the system does not tell, what is known stays.
      if error.code == .notOpen { readers.loss = error }
    }
  }

  package func purgeHistory(before number: Int64, sparingSleepers: Bool) throws -> Int {
    let end = { (floor: Int64?) in min(number, floor?.addingCapped(1) ?? .max) }
    // Takes no lock if there is nothing to purge.
    guard try oldestTransaction() < end(readerFile.floor(withSleepers: sparingSleepers)) else { return 0 }
    return try purgeHistory { forget in
      try readerFile.holdingOffNewReaders(withSleepers: sparingSleepers) { try forget(end($0)) }
    }
  }
}
