import Foundation
import StrataCSQLite
import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Packs the values of rows into pages: each value is copied once, as bytes, without creating a String or a box.
///
/// Access is exclusive without checks: only the statement whose rows it packs uses it, on one thread, and reading a value
/// does not call back into it.
final class RowPageBuilder {
  let shape: RowShape
  let schema: StoreSchema
  let store: Int
  private let path: String
  private let dataFiles: DataFileReader
  @exclusivity(unchecked) var filler: PageFiller
  /// The number of rows packed.
  @exclusivity(unchecked) private(set) var count = 0
  /// The error that packing a row threw.
  @exclusivity(unchecked) private(set) var failure: (any Error)?

  init(
    shape: RowShape, schema: StoreSchema, store: Int, path: String, dataFiles: DataFileReader, expected: Int?
  ) {
    self.shape = shape
    self.schema = schema
    self.store = store
    self.path = path
    self.dataFiles = dataFiles
    filler = PageFiller(shape: shape, expected: expected, location: path)
  }

  /// The first `row` rows, in arrival order.
  func positions(before row: Int) -> [UInt64] { Array(filler.positions().prefix(row)) }

  func finish(sorted: [UInt64]?) -> RowList { filler.finish(sorted: sorted) }

  /// Packs a row.
  /// - Parameter values: the columns of the row. Reading the values of function arguments, or of a connection without a
  ///   mutex, directly takes a third of the time of asking a column for type, value and length.
  ///   See https://sqlite.org/c3ref/value.html
  /// - Returns: the row's position: page index (high 32 bits) and row index.
  func pack(_ values: UnsafeMutablePointer<OpaquePointer?>) throws -> UInt64 {
    let entity = Int(truncatingIfNeeded: sqlite3_value_int64(values[1]))
    let row = try packed(asRowOf: entity) { reading, page in try pack(values, reading: reading, into: page) }
    note(row)
    return filler.position(of: row)
  }

  /// Returns what `pack` returns for a row of an entity, calling it again with the next page while a page has no room.
  @inline(__always)
  func packed(asRowOf entity: Int, _ pack: (RowReading, RowPage) throws -> Int) throws -> Int {
    if entity != filler.number || filler.page == nil { try filler.open(entity) }
    var row = PageFiller.noRoom
    while row == PageFiller.noRoom {
      try filler.page.unsafelyUnwrapped._withUnsafeGuaranteedRef { page in
        try filler.reading.unsafelyUnwrapped._withUnsafeGuaranteedRef { row = try pack($0, page) }
      }
    }
    return row
  }

  @inline(__always)
  func note(_ row: Int) {
    filler.note(row)
    count &+= 1
  }

  /// Appends a row to a page if it fits.
  @inline(never)
  private func pack(
    _ values: UnsafeMutablePointer<OpaquePointer?>, reading: RowReading, into page: RowPage
  ) throws -> Int {
    guard var draft = page.draft() else { return filler.turn(page, heapBytes: 0) }
    let key = sqlite3_value_int64(values[0])
    let id = RowID(store: store, entity: page.layout.number, key: key)
    draft.begin(id, version: sqlite3_value_int64(values[2]), nulls: reading.nulls)
    var source = SQLiteValues(values: values, schema: schema)
    draft.setSlots(of: reading, from: &source, store: store, among: filler.recentTexts)
    if !reading.others.isEmpty { draft = try putOthers(of: reading, values, into: draft) }
    guard draft.fits else { return filler.turn(page, heapBytes: draft.heapBytes) }
    filler.noteKey(key)
    return page.keep(draft)
  }

  /// Sets values that take more than one call. Works on a copy: a draft whose address escapes is kept in memory, and
  /// reading it whole right after writing a part took a fifth of the packing time.
  @inline(never)
  private func putOthers(
    of reading: RowReading, _ values: UnsafeMutablePointer<OpaquePointer?>, into draft: RowPage.Draft
  ) throws -> RowPage.Draft {
    var draft = draft
    for slot in reading.others { try put(values[slot.pointee.column], slot: slot.pointee, into: &draft) }
    return draft
  }

