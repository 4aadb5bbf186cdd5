import Foundation
import StrataRowStore
import StrataSQLText

/// Packs rows straight from a table's pages.
extension RowPageBuilder {
  /// Packs a row.
  /// - Parameter fields: the columns of the row; the key column is ignored.
  /// - Returns: false if a value's storage class does not match its column, so that SQLite has to convert it.
  func pack(_ key: Int64, fields: UnsafePointer<StoredField>) throws -> Bool {
    guard fields[1].isInteger, fields[2].isInteger else { return false }
    let entity = shape.onlyEntity ?? Int(truncatingIfNeeded: fields[1].integer)
    let row = try packed(asRowOf: entity) { reading, page in try pack(key, fields: fields, reading: reading, into: page)
    }
    guard row != Self.odd else { return false }
    note(row)
    return true
  }

  private static var odd: Int { -2 }

  @inline(never)
  private func pack(
    _ key: Int64, fields: UnsafePointer<StoredField>, reading: RowReading, into page: RowPage
  ) throws -> Int {
    guard var draft = page.draft() else { return filler.turn(page, heapBytes: 0) }
    let id = RowID(store: store, entity: page.layout.number, key: key)
    draft.begin(id, version: fields[2].integer, nulls: reading.nulls)
    var source = RecordValues(fields: fields, schema: schema)
    draft.setSlots(of: reading, from: &source, store: store, among: filler.recentTexts)
    if source.isOdd { return Self.odd }
    if !reading.others.isEmpty, try !putOthers(of: reading, fields, into: &draft) { return Self.odd }
    guard draft.fits else { return filler.turn(page, heapBytes: draft.heapBytes) }
    filler.noteKey(key)
    return page.keep(draft)
  }

  /// Returns false if a value's storage class does not match its column.
  @inline(never)
  private func putOthers(
    of reading: RowReading, _ fields: UnsafePointer<StoredField>, into draft: inout RowPage.Draft
  ) throws -> Bool {
    // In a copy, as for rows that SQLite returns: see `putOthers`.
    var own = draft
    defer { draft = own }
    for slot in reading.others {
      guard try put(fields[slot.pointee.column], slot: slot.pointee, into: &own) else { return false }
    }
    return true
  }

  private func put(_ field: StoredField, slot: RowReading.Slot, into draft: inout RowPage.Draft) throws -> Bool {
    if field.isNull {
      draft.setNil(slot.number)
      return true
    }
    if slot.filling == .decimal {
      guard let decimal = RowFetcher.decimal(field) else { return false }
      withUnsafeBytes(of: decimal) { draft.setBytes($0.baseAddress, count: $0.count, slot: slot.number) }
      return true
    }
    guard field.isBlob else { return false }
    let bytes = field.bytes
    switch slot.filling {
    case .external: try putExternal(bytes, slot: slot, into: &draft)
    case .uuid:
      guard bytes.count == 16 else { return false }
      draft.setBytes(bytes.baseAddress, count: 16, slot: slot.number)
    default:
      draft.setBytes(bytes.baseAddress, count: bytes.count, slot: slot.number)
    }
    return true
  }
}

/// The values of a record.
private struct RecordValues: ColumnValues {
  let fields: UnsafePointer<StoredField>
  let schema: StoreSchema
  /// Whether a value's storage class did not match its column.
  var isOdd = false

  @inline(__always)
  mutating func integer(_ column: Int) -> Int64? {
    let field = fields[column]
    if field.isInteger { return field.integer }
    isOdd = isOdd || !field.isNull
    return nil
  }

  @inline(__always)
  mutating func real(_ column: Int) -> Double? {
    let field = fields[column]
    if field.isReal { return field.real }
    // SQLite stores a real without a fraction as an integer if that is shorter.
    return integer(column).map(Double.init)
  }

  @inline(__always)
  mutating func text(_ column: Int) -> (start: UnsafeRawPointer, count: Int)? {
    let field = fields[column]
    if field.isText { return (field.start, field.bytes.count) }
    isOdd = isOdd || !field.isNull
    return nil
  }

  @inline(__always)
  func number(ofStored entity: Int) -> Int? { schema.number(ofStored: entity) }
}
