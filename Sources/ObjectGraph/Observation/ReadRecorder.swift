import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Records which properties a getter reads, so that an observer of a computed property is notified of their changes: reads
/// a key path once, on an object without values.
///
/// The object is a fault of a context without a store, so that its accessors take the slow path of a fault to get here; other
/// objects pay nothing. The objects at the other ends of relationships record too, to any depth.
final class ReadRecorder: @unchecked Sendable {
  // Sendable: created, used and released by one thread, on its context's queue.

  /// One read of a property of an object.
  struct Read: Equatable {
    let object: RowID
    let property: String
    var isToMany = false
  }

  let model: NSManagedObjectModel
  /// The raw value of every attribute that can hold it; nil for no values. The getter of an enumeration may stop the program
  /// for nil.
  private let raw: PredicateValue?
  /// The properties read, each once, in the order of the first read.
  private var reads: [Read] = []
  /// The objects created for the other ends of relationships; only the recorder retains them.
  private var objects: [RowID: NSManagedObject] = [:]
  /// The read that led to each object.
  private var origins: [RowID: Read] = [:]
  private var lastKey: Int64 = 0

  private init(_ model: NSManagedObjectModel, raw: PredicateValue?) { (self.model, self.raw) = (model, raw) }

  /// Returns the paths of all properties that a key path reads; for those behind a to-many relationship, the path of the
  /// relationship.
  static func readPaths(of keyPath: AnyKeyPath, on layout: EntityLayout, in model: NSManagedObjectModel) -> [[String]] {
    let raw = (keyPath.plainValueType as? any RawRepresentable.Type).flatMap { anyRawValue(of: $0) }
    let recorder = ReadRecorder(model, raw: raw)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.source = recorder
    context.registry.recorder = recorder
    return context.performAndWait {
      let root = recorder.makeObject(of: layout, in: context, from: nil)
      defer { recorder.objects = [:] }
      _ = root[keyPath: keyPath]
      return recorder.reads.compactMap { read in
        guard let path = recorder.path(to: read.object).map({ $0 + [read] }) else { return nil }
        let end = path.firstIndex(where: \.isToMany).map { $0 + 1 } ?? path.count
        return path[..<end].map(\.property)
      }
    }
  }

  /// A raw value that a type accepts.
  private static func anyRawValue<Value: RawRepresentable>(of type: Value.Type) -> PredicateValue? {
    if let first = (type as? any CaseIterable.Type)?.first as? Value { return PredicateValue(argument: first.rawValue) }
    if let number = Value.RawValue.self as? any BinaryInteger.Type {
      let numbers = (0..<1000).lazy.compactMap { number.init(exactly: $0) as? Value.RawValue }
      return numbers.first { Value(rawValue: $0) != nil }.flatMap(PredicateValue.init(argument:))
    }
    guard let text = "" as? Value.RawValue, Value(rawValue: text) != nil else { return nil }
    return .string("")
  }

  /// Records a read of a property.
  func note(_ object: NSManagedObject, slot: Int) {
    if object.page == nil {
      let row = row(object.layout, object.rowID)
      object.use(row.page, row: row.index)
    }
    guard slot >= 0 else { return }
    let read = Read(object: object.rowID, property: object.layout.slots[slot].ownerName)
    guard !reads.contains(read) else { return }
    reads.append(read)
    guard let relationship = object.layout.slots[slot].relationship, let context = object.context else { return }
    let target = makeObject(of: relationship.destination, in: context, from: read)
    object.page?.setReference(target.rowID, row: object.rowIndex, slot: slot)
  }

  /// Returns a row for an object; relationships are empty until they are read.
  private func row(_ layout: EntityLayout, _ id: RowID) -> Row {
    let page = RowPage(layout: layout, capacity: 1)
    let row = Row(page: page, index: page.append(id: id, version: 0))
    guard let raw else { return row }
    for slot in layout.slots.indices { row.set(slot: slot, to: Self.value(raw, layout.slots[slot].kind) ?? .null) }
    return row
  }

  /// Returns a raw value as one of a slot; nil if the slot cannot hold it.
  private static func value(_ value: PredicateValue, _ kind: SlotKind) -> SlotValue? {
    switch (value, kind) {
    case (.integer(let number), .integer16): Int16(exactly: number).map { .integer(Int64($0)) }
    case (.integer(let number), .integer32): Int32(exactly: number).map { .integer(Int64($0)) }
    case (.integer(let number), .integer64): .integer(number)
    case (.real(let number), .double), (.real(let number), .float): .double(number)
    case (.string(let text), .string): .string(text)
    default: nil
    }
  }

  private func makeObject(
    of layout: EntityLayout, in context: NSManagedObjectContext, from origin: Read?
  ) -> NSManagedObject {
    lastKey += 1
    let id = RowID(store: 1, entity: layout.number, key: lastKey)
    origins[id] = origin
    let object = context.makeFault(id)
    objects[id] = object
    return object
  }

  /// Returns the properties that lead from the root to an object; nil if the object is not the recorder's.
  private func path(to object: RowID) -> [Read]? {
    guard objects[object] != nil else { return nil }
    guard let origin = origins[object] else { return [] }
    return path(to: origin.object).map { $0 + [origin] }
  }
}

/// A source without rows. A to-many relationship has one member, which identifies its owner.
extension ReadRecorder: ObjectSource {
  func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    guard let object = objects[owner], let context = object.context else { return [] }
    let property = object.layout.toMany[relationship]
    let read = Read(object: owner, property: property.name, isToMany: true)
    if !reads.contains(read) { reads.append(read) }
    return [makeObject(of: property.relationship.destination, in: context, from: read).rowID]
  }

  func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    let lists = MemberLists(of: owners)
    for owner in lists.owners { lists.append(try related(to: owner, relationship: relationship)) }
    return lists
  }

  func rows(for query: FetchQuery) throws -> RowList { RowList() }
  func ids(for query: FetchQuery) throws -> [RowID] { [] }
  func count(for query: FetchQuery) throws -> Int { 0 }
  func rows(with ids: [RowID]) throws -> RowList { RowList() }
  func values(for query: AggregateQuery) throws -> ValueTable { throw Self.refusal }
  func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]? { nil }
  func permanentIDs(for batch: ChangeBatch) throws -> [RowID]? { nil }
  func pinned() throws -> (any ObjectSource)? { nil }
  func store(number: Int) -> StoreIdentity? { nil }
  func store(uuid: String) -> StoreIdentity? { nil }
  func attach(_ context: NSManagedObjectContext) {}

  func commit(_ batch: ChangeBatch) throws -> CommitReceipt { throw Self.refusal }
  func execute(_ change: BulkChange) throws -> BulkReceipt { throw Self.refusal }

  private static var refusal: StoreError {
    StoreError(.notOpen, "An accessor asked its context's store while what a getter reads was recorded.")
  }
}

extension AnyKeyPath {
  /// The key path's value type without optionals.
  fileprivate var plainValueType: Any.Type {
    var type: Any.Type = Self.valueType
    while let optional = type as? any OptionalType.Type { type = optional.wrapped }
    return type
  }

  /// Whether the key path can yield nil.
  var isOptional: Bool { Self.valueType is any OptionalType.Type }
}

private protocol OptionalType { static var wrapped: Any.Type { get } }

extension Optional: OptionalType {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}

extension CaseIterable {
  fileprivate static var first: Any? { allCases.first }
}