  private func put(_ value: OpaquePointer?, slot: RowReading.Slot, into draft: inout RowPage.Draft) throws {
    if sqlite3_value_type(value) == SQLITE_NULL { return draft.setNil(slot.number) }
    switch slot.filling {
    case .decimal:
      withUnsafeBytes(of: RowFetcher.decimal(value)) {
        draft.setBytes($0.baseAddress, count: $0.count, slot: slot.number)
      }
    case .external: try putExternal(RowFetcher.blob(value), slot: slot, into: &draft)
    case .uuid:
      let bytes = RowFetcher.blob(value)
      guard bytes.count == 16 else { throw damagedUUID(bytes.count, slot: slot) }
      draft.setBytes(bytes.baseAddress, count: 16, slot: slot.number)
    default:
      let bytes = RowFetcher.blob(value)
      draft.setBytes(bytes.baseAddress, count: bytes.count, slot: slot.number)
    }
  }

  /// Sets unreadable data to nil, or to empty where a value is required, so that the row's other values can still be
  /// saved.
  func putExternal(
    _ bytes: UnsafeRawBufferPointer, slot: RowReading.Slot, into draft: inout RowPage.Draft
  ) throws {
    let isRead = try dataFiles.read(bytes) {
      draft.setBytes($0.baseAddress, count: $0.count, slot: slot.number)
    }
    guard !isRead else { return }
    let known = shape.reading(ofStored: filler.number)?.layout.slots[slot.number]
    if known?.kind == .data, known?.isOptional == false {
      draft.setBytes(nil, count: 0, slot: slot.number)
    } else {
      draft.setNil(slot.number)
    }
  }

  private func damagedUUID(_ count: Int, slot: RowReading.Slot) -> StoreError {
    let layout = shape.reading(ofStored: filler.number)?.layout
    return StoreError(
      .corrupt,
      "The store '\(path)' has \(count) bytes for the UUID "
        + "'\(layout?.name ?? "").\(layout?.slots[slot.number].name ?? "")' instead of 16.")
  }

  /// Like `pack`, for an SQL function, which reports failure with an error code. Returns nil on failure.
  func packNext(_ values: UnsafeMutablePointer<OpaquePointer?>, for context: OpaquePointer?) -> UInt64? {
    do {
      return try pack(values)
    } catch {
      failure = error
      sqlite3_result_error(context, "A row was not packed.", -1)
      return nil
    }
  }
}

/// The values that SQLite passes to a function, or those of a column.
private struct SQLiteValues: ColumnValues {
  let values: UnsafeMutablePointer<OpaquePointer?>
  let schema: StoreSchema

  /// NULL reads as 0, which is rare otherwise: only for 0 is the type checked.
  @inline(__always)
  func integer(_ column: Int) -> Int64? {
    let value = values[column]
    let integer = sqlite3_value_int64(value)
    return integer == 0 && sqlite3_value_type(value) == SQLITE_NULL ? nil : integer
  }

  @inline(__always)
  func real(_ column: Int) -> Double? {
    let value = values[column]
    let real = sqlite3_value_double(value)
    return real.bitPattern == 0 && sqlite3_value_type(value) == SQLITE_NULL ? nil : real
  }

  @inline(__always)
  func text(_ column: Int) -> (start: UnsafeRawPointer, count: Int)? {
    // Text before length: the conversion may change the length.
    let value = values[column]
    guard let start = sqlite3_value_text(value) else { return nil }
    return (UnsafeRawPointer(start), Int(truncatingIfNeeded: sqlite3_value_bytes(value)))
  }

  @inline(__always)
  func number(ofStored entity: Int) -> Int? { schema.number(ofStored: entity) }
}
