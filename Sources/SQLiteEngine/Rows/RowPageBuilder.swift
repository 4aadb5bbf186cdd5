import Foundation
import StrataCSQLite
import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Packs the values of rows into pages: each value is copied once, as bytes, without creating a String or a box.
final class RowPageBuilder {
  private let shape: RowShape
  private let schema: StoreSchema
  let store: Int
  let path: String
  private let dataFiles: DataFileReader
  @exclusivity(unchecked) private var filler: PageFiller
  /// The last row's Z_ENT, the way its rows are read, and its page; shape and filler retain the latter two. `page` is
  /// nil before the first row; no entity number could say that, since a damaged row may have any.
  @exclusivity(unchecked) private(set) var number = 0
  @exclusivity(unchecked) private(set) var reading: Unmanaged<RowReading>?
  @exclusivity(unchecked) private(set) var page: Unmanaged<RowPage>?
  /// The table of the recent texts, retained by `texts`; nil while the open page is too small for one.
  @exclusivity(unchecked) private(set) var recentTexts: UnsafeMutablePointer<UInt64>?
  @exclusivity(unchecked) private var texts: RecentTexts?
  /// The number of rows packed.
  @exclusivity(unchecked) private(set) var count = 0
  @exclusivity(unchecked) private var lastKey = Int64.min
  @exclusivity(unchecked) private var isInOrderOfKeys = true
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
    filler = PageFiller(expected: expected)
  }

  /// The first `row` rows, in arrival order.
  func positions(before row: Int) -> [UInt64] { Array(filler.positions().prefix(row)) }

  func finish(sorted: [UInt64]?) -> RowList {
    var list = filler.finish(sorted: sorted)
    list.isInOrderOfKeys = isInOrderOfKeys && sorted == nil
    return list
  }

  /// Packs a row.
  /// - Parameter values: the columns of the row. Reading the values of function arguments, or of a connection without a
  ///   mutex, directly takes a third of the time of asking a column for type, value and length.
  ///   See https://sqlite.org/c3ref/value.html
  /// - Returns: the row's position: page index (high 32 bits) and row index.
  func pack(_ values: UnsafeMutablePointer<OpaquePointer?>) throws -> UInt64 {
    let entity = Int(truncatingIfNeeded: sqlite3_value_int64(values[1]))
    let row = try packed(asRowOf: entity) { reading, page in try pack(values, reading: reading, into: page) }
    note(row)
    return UInt64(truncatingIfNeeded: filler.openIndex) << 32 | UInt64(truncatingIfNeeded: row)
  }

  /// Returns what `pack` returns for a row of an entity, calling it again with the next page while a page has no room.
  @inline(__always)
  func packed(asRowOf entity: Int, _ pack: (RowReading, RowPage) throws -> Int) throws -> Int {
    if entity != number || page == nil { try switchEntity(to: entity) }
    var row = Self.noRoom
    while row == Self.noRoom {
      try page.unsafelyUnwrapped._withUnsafeGuaranteedRef { page in
        try reading.unsafelyUnwrapped._withUnsafeGuaranteedRef { row = try pack($0, page) }
      }
    }
    return row
  }

  /// Returned instead of a row index if the row did not fit and the next page has to be tried.
  static var noRoom: Int { -1 }

  /// The rows' Z_ENT if the table contains a single entity.
  var onlyEntity: Int? { shape.onlyEntity }

  @inline(__always)
  func note(_ row: Int) {
    if filler.isMixed { filler.note(row) }
    count &+= 1
  }

  /// Records a key, to know whether the rows arrive in key order.
  @inline(__always)
  func noteKey(_ key: Int64) {
    if key <= lastKey { isInOrderOfKeys = false }
    lastKey = key
  }

  func switchEntity(to entity: Int) throws {
    guard let reading = shape.reading(ofStored: entity) else {
      throw StoreError(
        .corrupt, "The store '\(path)' has a row of entity number \(entity), which does not belong in its table.")
    }
    number = entity
    self.reading = Unmanaged.passUnretained(reading)
    turn(to: filler.open(reading, number: entity))
  }

  private func turn(to page: RowPage) {
    self.page = Unmanaged.passUnretained(page)
    guard RecentTexts.pays(for: page) else {
      recentTexts = nil
      return
    }
    let texts = self.texts ?? RecentTexts()
    (self.texts, recentTexts) = (texts, texts.places)
  }

  /// Appends a row to a page if it fits.
  @inline(never)
  private func pack(
    _ values: UnsafeMutablePointer<OpaquePointer?>, reading: RowReading, into page: RowPage
  ) throws -> Int {
    guard var draft = page.draft() else { return turnPage(page, heapBytes: 0) }
    let key = sqlite3_value_int64(values[0])
    let id = RowID(store: store, entity: page.layout.number, key: key)
    draft.begin(id, version: sqlite3_value_int64(values[2]), nulls: reading.nulls)
    for slot in reading.absent { draft.setWord(0, slot: slot) }
    reading.doubles.forEachSlot { slot in
      let value = values[slot.pointee.column]
      setNumber(sqlite3_value_double(value).bitPattern, from: value, slot: slot, in: &draft)
    }
    reading.integers.forEachSlot { slot in
      let value = values[slot.pointee.column]
      setNumber(UInt64(bitPattern: sqlite3_value_int64(value)), from: value, slot: slot, in: &draft)
    }
    reading.booleans.forEachSlot { slot in
      let value = values[slot.pointee.column]
      setNumber(sqlite3_value_int64(value) != 0 ? 1 : 0, from: value, slot: slot, in: &draft)
    }
    reading.references.forEachSlot { slot in
      let value = values[slot.pointee.column]
      setNumber(reference(value, values: values, slot: slot), from: value, slot: slot, in: &draft)
    }
    let recent = recentTexts
    reading.texts.forEachSlot { slot in
      let value = values[slot.pointee.column]
      // Text before length: the conversion may change the length.
      if let text = sqlite3_value_text(value) {
        draft.setText(
          text, count: Int(truncatingIfNeeded: sqlite3_value_bytes(value)), slot: slot.pointee.number, among: recent)
      } else {
        draft.setNil(slot.pointee.number)
      }
    }
    if !reading.others.isEmpty { draft = try putOthers(of: reading, values, into: draft) }
    guard draft.fits else { return turnPage(page, heapBytes: draft.heapBytes) }
    noteKey(key)
    return page.keep(draft)
  }

  /// Moves on to the next page; a row larger than a page gets one of its own, which grows.
  /// - Parameter heapBytes: the heap bytes that the row needs as far as known.
  @inline(never)
  func turnPage(_ page: RowPage, heapBytes: Int) -> Int {
    if page.count == 0 {
      page.makeRoom(forHeap: heapBytes)
    } else {
      turn(to: filler.next(after: page))
    }
    return Self.noRoom
  }

  /// NULL reads as 0, which is rare otherwise: only for 0 is the type checked.
  @inline(__always)
  private func setNumber(
    _ word: UInt64, from value: OpaquePointer?, slot: UnsafePointer<RowReading.Slot>, in draft: inout RowPage.Draft
  ) {
    if word == 0, sqlite3_value_type(value) == SQLITE_NULL {
      draft.setNil(slot.pointee.number)
    } else {
      draft.setWord(word, slot: slot.pointee.number)
    }
  }

  /// Returns 0 for NULL.
  @inline(__always)
  private func reference(
    _ value: OpaquePointer?, values: UnsafeMutablePointer<OpaquePointer?>, slot: UnsafePointer<RowReading.Slot>
  ) -> UInt64 {
    let key = sqlite3_value_int64(value)
    if key == 0, sqlite3_value_type(value) == SQLITE_NULL { return 0 }
    let column = slot.pointee.entityColumn
    return reference(
      key, values: column < 0 ? 0 : Int(truncatingIfNeeded: sqlite3_value_int64(values[column])), slot: slot)
  }

  /// - Parameter entity: the Z_ENT beside the key; 0 if there is none.
  @inline(__always)
  func reference(_ key: Int64, values entity: Int, slot: UnsafePointer<RowReading.Slot>) -> UInt64 {
    var number = slot.pointee.destination
    if entity != 0 { number = schema.number(ofStored: entity) ?? number }
    return RowID(store: store, entity: number, key: key).bits
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
    let known = shape.reading(ofStored: number)?.layout.slots[slot.number]
    if known?.kind == .data, known?.property.isOptional == false {
      draft.setBytes(nil, count: 0, slot: slot.number)
    } else {
      draft.setNil(slot.number)
    }
  }

  private func damagedUUID(_ count: Int, slot: RowReading.Slot) -> StoreError {
    let layout = shape.reading(ofStored: number)?.layout
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

extension RowReading.Run {
  /// Visits the slots by pointer: iterating a range as a collection compares with both bounds at each step.
  @inline(__always)
  func forEachSlot(_ body: (UnsafePointer<RowReading.Slot>) -> Void) {
    var slot = lowerBound
    while slot != upperBound {
      body(slot)
      slot += 1
    }
  }
}
