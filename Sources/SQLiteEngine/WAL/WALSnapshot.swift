import StrataCSQLite

/// A snapshot of the write-ahead log: no commit lies between two equal ones.
///
/// It is the header of the wal-index, in memory shared by all processes; SQLite compares it in the same way when it
/// begins a transaction. See https://sqlite.org/walformat.html#the_wal_index_file_format
package struct WALSnapshot: Equatable, Sendable {
  private let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  fileprivate init(_ header: UnsafeRawPointer) {
    func word(_ index: Int) -> UInt64 { header.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self) }
    words = (word(0), word(1), word(2), word(3), word(4), word(5))
  }

  /// The number of commits in the log, modulo 2^32: `iChange` of the header.
  package var commits: UInt32 { UInt32(truncatingIfNeeded: words.1) }

  package static func == (left: WALSnapshot, right: WALSnapshot) -> Bool { left.words == right.words }
}

/// The wal-index of a store, in memory shared by all processes. Any thread may read it while the connection is open.
package struct WALIndex: @unchecked Sendable {
  // @unchecked: the memory is only read here, and mapped while the connection is open. SQLite's writers, of any process,
  // change it without a lock that readers share; a header read during a change has a checksum of another header, so it
  // equals no complete one.

  private let header: UnsafeRawPointer

  fileprivate init(_ header: UnsafeRawPointer) { self.header = header }

  package var snapshot: WALSnapshot { WALSnapshot(header) }
}

extension Connection {
  /// nil without a WAL, or if this connection has not read it yet.
  package var walIndex: WALIndex? { findLogIndex().map(WALIndex.init) }

  /// The log's current state; nil without a WAL, or if this connection has not read it yet. A header that was read
  /// during a write equals no other.
  package var walSnapshot: WALSnapshot? {
    findLogIndex().map(WALSnapshot.init)
  }

  /// Returns the first region of the wal-index, whose address is stable until the connection is closed.
  func findLogIndex() -> UnsafeRawPointer? {
    if logIndex == nil { logIndex = mapLogIndex() }
    return logIndex
  }

  private func mapLogIndex() -> UnsafeRawPointer? {
    // Where SQLite has no log open, the call would create the index's file next to a store that never needs it.
    guard let file = openFile(SQLITE_FCNTL_FILE_POINTER), let methods = file.pointee.pMethods,
      methods.pointee.iVersion >= 2, let map = methods.pointee.xShmMap,
      let log = openFile(SQLITE_FCNTL_JOURNAL_POINTER), WALWriteBuffer.isLog(log)
    else { return nil }
    var region: UnsafeMutableRawPointer?
    guard map(file, 0, 32_768, 0, &region) == SQLITE_OK else { return nil }
    return UnsafeRawPointer(region)
  }
}
