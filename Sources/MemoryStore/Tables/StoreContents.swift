import StrataManagedModel
import StrataRowStore

/// Everything that a store holds, as a value: whoever has a copy keeps one moment.
struct StoreContents: Sendable {
  let relations: RelationMap
  /// By the number of the root entity.
  private var tables: [RowTable]
  var links = LinkTable()
  var uniqueRows: [UniqueKey: RowID] = [:]

  /// The values that a row has in a uniqueness constraint.
  struct UniqueKey: Hashable, Sendable {
    var constraint: Int
    var values: [SlotValue]
  }

  /// Whether no two rows of the store have the same key, whatever their entities.
  private let sharesKeys: Bool

  init(model: NSManagedObjectModel, sharesKeys: Bool = false) {
    self.sharesKeys = sharesKeys
    relations = RelationMap(model: model)
    tables = Array(repeating: RowTable(), count: model.layouts.count + 1)
  }

  func table(of layout: EntityLayout) -> RowTable { tables[layout.rootNumber] }

  /// The next key of a hierarchy, which nobody gets again.
  mutating func takeKey(for layout: EntityLayout) -> Int64 {
    let key = lastKey(of: layout) + 1
    tables[layout.rootNumber].lastKey = key
    return key
  }

  /// Which rows get their keys one after the other: those of one hierarchy, by the number of its root, or all.
  func counter(of layout: EntityLayout) -> Int { sharesKeys ? 0 : layout.rootNumber }

  /// The largest key that was ever given among the rows that share it.
  func lastKey(of layout: EntityLayout) -> Int64 { sharesKeys ? lastKey : tables[layout.rootNumber].lastKey }

  /// The largest key of all.
  var lastKey: Int64 { tables.reduce(0) { max($0, $1.lastKey) } }

  mutating func setLastKey(_ key: Int64) { tables[0].lastKey = key }

  /// The row's values in its constraints; a row with a nil among them takes no part.
  func uniqueKeys(of row: Row) -> [(key: UniqueKey, names: [String])] {
    relations[row.id.entity].constraints.compactMap { constraint in
      let values = constraint.slots.map { row[$0] }
      guard !values.contains(.null) else { return nil }
      return (UniqueKey(constraint: constraint.number, values: values), constraint.names)
    }
  }
}

/// Changes, all of which are known to fit.
extension StoreContents {
  mutating func insert(_ row: Row) {
    tables[row.layout.rootNumber].insert(row)
    for (key, _) in uniqueKeys(of: row) { uniqueRows[key] = row.id }
    for back in relations[row.id.entity].backReferences where !row.page.isNil(row.index, back.slot) {
      join(row, back)
    }
  }

  mutating func replace(_ old: Row, with new: Row) {
    tables[new.layout.rootNumber].replace(new)
    for (key, _) in uniqueKeys(of: old) where uniqueRows[key] == old.id { uniqueRows[key] = nil }
    for (key, _) in uniqueKeys(of: new) { uniqueRows[key] = new.id }
    for back in relations[new.id.entity].backReferences {
      guard !old.page.isEqual(old.index, back.slot, to: new.page, new.index) else { continue }
      leave(old, back)
      if !new.page.isNil(new.index, back.slot) { join(new, back) }
    }
  }

  mutating func remove(_ rows: [Row]) {
    var gone: [Int: Set<Int64>] = [:]
    for row in rows {
      gone[row.layout.rootNumber, default: []].insert(row.id.key)
      for (key, _) in uniqueKeys(of: row) where uniqueRows[key] == row.id { uniqueRows[key] = nil }
      for back in relations[row.id.entity].backReferences where !row.page.isNil(row.index, back.slot) {
        leave(row, back)
      }
      links.forget(row.id, relations[row.id.entity])
    }
    for (root, keys) in gone { tables[root].remove(keys) }
  }

  private mutating func join(_ row: Row, _ back: RelationMap.BackReference) {
    let owner = row.page.reference(row.index, back.slot)
    let isOrdered = relations[owner.entity].toMany[back.inverse].isOrdered
    links.add(row.id, to: LinkTable.Key(owner: owner, relationship: back.inverse), isOrdered: isOrdered)
  }

  private mutating func leave(_ row: Row, _ back: RelationMap.BackReference) {
    let owner = row.page.reference(row.index, back.slot)
    links.remove(row.id, from: LinkTable.Key(owner: owner, relationship: back.inverse))
  }
}
