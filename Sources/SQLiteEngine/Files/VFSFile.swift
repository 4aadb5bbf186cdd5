import Glibc
import StrataCSQLite

/// A file that passes SQLite's calls on to the file that the default VFS opened, which follows it in memory.
struct VFSFile {
  typealias Handle = UnsafeMutablePointer<sqlite3_file>

  /// The part that SQLite knows; must be the first member.
  private var base = sqlite3_file()
  /// The file as the default VFS opened it.
  let file: Handle
  /// SQLite keeps the name until the file is closed.
  let path: UnsafePointer<CChar>?

  init(file: Handle, path: UnsafePointer<CChar>?) { (self.file, self.path) = (file, path) }

  /// The room that the largest kind of file takes before the file of the default VFS.
  static let headerSize = max(MemoryLayout<VFSFile>.stride, MemoryLayout<WALWriteBuffer>.stride)

  /// The address for the default VFS's file: after this VFS's part for a database and a WAL, at the start for others.
  static func file(of handle: Handle, flags: Int32) -> Handle {
    guard flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL) != 0 else { return handle }
    return (UnsafeMutableRawPointer(handle) + headerSize).assumingMemoryBound(to: sqlite3_file.self)
  }

  /// Initializes our part of a database or a WAL, with methods if the file has any.
  static func finishOpening(_ handle: Handle, file: Handle, path: UnsafePointer<CChar>?, flags: Int32) {
    let methods = file.pointee.pMethods
    if flags & SQLITE_OPEN_WAL != 0 {
      WALWriteBuffer.initialize(handle, file: file)
    } else {
      UnsafeMutableRawPointer(handle).assumingMemoryBound(to: VFSFile.self)
        .initialize(to: VFSFile(file: file, path: path))
      let version = methods?.pointee.iVersion ?? 0
      handle.pointee.pMethods = UnsafePointer(version >= 3 ? mapping : version == 2 ? sharing : plain)
    }
    if methods == nil { handle.pointee.pMethods = nil }
  }
}

// MARK: - Methods

extension VFSFile {
  /// Databases whose files below have methods of version 1, 2 (with a wal-index), and 3 (with memory mapping).
  nonisolated(unsafe) private static let plain = methods(version: 1)
  nonisolated(unsafe) private static let sharing = methods(version: 2)
  nonisolated(unsafe) private static let mapping = methods(version: 3)
  // Immutable once initialized; SQLite reads them on any thread.

  private static func methods(version: Int32) -> UnsafeMutablePointer<sqlite3_io_methods> {
    var methods = forwarding
    methods.iVersion = version
    methods.xShmMap = { VFSFile.mapIndex($0, region: $1, size: $2, extend: $3, $4) }
    methods.xShmLock = { below($0).pointee.pMethods.pointee.xShmLock(below($0), $1, $2, $3) }
    methods.xShmBarrier = { below($0).pointee.pMethods.pointee.xShmBarrier(below($0)) }
    methods.xShmUnmap = { below($0).pointee.pMethods.pointee.xShmUnmap(below($0), $1) }
    methods.xFetch = { below($0).pointee.pMethods.pointee.xFetch(below($0), $1, $2, $3) }
    methods.xUnfetch = { below($0).pointee.pMethods.pointee.xUnfetch(below($0), $1, $2) }
    let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    table.initialize(to: methods)
    return table
  }

  /// The methods of version 1, passed on.
  static var forwarding: sqlite3_io_methods {
    var methods = sqlite3_io_methods()
    methods.iVersion = 1
    methods.xClose = { below($0).pointee.pMethods.pointee.xClose(below($0)) }
    methods.xRead = { below($0).pointee.pMethods.pointee.xRead(below($0), $1, $2, $3) }
    methods.xWrite = { below($0).pointee.pMethods.pointee.xWrite(below($0), $1, $2, $3) }
    methods.xTruncate = { below($0).pointee.pMethods.pointee.xTruncate(below($0), $1) }
    methods.xSync = { below($0).pointee.pMethods.pointee.xSync(below($0), $1) }
    methods.xFileSize = { below($0).pointee.pMethods.pointee.xFileSize(below($0), $1) }
    methods.xLock = { below($0).pointee.pMethods.pointee.xLock(below($0), $1) }
    methods.xUnlock = { below($0).pointee.pMethods.pointee.xUnlock(below($0), $1) }
    methods.xCheckReservedLock = { below($0).pointee.pMethods.pointee.xCheckReservedLock(below($0), $1) }
    methods.xFileControl = { below($0).pointee.pMethods.pointee.xFileControl(below($0), $1, $2) }
    methods.xSectorSize = { below($0).pointee.pMethods.pointee.xSectorSize(below($0)) }
    methods.xDeviceCharacteristics = { below($0).pointee.pMethods.pointee.xDeviceCharacteristics(below($0)) }
    return methods
  }

  /// Maps a region of the wal-index. The first one opens the index's file, for reading only if that fails for writing:
  /// see `StoreVFS.mayWrite`.
  private static func mapIndex(
    _ handle: Handle?, region: Int32, size: Int32, extend: Int32,
    _ memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> Int32 {
    let file = below(handle)
    let result = file.pointee.pMethods.pointee.xShmMap(file, region, size, extend, memory)
    let code = errno
    guard region == 0, result & 0xFF == SQLITE_READONLY, mayWriteIndex(of: handle) else { return result }
    _ = file.pointee.pMethods.pointee.xShmUnmap(file, 0)
    memory?.pointee = nil
    errno = code
    return SQLITE_CANTOPEN
  }

  private static func mayWriteIndex(of handle: Handle?) -> Bool {
    let opened = UnsafeMutableRawPointer(handle!).assumingMemoryBound(to: VFSFile.self)
    guard let path = opened.pointee.path else { return false }
    return StoreVFS.mayWrite(String(cString: path) + "-shm")
  }
}

/// The file that the default VFS opened, below one of ours.
@inline(__always)
func below(_ handle: VFSFile.Handle?) -> VFSFile.Handle {
  UnsafeMutableRawPointer(handle!).assumingMemoryBound(to: VFSFile.self).pointee.file
}
