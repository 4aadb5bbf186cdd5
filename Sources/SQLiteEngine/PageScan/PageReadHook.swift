import StrataCSQLite

/// File methods that pass what SQLite reads on to a table scan.
///
/// SQLite calls a file through a method table. During a scan, the file's table is replaced by one that differs in two
/// methods: `xRead` also passes the bytes to the scan, and `xFetch` maps nothing, because mapped pages bypass `xRead`.
/// See https://sqlite.org/c3ref/io_methods.html
struct PageReadHook {
  /// The table that SQLite sees; must be the first member.
  private var methods: sqlite3_io_methods
  private let own: UnsafePointer<sqlite3_io_methods>
  private let scan: Unmanaged<TableScan>

  private init(over own: UnsafePointer<sqlite3_io_methods>, showing scan: TableScan) {
    self.own = own
    self.scan = Unmanaged.passUnretained(scan)
    methods = own.pointee
    methods.xRead = { file, target, count, offset in
      guard let file, let methods = file.pointee.pMethods else { return SQLITE_IOERR }
      let hook = UnsafeRawPointer(methods).assumingMemoryBound(to: PageReadHook.self)
      let result = hook.pointee.own.pointee.xRead(file, target, count, offset)
      if result == SQLITE_OK, let target {
        let page = UnsafeRawBufferPointer(start: target, count: Int(count))
        hook.pointee.scan._withUnsafeGuaranteedRef { $0.packCells(of: page) }
      }
      return result
    }
    guard methods.iVersion >= 3 else { return }
    methods.xFetch = { _, _, _, page in
      page?.pointee = nil
      return SQLITE_OK
    }
  }

  /// Runs `body` with the hook installed on a file.
  fileprivate static func showing<T>(
    _ file: UnsafeMutablePointer<sqlite3_file>?, to scan: TableScan, body: () throws -> T
  ) rethrows -> T {
    guard let file, let own = file.pointee.pMethods else { return try body() }
    let hook = UnsafeMutablePointer<PageReadHook>.allocate(capacity: 1)
    hook.initialize(to: PageReadHook(over: own, showing: scan))
    file.pointee.pMethods = UnsafeRawPointer(hook).assumingMemoryBound(to: sqlite3_io_methods.self)
    defer {
      file.pointee.pMethods = own
      hook.deallocate()
    }
    return try body()
  }
}

extension Connection {
  /// Runs `body`, which reads within a transaction, and passes every page that SQLite reads from the file or the WAL to
  /// a scan. The page cache is released first, because cached pages are not read again.
  func showingPages<T>(to scan: TableScan, _ body: () throws -> T) rethrows -> T {
    sqlite3_db_release_memory(handle)
    return try PageReadHook.showing(openFile(SQLITE_FCNTL_FILE_POINTER), to: scan) {
      try PageReadHook.showing(openFile(SQLITE_FCNTL_JOURNAL_POINTER), to: scan, body: body)
    }
  }
}
