import Foundation
import StrataRowStore
import StrataSharing

// THE FILE `<store>-readers`: who reads the history of a store, and how far each reader has come. The first reader or
// the first purge creates it with the store's permissions; it is never removed. It is an array of 128-byte records.
// Numbers are in host byte order: the file never leaves the machine.
//
// | offset in the record | bytes | content | written by |
// |---:|---:|---|---|
// | 0 | 8 | the number of the last transaction that the reader is done with | the reader |
// | 8 | 8 | its timestamp, seconds since 2001-01-01 00:00 UTC; 0 if unknown | the reader |
// | 16 | 8 | when the record was last written, same unit | the reader |
// | 24 | 16 | the UUID of the store: a replaced store has another | the process that takes the record |
// | 40 | 1 | 0 free, 1 anonymous, 2 named | the process that takes or frees the record |
// | 41 | 1 | the length of the name | the process that takes the record |
// | 42 | 80 | the name, in UTF-8 | the process that takes the record |
// | 122 | 6 | 0 | |
//
// | locked byte (OFD lock, fcntl(2)) | locked by |
// |---|---|
// | the first of a record | its reader, exclusively, while it lives; the process that frees a named record |
// | 1 << 40, beyond all records: the table | exclusively: a process that takes or frees a record; shared: a process that purges |
//
// A purge holds the table from reading the oldest position until its COMMIT has returned (invariant 5).

/// One reader's record in the file.
struct ReaderRecord: Sendable {
  enum Kind: UInt8, Sendable { case free = 0, anonymous = 1, named = 2 }

  static let size = 128
  /// The name comes last.
  static let maximumNameLength = 80

  var kind = Kind.free
  var store = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  var position = HistoryPosition(number: 0)
  /// Seconds since 2001-01-01 00:00 UTC.
  var moved = 0.0
  var name = ""

  init() {}

  init(kind: Kind, store: UUID, position: HistoryPosition) {
    (self.kind, self.store, self.position) = (kind, store, position)
  }

  init(_ bytes: UnsafeRawBufferPointer) {
    let time = bytes.loadUnaligned(fromByteOffset: 8, as: Double.self)
    position = HistoryPosition(
      number: bytes.loadUnaligned(fromByteOffset: 0, as: Int64.self), time: time == 0 ? nil : time)
    moved = bytes.loadUnaligned(fromByteOffset: 16, as: Double.self)
    store = UUID(uuid: bytes.loadUnaligned(fromByteOffset: 24, as: uuid_t.self))
    kind = Kind(rawValue: bytes[40]) ?? .free
    let length = min(Int(bytes[41]), Self.maximumNameLength)
    name = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[42..<42 + length]), as: UTF8.self)
  }

  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.size)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: position.number, toByteOffset: 0, as: Int64.self)
      bytes.storeBytes(of: position.time ?? 0, toByteOffset: 8, as: Double.self)
      bytes.storeBytes(of: moved, toByteOffset: 16, as: Double.self)
      bytes.storeBytes(of: store.uuid, toByteOffset: 24, as: uuid_t.self)
      bytes[40] = kind.rawValue
      bytes[41] = UInt8(name.utf8.count)
      for (index, byte) in name.utf8.enumerated() { bytes[42 + index] = byte }
    }
    return bytes
  }
}

/// The open file of the readers.
struct ReaderFile: Sendable {
  private static let table = 1 << 40...1 << 40
  /// Far more than the processes of a machine. A longer file is not this program's.
  private static let maximumRecords = 1 << 16

  private let file: LockFile

  var path: String { file.path }

  /// - Returns: nil if the file is to be read and does not exist.
  init?(_ path: String, _ use: LockFile.Use) throws {
    guard let file = try Self.withErrors(path, body: { try LockFile(path: path, for: use) }) else { return nil }
    self.file = file
  }

  func close() { file.close() }

  func records() throws -> [ReaderRecord] {
    try withErrors {
      let records = try file.size / ReaderRecord.size
      guard records <= Self.maximumRecords else {
        throw LockFile.Failure(operation: "read", code: EFBIG, reason: "it is larger than any valid one")
      }
      var bytes = [UInt8](repeating: 0, count: records * ReaderRecord.size)
      let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
      return bytes.withUnsafeBytes { bytes in
        stride(from: 0, to: count / ReaderRecord.size * ReaderRecord.size, by: ReaderRecord.size).map {
          ReaderRecord(UnsafeRawBufferPointer(rebasing: bytes[$0..<$0 + ReaderRecord.size]))
        }
      }
    }
  }

  func write(_ record: ReaderRecord, to slot: Int) throws {
    try withErrors { try record.bytes.withUnsafeBytes { try file.write($0, at: slot * ReaderRecord.size) } }
  }

  // MARK: Locks

  /// - Returns: false if another reader has the record.
  func lock(_ slot: Int) throws -> Bool { try withErrors { try file.tryLock(firstByte(of: slot)) } }

  /// Whether another reader has the record.
  func isLocked(_ slot: Int) throws -> Bool { try withErrors { try file.isLocked(firstByte(of: slot)) } }

  private func firstByte(of slot: Int) -> ClosedRange<Int> { slot * ReaderRecord.size...slot * ReaderRecord.size }

  /// Waits for the lock of the whole table.
  /// - Parameter isShared: shared with others who read it, or exclusive.
  func lockTable(forReading isShared: Bool) throws { try withErrors { try file.lock(Self.table, shared: isShared) } }

  func unlockTable() { file.unlock(Self.table) }

  private func withErrors<T>(_ body: () throws -> T) throws -> T { try Self.withErrors(path, body: body) }

  private static func withErrors<T>(_ path: String, body: () throws -> T) throws -> T {
    do { return try body() } catch let failure as LockFile.Failure {
      let code: StoreError.Code =
        switch failure.code {
        case EACCES, EPERM, EROFS, ELOOP: .permission
        case ENOSPC, EDQUOT: .full
        default: .io
        }
      throw StoreError(
        code,
        "Cannot \(failure.operation) '\(path)', where the readers of the store's history record their positions: "
          + "\(failure.reason). "
          + (failure.code == EFBIG
            ? "Delete it." : "The folder of the store and the file must be writable for all who read it."))
    }
  }
}
