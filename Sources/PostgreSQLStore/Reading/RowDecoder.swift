import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Packs the rows of an answer into pages: each value is copied once, as bytes.
final class RowDecoder {
  private let shape: RowShape
  private let schema: StoreSchema
  private let store: Int
  private let address: ServerAddress
  @exclusivity(unchecked) private var filler: PageFiller
  /// The last row's Z_ENT, the way its rows are read, and its page; shape and filler retain the latter two. `page` is nil
  /// before the first row.
  @exclusivity(unchecked) private var openEntity = 0
  @exclusivity(unchecked) private var reading: Unmanaged<RowReading>?
  @exclusivity(unchecked) private var page: Unmanaged<RowPage>?
  @exclusivity(unchecked) private var texts: RecentTexts?
  /// The table of `texts`; nil while the open page is too small for one.
  @exclusivity(unchecked) private var recentTexts: UnsafeMutablePointer<UInt64>?
  @exclusivity(unchecked) private var lastKey = Int64.min
  @exclusivity(unchecked) private var isInOrderOfKeys = true

  /// - Parameter expected: the maximum number of rows, if known.
  init(_ shape: RowShape, _ source: ServerReader, expected: Int?) {
    self.shape = shape
    (schema, store, address) = (source.schema, source.store, source.connection.address)
    filler = PageFiller(expected: expected)
  }

  func finish() -> RowList {
    var list = filler.finish(sorted: nil)
    list.isInOrderOfKeys = isInOrderOfKeys
    return list
  }

  /// Appends a row.
  /// - Parameter values: of its columns, valid during the call; those that begin nowhere are NULL.
  func append(_ values: UnsafePointer<UnsafeRawBufferPointer>) throws {
    let entity = Int(truncatingIfNeeded: BinaryValue.integer(values[1]))
    if entity != openEntity || page == nil { try open(entity) }
    var row = Self.noRoom
    while row == Self.noRoom {
      try page.unsafelyUnwrapped._withUnsafeGuaranteedRef { page in
        try reading.unsafelyUnwrapped._withUnsafeGuaranteedRef { row = try pack(values, as: $0, into: page) }
      }
    }
    if filler.isMixed { filler.note(row) }
  }

  /// Returned instead of a row's index if the row did not fit and the next page has to be tried.
  private static var noRoom: Int { -1 }

  private func open(_ entity: Int) throws {
    guard let reading = shape.reading(ofStored: entity) else {
      throw StoreError(
        .corrupt, "The store '\(address)' has a row of entity number \(entity), which does not belong in its table.")
    }
    openEntity = entity
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

  /// Moves on to the next page; a row larger than a page gets one of its own, which grows.
  @inline(never)
  private func turnPage(_ page: RowPage, heapBytes: Int) -> Int {
    if page.count == 0 { page.makeRoom(forHeap: heapBytes) } else { turn(to: filler.next(after: page)) }
    return Self.noRoom
  }

  private func pack(
    _ values: UnsafePointer<UnsafeRawBufferPointer>, as reading: RowReading, into page: RowPage
  ) throws -> Int {
    guard var draft = page.draft() else { return turnPage(page, heapBytes: 0) }
    let key = BinaryValue.integer(values[0])
    let id = RowID(store: store, entity: page.layout.number, key: key)
    draft.begin(id, version: BinaryValue.integer(values[2]), nulls: reading.nulls)
    for slot in reading.absent { draft.setWord(0, slot: slot) }
    reading.doubles.forEachSlot { slot in
      let value = values[slot.pointee.column]
      guard value.baseAddress != nil else { return draft.setNil(slot.pointee.number) }
      draft.setWord(BinaryValue.real(value).bitPattern, slot: slot.pointee.number)
    }
    reading.integers.forEachSlot { slot in
      let value = values[slot.pointee.column]
      guard value.baseAddress != nil else { return draft.setNil(slot.pointee.number) }
      draft.setWord(UInt64(bitPattern: BinaryValue.integer(value)), slot: slot.pointee.number)
    }
    reading.booleans.forEachSlot { slot in
      let value = values[slot.pointee.column]
      guard value.baseAddress != nil else { return draft.setNil(slot.pointee.number) }
      draft.setWord(BinaryValue.integer(value) != 0 ? 1 : 0, slot: slot.pointee.number)
    }
    reading.references.forEachSlot { slot in
      let value = values[slot.pointee.column]
      guard value.baseAddress != nil else { return draft.setNil(slot.pointee.number) }
      let column = slot.pointee.entityColumn
      let entity = column < 0 ? 0 : Int(BinaryValue.integer(values[column]))
      let destination = slot.pointee.destination
      let number = entity == 0 ? destination : schema.number(ofStored: entity) ?? destination
      let id = RowID(store: store, entity: number, key: BinaryValue.integer(value))
      draft.setWord(id.bits, slot: slot.pointee.number)
    }
    let recent = recentTexts
    reading.texts.forEachSlot { slot in
      let value = values[slot.pointee.column]
      guard let start = value.baseAddress else { return draft.setNil(slot.pointee.number) }
      draft.setText(start, count: value.count, slot: slot.pointee.number, among: recent)
    }
    if !reading.others.isEmpty { draft = try putOthers(of: reading, values, into: draft) }
    guard draft.fits else { return turnPage(page, heapBytes: draft.heapBytes) }
    if key <= lastKey { isInOrderOfKeys = false }
    lastKey = key
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

extension RowReading.Run {
  /// Visits the slots by pointer: iterating a range as a collection compares with both bounds at each step.
  @inline(__always)
  fileprivate func forEachSlot(_ body: (UnsafePointer<RowReading.Slot>) -> Void) {
    var slot = lowerBound
    while slot != upperBound {
      body(slot)
      slot += 1
    }
  }
}
