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
    let entity = onlyEntity ?? Int(truncatingIfNeeded: fields[1].integer)
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
    guard var draft = page.draft() else { return turnPage(page, heapBytes: 0) }
    var isOdd = false
    let id = RowID(store: store, entity: page.layout.number, key: key)
    draft.begin(id, version: fields[2].integer, nulls: reading.nulls)
    for slot in reading.absent { draft.setWord(0, slot: slot) }
    reading.doubles.forEachSlot { slot in
      let field = fields[slot.pointee.column]
      if field.isReal {
        draft.setWord(field.real.bitPattern, slot: slot.pointee.number)
      } else if field.isInteger {
        // SQLite stores a real without a fraction as an integer if that is shorter.
        draft.setWord(Double(field.integer).bitPattern, slot: slot.pointee.number)
      } else {
        isOdd = isOdd || !field.isNull
        draft.setNil(slot.pointee.number)
      }
    }
    reading.integers.forEachSlot { slot in
      isOdd = setInteger(fields[slot.pointee.column], slot, in: &draft) { UInt64(bitPattern: $0) } || isOdd
    }
    reading.booleans.forEachSlot { slot in
      isOdd = setInteger(fields[slot.pointee.column], slot, in: &draft) { $0 != 0 ? 1 : 0 } || isOdd
    }
    reading.references.forEachSlot { slot in
      var entity = 0
      if slot.pointee.entityColumn >= 0 {
        let field = fields[slot.pointee.entityColumn]
        if field.isInteger { entity = Int(truncatingIfNeeded: field.integer) } else { isOdd = isOdd || !field.isNull }
      }
      isOdd =
        setInteger(fields[slot.pointee.column], slot, in: &draft) { reference($0, values: entity, slot: slot) } || isOdd
    }
    let recent = recentTexts
    reading.texts.forEachSlot { slot in
      let field = fields[slot.pointee.column]
      if field.isText {
        draft.setText(field.start, count: field.bytes.count, slot: slot.pointee.number, among: recent)
      } else {
        isOdd = isOdd || !field.isNull
        draft.setNil(slot.pointee.number)
      }
    }
    if !reading.others.isEmpty { isOdd = try !putOthers(of: reading, fields, into: &draft) || isOdd }
    if isOdd { return Self.odd }
    guard draft.fits else { return turnPage(page, heapBytes: draft.heapBytes) }
    noteKey(key)
    return page.keep(draft)
  }

  /// Whether the value is neither an integer nor NULL.
  @inline(__always)
  private func setInteger(
    _ field: StoredField, _ slot: UnsafePointer<RowReading.Slot>, in draft: inout RowPage.Draft,
    _ word: (Int64) -> UInt64
  ) -> Bool {
    guard field.isInteger else {
      draft.setNil(slot.pointee.number)
      return !field.isNull
    }
    draft.setWord(word(field.integer), slot: slot.pointee.number)
    return false
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
