import StrataCSQLite
import StrataSQLText

/// The table-valued function `SQLiteDialect.list`: one row per member of the list bound to its argument.
///
/// Members are read in place, so a list costs nothing before its first row; the same values as a JSON array would have
/// to be formatted and parsed first.
/// See https://sqlite.org/vtab.html#tabfunc2 and https://sqlite.org/bindptr.html
enum CArrayTable {
  private typealias Cursor = UnsafeMutablePointer<strata_list_cursor>

  /// The pointer type that identifies a bound list to SQLite.
  private static var pointerType: UnsafePointer<CChar> {
    UnsafeRawPointer(("strata.list" as StaticString).utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// Binds a list, which must stay alive until another value is bound.
  static func bind(_ list: StoredList, to statement: OpaquePointer, at parameter: Int32) -> Int32 {
    sqlite3_bind_pointer(statement, parameter, Unmanaged.passRetained(list).toOpaque(), pointerType) {
      Unmanaged<StoredList>.fromOpaque($0!).release()
    }
  }

  // Unsafe only by type: immutable once initialized.
  nonisolated(unsafe) static let module: UnsafePointer<sqlite3_module> = {
    var module = sqlite3_module()
    // Without xCreate and xDestroy the module is eponymous-only: the function is its one table.
    module.xConnect = { connection, _, _, _, table, _ in
      table?.pointee = allocate(sqlite3_vtab())
      return sqlite3_declare_vtab(connection, "CREATE TABLE list (value, members HIDDEN)")
    }
    module.xDisconnect = { free($0) }
    module.xBestIndex = { plan($1) }
    module.xOpen = { _, cursor in
      let opened = allocate(strata_list_cursor())
      cursor?.pointee = UnsafeMutableRawPointer(opened).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.xClose = { free($0) }
    module.xFilter = { cursor, _, _, _, arguments in
      guard let cursor = walk(cursor) else { return SQLITE_MISUSE }
      cursor.pointee.list = UnsafeRawPointer(sqlite3_value_pointer(arguments?[0], pointerType))
      cursor.pointee.place = 0
      return SQLITE_OK
    }
    module.xNext = { cursor in
      walk(cursor)?.pointee.place += 1
      return SQLITE_OK
    }
    module.xEof = { isAtEnd($0) ? 1 : 0 }
    module.xColumn = { cursor, context, column in
      if column == 0 { hand(cursor, to: context) }
      return SQLITE_OK
    }
    module.xRowid = { cursor, id in
      id?.pointee = sqlite3_int64(walk(cursor)?.pointee.place ?? 0)
      return SQLITE_OK
    }
    let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    pointer.initialize(to: module)
    return UnsafePointer(pointer)
  }()

  private static func allocate<T>(_ value: T) -> UnsafeMutablePointer<T> {
    let pointer = UnsafeMutablePointer<T>.allocate(capacity: 1)
    pointer.initialize(to: value)
    return pointer
  }

  private static func free(_ pointer: UnsafeMutableRawPointer?) -> Int32 {
    pointer?.deallocate()
    return SQLITE_OK
  }

  @inline(__always)
  private static func walk(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Cursor? {
    UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: strata_list_cursor.self)
  }

  /// A list can only be scanned from first to last, and requires its argument.
  private static func plan(_ info: UnsafeMutablePointer<sqlite3_index_info>?) -> Int32 {
    guard let info else { return SQLITE_MISUSE }
    for number in 0..<Int(info.pointee.nConstraint) {
      let constraint = info.pointee.aConstraint[number]
      guard constraint.iColumn == 1, constraint.op == SQLITE_INDEX_CONSTRAINT_EQ else { continue }
      guard constraint.usable != 0 else { break }
      info.pointee.aConstraintUsage[number].argvIndex = 1
      info.pointee.aConstraintUsage[number].omit = 1
      info.pointee.estimatedRows = 1_000
      info.pointee.estimatedCost = 1_000
      return SQLITE_OK
    }
    return SQLITE_CONSTRAINT
  }

  private static func isAtEnd(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Bool {
    guard let walk = walk(cursor), let list = walk.pointee.list else { return true }
    return Unmanaged<StoredList>.fromOpaque(list)._withUnsafeGuaranteedRef { walk.pointee.place >= $0.members.count }
  }

  private static func hand(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, to context: OpaquePointer?) {
    guard let walk = walk(cursor), let list = walk.pointee.list else { return }
    Unmanaged<StoredList>.fromOpaque(list)._withUnsafeGuaranteedRef { list in
      let member = list.members[walk.pointee.place]
      // No destructor: the bytes stay alive while the list is bound.
      switch list.kind {
      case .integers: sqlite3_result_int64(context, member.integer)
      case .texts:
        let start = member.bytes.baseAddress ?? UnsafeRawPointer(Statement.empty)
        sqlite3_result_text64(
          context, start.assumingMemoryBound(to: CChar.self), UInt64(member.bytes.count), nil, UInt8(SQLITE_UTF8))
      case .blobs:
        let start = member.bytes.baseAddress ?? UnsafeRawPointer(Statement.empty)
        sqlite3_result_blob64(context, start, UInt64(member.bytes.count), nil)
      }
    }
  }
}

extension Connection {
  /// Registers the table-valued function over the members of a list, `SQLiteDialect.list`.
  package func defineLists() { sqlite3_create_module_v2(handle, SQLiteDialect.list, CArrayTable.module, nil, nil) }
}
