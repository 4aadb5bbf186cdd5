import Glibc
import StrataCSQLite
import Synchronization

/// The VFS of this framework's connections: it passes every call to the default VFS, opens WAL files as `WALWriteBuffer`
/// and databases as `VFSFile`, and never opens a file for less than it was asked for because the system lacks
/// something for a moment.
///
/// It has a name of its own, and nothing in the default VFS is changed, so that other users of SQLite in the process do
/// not notice it. See https://sqlite.org/vfs.html#shims
package struct StoreVFS {
  /// The part that SQLite knows; must be the first member.
  private var base = sqlite3_vfs()
  private let system: UnsafeMutablePointer<sqlite3_vfs>

  /// The name of the VFS over the current default one: "strata-unix" over "unix".
  /// - Returns: nil if SQLite lacks a default VFS.
  package static var name: UnsafePointer<CChar>? { sqlite3_vfs_find(nil).flatMap { name(over: $0) } }

  /// Registers the VFS over another one if needed, and returns its name.
  package static func name(over system: UnsafeMutablePointer<sqlite3_vfs>) -> UnsafePointer<CChar>? {
    guard let systemName = system.pointee.zName else { return nil }
    let name = "strata-" + String(cString: systemName)
    registering.withLock { _ in
      guard sqlite3_vfs_find(name) == nil else { return }
      // Never freed: connections refer to it.
      let vfs = UnsafeMutablePointer<StoreVFS>.allocate(capacity: 1)
      vfs.initialize(to: StoreVFS(over: system, name: strdup(name)))
      sqlite3_vfs_register(&vfs.pointee.base, 0)
    }
    return sqlite3_vfs_find(name).flatMap { UnsafePointer($0.pointee.zName) }
  }

  private static let registering = Mutex(())

  private init(over system: UnsafeMutablePointer<sqlite3_vfs>, name: UnsafePointer<CChar>?) {
    self.system = system
    // Version 3 adds the functions that replace system calls.
    base.iVersion = min(system.pointee.iVersion, 2)
    base.szOsFile = Int32(VFSFile.headerSize) + system.pointee.szOsFile
    base.mxPathname = system.pointee.mxPathname
    base.zName = name
    base.xOpen = { StoreVFS.open(StoreVFS.system($0), $1, $2, flags: $3, $4) }
    base.xDelete = { StoreVFS.system($0).pointee.xDelete(StoreVFS.system($0), $1, $2) }
    base.xAccess = { StoreVFS.system($0).pointee.xAccess(StoreVFS.system($0), $1, $2, $3) }
    base.xFullPathname = { StoreVFS.system($0).pointee.xFullPathname(StoreVFS.system($0), $1, $2, $3) }
    base.xDlOpen = { StoreVFS.system($0).pointee.xDlOpen(StoreVFS.system($0), $1) }
    base.xDlError = { StoreVFS.system($0).pointee.xDlError(StoreVFS.system($0), $1, $2) }
    base.xDlSym = { StoreVFS.system($0).pointee.xDlSym(StoreVFS.system($0), $1, $2) }
    base.xDlClose = { StoreVFS.system($0).pointee.xDlClose(StoreVFS.system($0), $1) }
    base.xRandomness = { StoreVFS.system($0).pointee.xRandomness(StoreVFS.system($0), $1, $2) }
    base.xSleep = { StoreVFS.system($0).pointee.xSleep(StoreVFS.system($0), $1) }
    base.xCurrentTime = { StoreVFS.system($0).pointee.xCurrentTime(StoreVFS.system($0), $1) }
    base.xGetLastError = { StoreVFS.system($0).pointee.xGetLastError(StoreVFS.system($0), $1, $2) }
    base.xCurrentTimeInt64 = { StoreVFS.system($0).pointee.xCurrentTimeInt64(StoreVFS.system($0), $1) }
  }

  /// The VFS below ours.
  private static func system(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> UnsafeMutablePointer<sqlite3_vfs> {
    UnsafeMutableRawPointer(vfs!).assumingMemoryBound(to: StoreVFS.self).pointee.system
  }

  private static func open(
    _ system: UnsafeMutablePointer<sqlite3_vfs>, _ name: UnsafePointer<CChar>?,
    _ handle: UnsafeMutablePointer<sqlite3_file>?, flags: Int32, _ opened: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let handle else { return SQLITE_MISUSE }
    let file = VFSFile.file(of: handle, flags: flags)
    var granted = flags
    errno = 0
    let result = system.pointee.xOpen(system, name, file, flags, &granted)
    let code = errno
    opened?.pointee = granted
    if result == SQLITE_OK, granted & SQLITE_OPEN_READONLY != 0, flags & SQLITE_OPEN_READWRITE != 0,
      !isForbidden(code), mayWrite(name)
    {
      _ = file.pointee.pMethods.pointee.xClose(file)
      handle.pointee.pMethods = nil
      errno = code
      return SQLITE_CANTOPEN
    }
    // SQLite calls xClose only if there are methods, even after a failed xOpen.
    if file != handle { VFSFile.finishOpening(handle, file: file, path: name, flags: flags) }
    return result
  }
}

extension StoreVFS {
  /// SQLite opens a file for reading only, and for as long as it is open, if it cannot open it for writing. That is right
  /// for a file that may not be written, and wrong where the system merely lacks something for a moment, such as a
  /// descriptor. This tells one from the other, by the error that the attempt to open it for writing left.
  private static func isForbidden(_ code: Int32) -> Bool { [EACCES, EPERM, EROFS, ETXTBSY].contains(code) }

  /// Whether this process may write a file. If the system does not tell, it may.
  static func mayWrite(_ path: UnsafePointer<CChar>?) -> Bool {
    guard let path else { return true }
    return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 || !isForbidden(errno)
  }
}
