import StrataManagedModel
import StrataRowStore

/// All contents of a store, as a value: a copy is a snapshot.
struct StoreContents: Sendable {
  let relations: RelationshipMap
  /// By the root entity's number.
  private var tables: [RowTable]
  var links = ToManyTable()
  var uniqueRows: [UniqueKey: RowID] = [:]

  /// Whether keys are unique across the whole store instead of per hierarchy.
  private let sharesKeys: Bool

  init(model: ModelLayout, sharesKeys: Bool = false) {
    self.sharesKeys = sharesKeys
    relations = RelationshipMap(model: model)
    tables = Array(repeating: RowTable(), count: model.layouts.count + 1)
  }

  func table(of layout: EntityLayout) -> RowTable { tables[layout.rootNumber] }

  func has(_ id: RowID) -> Bool { relations.layout(id.entity).map { table(of: $0).row(id.key) != nil } ?? false }

  /// Assigns the next key of a hierarchy. Keys are never reused.
  mutating func assignKey(for layout: EntityLayout) -> Int64 {
    let key = lastKey(of: layout) + 1
    tables[layout.rootNumber].lastKey = key
    return key
  }

  /// Identifies the key sequence of an entity: its root entity's number, or 0 if the whole store shares one.
  func counter(of layout: EntityLayout) -> Int { sharesKeys ? 0 : layout.rootNumber }

  /// The largest key ever assigned in the entity's key sequence.
  func lastKey(of layout: EntityLayout) -> Int64 { sharesKeys ? lastKey : tables[layout.rootNumber].lastKey }

  /// The largest key of all hierarchies.
  var lastKey: Int64 { tables.reduce(0) { max($0, $1.lastKey) } }

  mutating func setLastKey(_ key: Int64) { tables[0].lastKey = key }

  /// The row's values in its constraints. A constraint with a nil among them does not apply.
  func uniqueKeys(of row: Row) -> [(key: UniqueKey, names: [String])] {
    relations[row.id.entity].constraints.compactMap { constraint in
      UniqueKey(constraint: constraint.number, slots: constraint.slots, of: row).map { ($0, constraint.names) }
    }
  }
}

/// Changes, which the caller has already validated.
extension StoreContents {
  mutating func insert(_ row: Row) {
    tables[row.layout.rootNumber].insert(row)
    for (key, _) in uniqueKeys(of: row) { uniqueRows[key] = row.id }
    for back in relations[row.id.entity].backReferences where !row.page.isNil(row: row.index, slot: back.slot) {
      join(row, through: back)
    }
  }

  mutating func replace(_ old: Row, with new: Row) {
    tables[new.layout.rootNumber].replace(new)
    for (key, _) in uniqueKeys(of: old) where uniqueRows[key] == old.id { uniqueRows[key] = nil }
    for (key, _) in uniqueKeys(of: new) { uniqueRows[key] = new.id }
    for back in relations[new.id.entity].backReferences {
      guard !old.page.isEqual(row: old.index, slot: back.slot, to: new.page, row: new.index) else { continue }
      leave(old, through: back)
      if !new.page.isNil(row: new.index, slot: back.slot) { join(new, through: back) }
    }
  }

  mutating func remove(_ rows: [Row]) {
    var gone: [Int: Set<Int64>] = [:]
    for row in rows {
      gone[row.layout.rootNumber, default: []].insert(row.id.key)
      for (key, _) in uniqueKeys(of: row) where uniqueRows[key] == row.id { uniqueRows[key] = nil }
      for back in relations[row.id.entity].backReferences where !row.page.isNil(row: row.index, slot: back.slot) {
        leave(row, through: back)
      }
      links.forget(row.id, of: relations[row.id.entity])
    }
    for (root, keys) in gone { tables[root].remove(keys) }
  }

  private mutating func join(_ row: Row, through back: RelationshipMap.BackReference) {
    let owner = row.page.reference(row: row.index, slot: back.slot)
    let isOrdered = relations[owner.entity].toMany[back.inverse].isOrdered
    links.add(row.id, to: ToManyTable.Key(owner: owner, relationship: back.inverse), isOrdered: isOrdered)
  }

  private mutating func leave(_ row: Row, through back: RelationshipMap.BackReference) {
    let owner = row.page.reference(row: row.index, slot: back.slot)
    links.remove(row.id, from: ToManyTable.Key(owner: owner, relationship: back.inverse))
  }
}
