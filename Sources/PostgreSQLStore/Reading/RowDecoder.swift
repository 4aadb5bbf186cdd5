import Foundation
import StrataManagedModel
import StrataPostgreSQLEngine
import StrataRowStore
import StrataSQLText

/// Packs the rows of an answer into pages: each value is copied once, as bytes.
struct RowDecoder {
  private let shape: RowShape
  private let schema: StoreSchema
  private let store: Int
  private let address: ServerAddress
  private var filler: PageFiller
  private var openEntity: Int?
  private var reading: RowReading?
  private var page: RowPage?
  private var lastKey = Int64.min
  private var isInOrderOfKeys = true

  /// - Parameter expected: the maximum number of rows, if known.
  init(_ shape: RowShape, _ source: ServerReader, expected: Int?) {
    self.shape = shape
    (schema, store, address) = (source.schema, source.store, source.connection.address)
    filler = PageFiller(expected: expected)
  }

  mutating func append(_ result: ServerResult) throws {
    for row in 0..<result.rowCount { try append(row, of: result) }
  }

  mutating func finish() -> RowList {
    var list = filler.finish(sorted: nil)
    list.isInOrderOfKeys = isInOrderOfKeys
    return list
  }

  private mutating func append(_ row: Int, of result: ServerResult) throws {
    let entity = Int(result.integer(row, 1))
    if entity != openEntity { try open(entity) }
    while let page, let reading {
      if let index = try pack(row, of: result, as: reading, into: page) {
        if filler.isMixed { filler.note(index) }
        return
      }
    }
  }

  private mutating func open(_ entity: Int) throws {
    guard let reading = shape.reading(ofStored: entity) else {
      throw StoreError(
        .corrupt, "The store '\(address)' has a row of entity number \(entity), which does not belong in its table.")
    }
    openEntity = entity
    self.reading = reading
    page = filler.open(reading, number: entity)
  }

  /// - Returns: nil if the row did not fit and the next page has to be tried.
  private mutating func pack(
    _ row: Int, of result: ServerResult, as reading: RowReading, into page: RowPage
  ) throws -> Int? {
    guard var draft = page.draft() else { return turn(page, heapBytes: 0) }
    let key = result.integer(row, 0)
    let id = RowID(store: store, entity: page.layout.number, key: key)
    draft.begin(id, version: result.integer(row, 2), nulls: reading.nulls)
    for slot in reading.absent { draft.setWord(0, slot: slot) }
    reading.doubles.forEachSlot { slot in
      guard let bytes = result.present(row, slot.column) else { return draft.setNil(slot.number) }
      draft.setWord(BinaryValue.real(bytes).bitPattern, slot: slot.number)
    }
    reading.integers.forEachSlot { slot in
      guard let bytes = result.present(row, slot.column) else { return draft.setNil(slot.number) }
      draft.setWord(UInt64(bitPattern: BinaryValue.integer(bytes)), slot: slot.number)
    }
    reading.booleans.forEachSlot { slot in
      guard let bytes = result.present(row, slot.column) else { return draft.setNil(slot.number) }
      draft.setWord(BinaryValue.integer(bytes) != 0 ? 1 : 0, slot: slot.number)
    }
    reading.references.forEachSlot { slot in
      guard let bytes = result.present(row, slot.column) else { return draft.setNil(slot.number) }
      let entity = slot.entityColumn < 0 ? 0 : Int(result.integer(row, slot.entityColumn))
      let number = entity == 0 ? slot.destination : schema.number(ofStored: entity) ?? slot.destination
      draft.setWord(RowID(store: store, entity: number, key: BinaryValue.integer(bytes)).bits, slot: slot.number)
    }
    reading.texts.forEachSlot { slot in
      guard let bytes = result.present(row, slot.column) else { return draft.setNil(slot.number) }
      draft.setBytes(bytes.baseAddress, count: bytes.count, slot: slot.number)
    }
    reading.others.forEachSlot { slot in
      guard let bytes = result.present(row, slot.column) else { return draft.setNil(slot.number) }
      guard slot.filling == .decimal else {
        return draft.setBytes(bytes.baseAddress, count: bytes.count, slot: slot.number)
      }
      withUnsafeBytes(of: BinaryValue.decimal(bytes)) {
        draft.setBytes($0.baseAddress, count: $0.count, slot: slot.number)
      }
    }
    guard draft.fits else { return turn(page, heapBytes: draft.heapBytes) }
    if key <= lastKey { isInOrderOfKeys = false }
    lastKey = key
    return page.keep(draft)
  }

  /// Moves on to the next page; a row larger than a page gets one of its own, which grows.
  private mutating func turn(_ page: RowPage, heapBytes: Int) -> Int? {
    if page.count == 0 { page.makeRoom(forHeap: heapBytes) } else { self.page = filler.next(after: page) }
    return nil
  }
}

extension RowReading.Run {
  fileprivate func forEachSlot(_ body: (RowReading.Slot) -> Void) { for slot in self { body(slot.pointee) } }
}

extension ServerResult {
  /// A value's bytes; nil for NULL.
  fileprivate func present(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
    isNull(row, column) ? nil : bytes(row, column)
  }
}
