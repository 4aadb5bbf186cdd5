import StrataManagedModel
import StrataPostgreSQLEngine
import StrataPostgreSQLText
import StrataRowStore
import StrataSQLText

/// The rows of a commit: a statement for all rows of one shape.
extension Commit {
  /// The most rows of a statement, and the size of their values from which on another one begins.
  private static let (mostRows, mostBytes) = (5_000, 8 << 20)

  private var schema: StoreSchema { store.schema }

  /// Locks the rows that the batch only checks, in the order of their keys, and compares their versions.
  func checkRows(in trip: inout RoundTrip) {
    let names = schema.rowColumns
    let groups = Dictionary(grouping: batch.checked) { layout($0.id).rootNumber }
    for (root, checks) in groups.sorted(by: { $0.key < $1.key }) {
      let versions = Dictionary(checks.map { ($0.id.key, $0.version) }, uniquingKeysWith: { first, _ in first })
      let text = """
        SELECT \(names.key), \(names.version) FROM \(schema.table(of: schema.model.layout(number: root)).name) \
        WHERE \(names.key) = ANY($1) ORDER BY \(names.key) FOR SHARE
        """
      trip.add(ServerStatement(text, [.value(.list(StoredList(Array(versions.keys))))])) { result in
        let equal = (0..<result.rowCount).count { versions[result.integer($0, 0)] == result.integer($0, 1) }
        if equal < versions.count { throw UnequalRows() }
      }
    }
  }

  private func layout(_ id: RowID) -> EntityLayout { schema.model.layout(number: id.entity) }

  func deleteRows(in trip: inout RoundTrip) throws {
    let groups = Dictionary(grouping: batch.deleted.indices) { batch.deleted[$0].id.entity }
    for (entity, indexes) in groups.sorted(by: { $0.key < $1.key }) {
      let layout = schema.model.layout(number: entity)
      let kept = store.keepsHistory ? schema.tombstoneSlots(of: layout) : []
      let statement = store.arrays.delete(
        layout, keeping: kept.compactMap { schema.table(of: layout).columns[$0]?.name })
      let order = indexes.sorted { batch.deleted[$0].id.key < batch.deleted[$1].id.key }
      for part in order.parts(of: Self.mostRows) { delete(part, of: layout, statement, in: &trip) }
      let keys = StoredValue.list(StoredList(indexes.map { batch.deleted[$0].id.key }))
      for text in store.changes.unlinkMany(layout) { trip.add(SQLStatement(text, [keys])) }
    }
  }

  private func delete(
    _ indexes: ArraySlice<Int>, of layout: EntityLayout, _ statement: ArrayStatement, in trip: inout RoundTrip
  ) {
    var filler = ArrayFiller(statement, of: layout, in: schema)
    for index in indexes { filler.append(batch.deleted[index].id, version: batch.deleted[index].version) }
    trip.add(filler.filled) { [self] result in
      var found: [Int64: Int] = [:]
      for row in 0..<result.rowCount { found[result.integer(row, 0)] = row }
      for index in indexes {
        guard let row = found[batch.deleted[index].id.key] else {
          if batch.deleted[index].version != nil { throw UnequalRows() }
          continue
        }
        tombstones[index] = (1..<max(1, result.columnCount)).map { result.value(row, $0) }
      }
    }
  }

  /// Several rows may exchange unique values, which the server compares row by row: so all rows first give theirs up.
  func freeUniqueValues(in trip: inout RoundTrip) {
    guard batch.updated.count > 1 else { return }
    let groups = Dictionary(grouping: batch.updated) { $0.row.id.entity }
    for (entity, updates) in groups.sorted(by: { $0.key < $1.key }) {
      let layout = schema.model.layout(number: entity)
      let table = schema.table(of: layout)
      let slots = layout.constraints.flatMap { $0.names.compactMap { layout.slot(named: $0) } }
      for slot in Set(slots).sorted() {
        let keys = updates.filter { $0.writes(slot) }.map(\.row.id.key)
        guard let column = table.columns[slot]?.name, !keys.isEmpty else { continue }
        trip.add(
          SQLStatement(
            "UPDATE \(table.name) SET \(column) = NULL WHERE \(schema.rowColumns.key) = ANY($1)",
            [.list(StoredList(keys))]))
      }
    }
  }

  /// In the order of keys, so that two savers seldom wait for each other crosswise.
  func updateRows(in trip: inout RoundTrip) throws {
    struct Shape: Hashable {
      var entity: Int
      var slots: [UInt64]
    }
    let groups = Dictionary(grouping: batch.updated) { Shape(entity: $0.row.id.entity, slots: $0.slots) }
    let order = groups.sorted { ($0.key.entity, $0.value[0].row.id.key) < ($1.key.entity, $1.value[0].row.id.key) }
    for (shape, updates) in order {
      let layout = schema.model.layout(number: shape.entity)
      let statement = store.arrays.update(layout, slots: shape.slots)
      let sorted = updates.sorted { $0.row.id.key < $1.row.id.key }
      try fill(statement, of: layout, with: sorted.map { ($0.row, $0.row.id) }, version: 0, in: &trip) { count in
        { if $0.changes < count { throw UnequalRows() } }
      }
    }
  }

  func insertRows(in trip: inout RoundTrip) throws {
    let groups = Dictionary(grouping: batch.inserted.indices) { batch.inserted[$0].layout.number }
    for (entity, indexes) in groups.sorted(by: { $0.key < $1.key }) {
      let layout = schema.model.layout(number: entity)
      let rows = indexes.map { (batch.inserted[$0], inserted[$0]) }
      try fill(store.arrays.insert(layout), of: layout, with: rows, version: 1, in: &trip) { _ in { _ in } }
    }
  }

  /// Adds as many statements as the rows need.
  private func fill(
    _ statement: ArrayStatement, of layout: EntityLayout, with rows: [(row: Row, id: RowID)], version: Int64,
    in trip: inout RoundTrip, reading read: (_ count: Int) -> (ServerResult) throws -> Void
  ) throws {
    var filler = ArrayFiller(statement, of: layout, in: schema)
    for (row, id) in rows {
      try filler.append(row, id: id, version: version, permanent: permanent)
      guard filler.count == Self.mostRows || filler.size > Self.mostBytes else { continue }
      trip.add(filler.filled, reading: read(filler.count))
      filler = ArrayFiller(statement, of: layout, in: schema)
    }
    if filler.count > 0 { trip.add(filler.filled, reading: read(filler.count)) }
  }
}

extension Array {
  func parts(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}

extension EntityLayout {
  /// The uniqueness constraints on rows of the entity, each with the entity that declares it.
  var constraints: [(layout: EntityLayout, names: [String])] {
    sequence(first: entity) { $0.superentity }.flatMap { entity in entity.uniqueNames.map { (entity.layout, $0) } }
  }
}

extension StoreSchema {
  /// The stored slots whose values the history keeps of a deleted row.
  func tombstoneSlots(of layout: EntityLayout) -> [Int] {
    layout.slots.indices.filter { layout.slots[$0].isKeptOnDeletion && table(of: layout).columns[$0] != nil }
  }
}
