import StrataManagedModel
import StrataRowStore

/// Builds a change batch by names.
struct BatchDraft {
  let model: NSManagedObjectModel
  var batch = ChangeBatch()

  init(model: NSManagedObjectModel = StoreConformance.model, author: String? = nil, contextName: String? = nil) {
    self.model = model
    batch.author = author
    batch.contextName = contextName
  }

  func layout(_ entity: String) throws -> EntityLayout {
    try expectSome(model.entitiesByName[entity]?.layout, "the layout of \(entity)")
  }

  /// Adds a new row.
  /// - Returns: the row's ID: `id`, or a new temporary one.
  @discardableResult
  mutating func insert(_ entity: String, _ values: [String: SlotValue] = [:], id: RowID? = nil) throws -> RowID {
    let layout = try layout(entity)
    let page = RowPage(layout: layout, capacity: 1)
    let row = Row(
      page: page, index: page.append(id: id ?? .temporary(entity: layout.number), version: 0))
    for (name, value) in values { row.set(slot: try slot(name, layout), to: value) }
    batch.inserted.append(row)
    return row.id
  }

  /// Updates slots of a fetched row; `toMany` names the changed to-many relationships for the history.
  mutating func update(_ row: Row, _ values: [String: SlotValue], toMany: [String] = []) throws {
    let layout = row.layout
    let changed = row.copy()
    var words = [UInt64](repeating: 0, count: layout.nullWords)
    for (name, value) in values {
      let slot = try slot(name, layout)
      changed.set(slot: slot, to: value)
      words[slot >> 6] |= 1 << UInt64(slot & 63)
    }
    let numbers = try toMany.map { try expectSome(layout.toMany(named: $0), "\(layout.name).\($0)") }
    batch.updated.append(RowUpdate(row: changed, slots: words, toMany: numbers))
  }

  mutating func delete(_ row: Row) { batch.deleted.append(RowDeletion(id: row.id, version: row.version)) }

  /// Removes members from a to-many relationship, then appends others.
  mutating func link(_ owner: RowID, _ name: String, add: [RowID] = [], remove: [RowID] = []) throws {
    let layout = model.layout(number: owner.entity)
    let number = try expectSome(layout.toMany(named: name), "\(layout.name).\(name)")
    batch.links.append(LinkChange(owner: owner, relationship: number, removed: remove, added: add))
  }

  private func slot(_ name: String, _ layout: EntityLayout) throws -> Int {
    try expectSome(layout.slot(named: name), "the slot \(layout.name).\(name)")
  }
}
