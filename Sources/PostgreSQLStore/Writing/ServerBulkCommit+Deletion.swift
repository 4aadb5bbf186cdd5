import StrataManagedModel
import StrataRowStore
import StrataSQLText

extension ServerBulkCommit {
  /// Deletes rows and whatever their delete rules reach, level by level.
  func delete(_ deletion: BulkDeletion) throws {
    for layout in hierarchies(around: deletion.layout) { try lock(layout) }
    var gone: [Int: [RowID]] = [:]
    var known: Set<RowID> = []
    var level = try selected(deletion)
    while !level.isEmpty {
      let new = level.filter { known.insert($0).inserted }
      level = []
      for (entity, ids) in Dictionary(grouping: new, by: \.entity).sorted(by: { $0.key < $1.key }) {
        let layout = store.schema.model.layout(number: entity)
        if layout.deniesDeletion { throw BulkDeletion.refusal(of: layout) }
        gone[entity, default: []] += ids
        level += try cascades(from: ids, of: layout)
      }
    }
    let groups = gone.sorted { $0.key < $1.key }.map { (store.schema.model.layout(number: $0.key), $0.value) }
    for (layout, ids) in groups { try nullify(around: ids, of: layout, sparing: known) }
    for (layout, ids) in groups { try remove(ids, of: layout) }
  }

  /// The hierarchies that delete rules may reach, in the order of their roots, so that two requests never wait for each
  /// other crosswise.
  private func hierarchies(around layout: EntityLayout) -> [EntityLayout] {
    var roots: Set<Int> = []
    var next = [layout.rootNumber]
    while let root = next.popLast() {
      guard roots.insert(root).inserted else { continue }
      for member in store.schema.layouts where member.rootNumber == root {
        let relationships = member.slots.compactMap(\.relationship) + member.toMany.map(\.relationship)
        for relationship in relationships where relationship.deleteRule != .noActionDeleteRule {
          next.append(relationship.destination.rootNumber)
        }
      }
    }
    return roots.sorted().map(store.schema.model.layout)
  }

  private func selected(_ deletion: BulkDeletion) throws -> [RowID] {
    switch deletion.selection {
    case .query(let query): try reader.ids(for: query)
    case .ids(let ids): try reader.rows(with: ids).rows.map(\.id).filter { $0.entity == deletion.layout.number }
    }
  }

  private func cascades(from ids: [RowID], of layout: EntityLayout) throws -> [RowID] {
    var reached: [RowID] = []
    let slots = layout.slots.indices.filter { layout.slots[$0].relationship?.deleteRule == .cascadeDeleteRule }
    if !slots.isEmpty {
      let rows = try reader.rows(with: ids).rows
      reached += slots.flatMap { slot in rows.map { $0.page.reference(row: $0.index, slot: slot) } }.filter {
        $0 != .none
      }
    }
    for (number, property) in layout.toMany.enumerated()
    where property.relationship.deleteRule == .cascadeDeleteRule {
      reached += try reader.related(to: ids, relationship: number).members
    }
    // A reference may lead to a row that is gone, or of another entity than it says.
    return try reached.isEmpty ? [] : reader.rows(with: reached).rows.map(\.id)
  }

  /// Sets to nil the to-one relationships of remaining rows that lead to deleted ones.
  private func nullify(around ids: [RowID], of layout: EntityLayout, sparing gone: Set<RowID>) throws {
    let properties =
      layout.slots.compactMap { slot in slot.relationship.map { ($0, slot.inverse) } }
      + layout.toMany.map { ($0.relationship, $0.inverse) }
    let names = store.schema.rowColumns
    for (relationship, inverse) in properties where relationship.deleteRule == .nullifyDeleteRule {
      let destination = relationship.destination
      guard case .slot(let slot) = inverse, let column = store.schema.table(of: destination).columns[slot]
      else { continue }
      let columns = [column.name, column.entityColumn, column.orderColumn].compactMap(\.self)
      let spared = gone.filter {
        store.schema.model.layout(number: $0.entity).rootNumber == destination.rootNumber
      }
      let text = """
        UPDATE \(store.schema.table(of: destination).name) SET \(names.version) = \(names.version) + 1, \
        \(columns.map { "\($0) = NULL" }.joined(separator: ", ")) \
        WHERE \(column.name) = ANY($1) AND \(names.key) <> ALL($2) RETURNING \(names.key), \(names.entity)
        """
      let result = try connection.run(
        SQLStatement(text, [.list(StoredList(ids.map(\.key))), .list(StoredList(spared.map(\.key)))]))
      for id in try reader.ids(of: result).sorted(by: { $0.key < $1.key }) {
        noteUpdate(of: id, properties: destination.slots[slot].ownerName)
      }
    }
  }

  private func remove(_ ids: [RowID], of layout: EntityLayout) throws {
    var batch = ChangeBatch()
    batch.deleted = ids.map { RowDeletion(id: $0, version: nil) }
    let commit = try write(batch)
    for (index, id) in ids.enumerated() {
      guard let values = commit.tombstones[index] else { continue }
      receipt.deletedCount += 1
      receipt.deleted.append(id)
      if store.keepsHistory { try record.append(.delete, id, keeping: values) }
    }
  }
}
