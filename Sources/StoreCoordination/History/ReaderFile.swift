import Foundation
import StrataRowStore
import StrataWriterLock

/// What `<store>-readers` says of one reader.
///
/// | offset | bytes | content |
/// |-------:|------:|---------|
/// | 0 | 8 | the number of the last transaction that the reader has done with |
/// | 8 | 8 | its timestamp, seconds since 2001-01-01 00:00 UTC; 0 if that is not known |
/// | 16 | 8 | when the record was last written, in such seconds |
/// | 24 | 16 | the UUID of the store |
/// | 40 | 1 | 0 free, 1 anonymous, 2 named |
/// | 41 | 1 | the length of the name |
/// | 42 | 80 | the name, in UTF-8 |
///
/// Numbers are in the byte order of the machine: the file never leaves it.
struct ReaderRecord: Sendable {
  enum Kind: UInt8, Sendable { case free = 0, anonymous = 1, named = 2 }

  typealias Place = NSPersistentHistoryToken.Place

  static let size = 128
  /// The name comes last.
  static let longestName = 80

  var kind = Kind.free
  var store = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  /// The number of the last transaction that the reader has done with, and its timestamp; 0 if that is not known.
  var place: Int64 = 0
  var time = 0.0
  /// Seconds since 2001-01-01 00:00 UTC.
  var moved = 0.0
  var name = ""

  init() {}

  init(kind: Kind, store: UUID, place: Int64) { (self.kind, self.store, self.place) = (kind, store, place) }

  init(_ bytes: UnsafeRawBufferPointer) {
    place = bytes.loadUnaligned(fromByteOffset: 0, as: Int64.self)
    time = bytes.loadUnaligned(fromByteOffset: 8, as: Double.self)
    moved = bytes.loadUnaligned(fromByteOffset: 16, as: Double.self)
    store = UUID(uuid: bytes.loadUnaligned(fromByteOffset: 24, as: uuid_t.self))
    kind = Kind(rawValue: bytes[40]) ?? .free
    let length = min(Int(bytes[41]), Self.longestName)
    name = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[42..<42 + length]), as: UTF8.self)
  }

  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.size)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: place, toByteOffset: 0, as: Int64.self)
      bytes.storeBytes(of: time, toByteOffset: 8, as: Double.self)
      bytes.storeBytes(of: moved, toByteOffset: 16, as: Double.self)
      bytes.storeBytes(of: store.uuid, toByteOffset: 24, as: uuid_t.self)
      bytes[40] = kind.rawValue
      bytes[41] = UInt8(name.utf8.count)
      for (index, byte) in name.utf8.enumerated() { bytes[42 + index] = byte }
    }
    return bytes
  }
}

/// The open file of the readers, `<store>-readers`: a `ReaderRecord` after the other. Whoever has a record holds the lock of
/// its first byte; the lock of a byte beyond all records is that of the whole table.
struct ReaderFile: Sendable {
  private static let table = 1 << 40...1 << 40

  private let file: LockFile

  var path: String { file.path }

  /// - Returns: nil if it is to be read and is not there.
  init?(_ path: String, _ use: LockFile.Use) throws {
    guard let file = try Self.withErrors(path, { try LockFile(path: path, for: use) }) else { return nil }
    self.file = file
  }

  func close() { file.close() }

  func records() throws -> [ReaderRecord] {
    try withErrors {
      var bytes = [UInt8](repeating: 0, count: try file.size / ReaderRecord.size * ReaderRecord.size)
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

  /// - Returns: false if somebody else has the record.
  func lock(_ slot: Int) throws -> Bool { try withErrors { try file.tryLock(firstByte(of: slot)) } }

  /// Whether somebody else has the record.
  func isLocked(_ slot: Int) throws -> Bool { try withErrors { try file.isLocked(firstByte(of: slot)) } }

  private func firstByte(of slot: Int) -> ClosedRange<Int> { slot * ReaderRecord.size...slot * ReaderRecord.size }

  /// Waits for the lock of the whole table: for all who read it, or for one who writes it.
  func lockTable(forReading isShared: Bool) throws { try withErrors { try file.lock(Self.table, shared: isShared) } }

  func unlockTable() { file.unlock(Self.table) }

  private func withErrors<T>(_ body: () throws -> T) throws -> T { try Self.withErrors(path, body) }

  private static func withErrors<T>(_ path: String, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let failure as LockFile.Failure {
      let code: StoreError.Code =
        switch failure.code {
        case EACCES, EPERM, EROFS, ELOOP: .permission
        case ENOSPC, EDQUOT: .full
        default: .io
        }
      throw StoreError(
        code,
        "Cannot \(failure.operation) '\(path)', where the readers of the store's history say how far they have come: "
          + "\(String(cString: strerror(failure.code))). The folder of the store and the file must be writable for all "
          + "who read it.")
    }
  }
}
