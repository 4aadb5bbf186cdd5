import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Packs the rows of a result into pages: each value is copied once, as bytes.
final class RowDecoder {
  private let schema: StoreSchema
  private let store: Int
  private let address: ServerAddress
  @exclusivity(unchecked) private var filler: PageFiller

  /// - Parameter expected: the maximum number of rows, if known.
  init(_ shape: RowShape, _ source: ServerReader, expected: Int?) {
    (schema, store, address) = (source.schema, source.store, source.connection.address)
    filler = PageFiller(shape: shape, expected: expected, location: address.description)
  }

  func finish() -> RowList { filler.finish() }

  /// Appends a row.
  /// - Parameter values: of its columns, valid during the call; those that begin nowhere are NULL.
  func append(_ values: UnsafePointer<UnsafeRawBufferPointer>) throws {
    let entity = Int(truncatingIfNeeded: BinaryValue.integer(values[1]))
    if entity != filler.number || filler.page == nil { try filler.open(entity) }
    var row = PageFiller.noRoom
    while row == PageFiller.noRoom {
      try filler.page.unsafelyUnwrapped._withUnsafeGuaranteedRef { page in
        try filler.reading.unsafelyUnwrapped._withUnsafeGuaranteedRef { row = try pack(values, as: $0, into: page) }
      }
    }
    filler.note(row)
  }

  private func pack(
    _ values: UnsafePointer<UnsafeRawBufferPointer>, as reading: RowReading, into page: RowPage
  ) throws -> Int {
    guard var draft = page.draft() else { return filler.turn(page, heapBytes: 0) }
    let key = BinaryValue.integer(values[0])
    let id = RowID(store: store, entity: page.layout.number, key: key)
    draft.begin(id, version: BinaryValue.integer(values[2]), nulls: reading.nulls)
    var source = BinaryValues(values: values, schema: schema)
    draft.setSlots(of: reading, from: &source, store: store, among: filler.recentTexts)
    if !reading.others.isEmpty { draft = try putOthers(of: reading, values, into: draft) }
    guard draft.fits else { return filler.turn(page, heapBytes: draft.heapBytes) }
    filler.noteKey(key)
    return page.keep(draft)
  }

  /// Works on a copy: a draft whose address escapes is kept in memory.
  @inline(never)
  private func putOthers(
    of reading: RowReading, _ values: UnsafePointer<UnsafeRawBufferPointer>, into draft: RowPage.Draft
  ) throws -> RowPage.Draft {
    var draft = draft
    for slot in reading.others {
      let (value, number) = (values[slot.pointee.column], slot.pointee.number)
      guard let start = value.baseAddress else {
        draft.setNil(number)
        continue
      }
      if slot.pointee.filling == .decimal {
        withUnsafeBytes(of: BinaryValue.decimal(value)) {
          draft.setBytes($0.baseAddress, count: $0.count, slot: number)
        }
      } else {
        if slot.pointee.filling == .uuid { try Self.checkUUID(value, in: address) }
        draft.setBytes(start, count: value.count, slot: number)
      }
    }
    return draft
  }

  /// Another program may have given the column another type.
  static func checkUUID(_ value: UnsafeRawBufferPointer, in address: ServerAddress) throws {
    guard value.count != 16 else { return }
    throw StoreError(.corrupt, "The store '\(address)' has \(value.count) bytes for a UUID instead of 16.")
  }
}

/// The values of a row in the server's binary format.
private struct BinaryValues: ColumnValues {
  let values: UnsafePointer<UnsafeRawBufferPointer>
  let schema: StoreSchema

  @inline(__always)
  func integer(_ column: Int) -> Int64? {
    values[column].baseAddress == nil ? nil : BinaryValue.integer(values[column])
  }

  @inline(__always)
  func real(_ column: Int) -> Double? {
    values[column].baseAddress == nil ? nil : BinaryValue.real(values[column])
  }

  @inline(__always)
  func text(_ column: Int) -> (start: UnsafeRawPointer, count: Int)? {
    values[column].baseAddress.map { ($0, values[column].count) }
  }

  @inline(__always)
  func number(ofStored entity: Int) -> Int? { schema.number(ofStored: entity) }
}
