import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// The rows of a commit: a statement for all rows of one shape.
extension ServerCommit {
  /// The most rows of a statement, and the size of their values from which on another one begins.
  private static let (maximumRows, maximumBytes) = (5_000, 8 << 20)

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
    for (entity, indexes) in Self.groups(of: batch.deleted.indices, by: { batch.deleted[$0].id.entity }) {
      let layout = schema.model.layout(number: entity)
      let kept = store.keepsHistory ? schema.tombstoneSlots(of: layout) : []
      let statement = store.arrays.delete(
        layout, keeping: kept.compactMap { schema.table(of: layout).columns[$0]?.name })
      let order = Self.sorted(indexes) { batch.deleted[$0].id.key }
      for part in order.parts(of: Self.maximumRows) { delete(part, of: layout, statement, in: &trip) }
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
      let found = FoundRows(result, indexes.lazy.map { [batch] in batch.deleted[$0].id.key })
      for (rank, index) in indexes.enumerated() {
        guard let row = found.row(of: batch.deleted[index].id.key, expectedAt: rank) else {
          if batch.deleted[index].version != nil { throw UnequalRows() }
          continue
        }
        tombstones.note(index, result, row: row)
      }
    }
  }

  /// Several rows may exchange unique values, which the server compares row by row: so all rows first give theirs up.
  func freeUniqueValues(in trip: inout RoundTrip) {
    guard batch.updated.count > 1 else { return }
    for (entity, indexes) in Self.groups(of: batch.updated.indices, by: { batch.updated[$0].row.id.entity }) {
      let layout = schema.model.layout(number: entity)
      let table = schema.table(of: layout)
      let slots = layout.constraints.flatMap { $0.names.compactMap { layout.slot(named: $0) } }
      for slot in Set(slots).sorted() {
        let keys = indexes.filter { batch.updated[$0].writes(slot) }.map { batch.updated[$0].row.id.key }
        guard let column = table.columns[slot]?.name, !keys.isEmpty else { continue }
        trip.add(
          SQLStatement(
            "UPDATE \(table.name) SET \(column) = NULL WHERE \(schema.rowColumns.key) = ANY($1)",
            [.list(StoredList(keys))]))
      }
    }
  }

  /// In the order of keys, so that two savers rarely deadlock.
  func updateRows(in trip: inout RoundTrip) throws {
    struct Shape: Hashable {
      var entity: Int
      var slots: [UInt64]
    }
    guard let first = batch.updated.first else { return }
    let one = Shape(entity: first.row.id.entity, slots: first.slots)
    if batch.updated.allSatisfy({ $0.row.id.entity == one.entity && $0.slots == one.slots }) {
      return try update(Array(batch.updated.indices), of: one.entity, slots: one.slots, in: &trip)
    }
    let groups = Dictionary(grouping: batch.updated.indices) {
      Shape(entity: batch.updated[$0].row.id.entity, slots: batch.updated[$0].slots)
    }
    let order = groups.sorted {
      ($0.key.entity, batch.updated[$0.value[0]].row.id.key) < ($1.key.entity, batch.updated[$1.value[0]].row.id.key)
    }
    for (shape, indexes) in order { try update(indexes, of: shape.entity, slots: shape.slots, in: &trip) }
  }

  private func update(_ indexes: [Int], of entity: Int, slots: [UInt64], in trip: inout RoundTrip) throws {
    let layout = schema.model.layout(number: entity)
    let rows = Self.sorted(indexes) { batch.updated[$0].row.id.key }.map { batch.updated[$0].row }
    try fill(store.arrays.update(layout, slots: slots), of: layout, with: rows, nil, version: 0, in: &trip) { count in
      { if $0.changes < count { throw UnequalRows() } }
    }
  }

  /// Many rows are copied, once all before them is done: no pipeline takes a COPY.
  private static let minimumRowsToCopy = 100

  func insertRows(in trip: inout RoundTrip) throws {
    for (entity, indexes) in Self.groups(of: batch.inserted.indices, by: { batch.inserted[$0].page.layout.number }) {
      let layout = schema.model.layout(number: entity)
      if indexes.count >= Self.minimumRowsToCopy {
        try trip.run(on: connection)
        if try store.canCopy(layout, on: connection) {
          try copy(indexes, of: layout)
          continue
        }
      }
      let (rows, ids) = (indexes.map { batch.inserted[$0] }, indexes.map { inserted[$0] })
      try fill(store.arrays.insert(layout), of: layout, with: rows, ids, version: 1, in: &trip) { _ in { _ in } }
    }
  }

  private func copy(_ indexes: [Int], of layout: EntityLayout) throws {
    let (columns, parameters) = store.arrays.insertion(of: layout)
    let encoder = RowEncoder(parameters, of: layout, in: schema)
    var rest = indexes[...]
    do {
      try connection.copyIn(to: "\(schema.table(of: layout).name) (\(columns.joined(separator: ", ")))") { values in
        guard let index = rest.popFirst() else { return false }
        values.beginRow(of: encoder.count)
        try encoder.append(batch.inserted[index], id: inserted[index], version: 1, to: values, permanent: permanent)
        return true
      }
    } catch let error as StoreError where (error.cause as? ServerFailure)?.isUncopyable == true {
      // Another's SQL has changed the table since it was looked at. The next attempt does without.
      store.copiesRows.store(false, ordering: .relaxed)
      throw error
    }
  }

  /// Indexes by the number of an entity, in the order of these numbers. Mostly there is one.
  private static func groups(of indexes: Range<Int>, by entity: (Int) -> Int) -> [(key: Int, value: [Int])] {
    guard let first = indexes.first else { return [] }
    let one = entity(first)
    if indexes.allSatisfy({ entity($0) == one }) { return [(one, Array(indexes))] }
    return Dictionary(grouping: indexes, by: entity).sorted { $0.key < $1.key }
  }

  /// Indexes in the order of keys. Mostly they are.
  private static func sorted(_ indexes: [Int], by key: (Int) -> Int64) -> [Int] {
    zip(indexes, indexes.dropFirst()).allSatisfy { key($0) <= key($1) } ? indexes : indexes.sorted { key($0) < key($1) }
  }

  /// Adds as many statements as the rows need.
  private func fill(
    _ statement: ArrayStatement, of layout: EntityLayout, with rows: [Row], _ ids: [RowID]?, version: Int64,
    in trip: inout RoundTrip, reading read: (_ count: Int) -> (ServerResult) throws -> Void
  ) throws {
    var filler = ArrayFiller(statement, of: layout, in: schema)
    for (index, row) in rows.enumerated() {
      try refusing { try filler.append(row, id: ids?[index] ?? row.id, version: version, permanent: permanent) }
      guard filler.count == Self.maximumRows || filler.size > Self.maximumBytes else { continue }
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
    lineage.flatMap { layout in layout.uniqueNames.map { (layout, $0) } }
  }
}

