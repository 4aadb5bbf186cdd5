import Foundation
import RowStore

/// What `<store>-readers` says of one reader.
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

  /// Numbers stand at multiples of 8, in the byte order of the machine: the file never leaves it.
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

/// The open file of the readers. Its locks belong to the open file (`F_OFD_SETLK`), so that two readers of one process
/// exclude each other too.
struct ReaderFile: Sendable {
  enum Use {
    case reading
    /// Makes the file with the owner and the rights of the store, if it is not there.
    case writing(besideStore: String)
  }

  let path: String
  private let descriptor: Int32

  /// nil if it is to be read and is not there.
  init?(_ path: String, _ use: Use) throws {
    self.path = path
    var descriptor: Int32
    switch use {
    case .reading:
      descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
      if descriptor < 0, errno == ENOENT { return nil }
    case .writing(let storePath):
      descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if descriptor >= 0 {
        Self.giveRights(of: storePath, to: descriptor)
      } else if errno == EEXIST {
        descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      }
    }
    self.descriptor = descriptor
    guard descriptor >= 0 else { throw failure("open") }
  }

  /// Who may read the store must be able to say how far it has come. Where that is not ours to give, 0600 stays.
  private static func giveRights(of storePath: String, to descriptor: Int32) {
    var store = stat()
    guard stat(storePath, &store) == 0 else { return }
    if store.st_uid != geteuid() || store.st_gid != getegid() { _ = fchown(descriptor, store.st_uid, store.st_gid) }
    _ = fchmod(descriptor, store.st_mode & 0o666)
  }

  func close() { _ = Glibc.close(descriptor) }

  func records() throws -> [ReaderRecord] {
    var state = stat()
    guard fstat(descriptor, &state) == 0 else { throw failure("read") }
    var bytes = [UInt8](repeating: 0, count: Int(state.st_size) / ReaderRecord.size * ReaderRecord.size)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw failure("read") }
    return bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: count / ReaderRecord.size * ReaderRecord.size, by: ReaderRecord.size).map {
        ReaderRecord(UnsafeRawBufferPointer(rebasing: bytes[$0..<$0 + ReaderRecord.size]))
      }
    }
  }

  func write(_ record: ReaderRecord, to slot: Int) throws {
    let written = record.bytes.withUnsafeBytes {
      pwrite(descriptor, $0.baseAddress, $0.count, slot * ReaderRecord.size)
    }
    guard written == ReaderRecord.size else { throw failure("write") }
  }

  // MARK: Locks

  // fcntl(2): F_OFD_GETLK, F_OFD_SETLK and F_OFD_SETLKW, which the module of the C library does not show.
  private static let getLock: Int32 = 36
  private static let setLock: Int32 = 37
  private static let setLockWaiting: Int32 = 38
  /// The byte whose lock is that of the whole table, beyond all records.
  private static let table = 1 << 40

  /// False if somebody else has the record.
  func lock(_ slot: Int) throws -> Bool { try set(F_WRLCK, slot * ReaderRecord.size, Self.setLock) }

  /// Whether somebody else has the record.
  func isLocked(_ slot: Int) throws -> Bool {
    var request = Self.request(F_WRLCK, slot * ReaderRecord.size)
    guard fcntl(descriptor, Self.getLock, &request) == 0 else { throw failure("look at the locks of") }
    return request.l_type != Int16(F_UNLCK)
  }

  /// Waits for the lock of the whole table: for all who read it, or for one who writes it.
  func lockTable(forReading isShared: Bool) throws {
    _ = try set(isShared ? F_RDLCK : F_WRLCK, Self.table, Self.setLockWaiting)
  }

  /// Giving back a lock of one's own byte cannot fail.
  func unlockTable() { _ = try? set(F_UNLCK, Self.table, Self.setLock) }

  private func set(_ type: Int32, _ byte: Int, _ command: Int32) throws -> Bool {
    while true {
      var request = Self.request(type, byte)
      if fcntl(descriptor, command, &request) == 0 { return true }
      switch errno {
      case EINTR: continue
      case EAGAIN, EACCES: return false
      default: throw failure("lock")
      }
    }
  }

  private static func request(_ type: Int32, _ byte: Int) -> flock {
    flock(l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: byte, l_len: 1, l_pid: 0)
  }

  private func failure(_ what: String) -> StoreError {
    let code = errno
    let kind: StoreError.Code =
      switch code {
      case EACCES, EPERM, EROFS, ELOOP: .permission
      case ENOSPC, EDQUOT: .full
      default: .io
      }
    return StoreError(
      kind,
      "Cannot \(what) '\(path)', where the readers of the store's history say how far they have come: "
        + "\(String(cString: strerror(code))). The folder of the store and the file must be writable for all who read it."
    )
  }
}