extension StoreSchema {
  /// The stored slots whose values the history keeps of a deleted row.
  func tombstoneSlots(of layout: EntityLayout) -> [Int] {
    layout.slots.indices.filter { layout.slots[$0].isKeptOnDeletion && table(of: layout).columns[$0] != nil }
  }
}

/// The values of deleted rows that the history keeps, by their indexes in the batch.
struct Tombstones {
  /// The stored values of each row; nil if the row does not exist.
  private var rows: [[StoredValue]?]

  init(count: Int) { rows = [[StoredValue]?](repeating: nil, count: count) }

  /// nil for a row that was not there.
  subscript(index: Int) -> [StoredValue]? { rows[index] }

  /// - Parameter row: the row of a result whose first column is the key.
  mutating func note(_ index: Int, _ result: ServerResult, row: Int) {
    rows[index] = result.columnCount == 1 ? [] : (1..<result.columnCount).map { result.value(row, $0) }
  }
}

/// The rows of a result by the keys in its first column. Mostly they come in the order in which they were asked for.
private struct FoundRows {
  private let keys: [Int64]
  private let positions: [Int64: Int]

  init(_ result: ServerResult, _ expected: some Sequence<Int64>) {
    keys = (0..<result.rowCount).map { result.integer($0, 0) }
    positions =
      zip(keys, expected).allSatisfy(==) ? [:] : Dictionary(zip(keys, 0...), uniquingKeysWith: { first, _ in first })
  }

  func row(of key: Int64, expectedAt position: Int) -> Int? {
    position < keys.count && keys[position] == key ? position : positions[key]
  }
}
