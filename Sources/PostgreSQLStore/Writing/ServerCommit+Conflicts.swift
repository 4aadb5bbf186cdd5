import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText

/// Finds the rows that a batch is in conflict with, once it has turned out that there are some.
extension ServerCommit {
  /// - Throws: `.conflict` or `.constraint` with all of them; returns if they no longer exist.
  func refuseConflicts() throws {
    let reader = store.reader(on: connection)
    let expected =
      batch.updated.map { ($0.row.id, Optional($0.row.version)) } + batch.deleted.map { ($0.id, $0.version) }
      + batch.checked.map { ($0.id, Optional($0.version)) }
    let recreated = batch.inserted.map(\.id).filter { !$0.isTemporary }
    var stored: [RowID: Row] = [:]
    for row in try reader.rows(with: expected.map(\.0) + recreated).rows { stored[row.id] = row }
    var versions: [RowConflict] = []
    for case (let id, let version?) in expected where stored[id]?.version != version {
      versions.append(RowConflict(id: id, expectedVersion: version, stored: stored[id]))
    }
    for id in recreated {
      if let row = stored[id] { versions.append(RowConflict(id: id, expectedVersion: 0, stored: row)) }
    }
    let constraints = try violations(stored, reader)
    let refusal = StoreError.refusal(
      byStore: store.address.description, versions: versions, constraints: constraints)
    if let refusal { throw refusal }
  }

  /// A row as the batch would leave it.
  private struct Candidate {
    var id: RowID
    var version: Int64
    var row: Row
    var update: RowUpdate?

    /// The values of a constraint; nil if one is nil.
    func values(_ names: [String], stored: Row?, permanent: (RowID) throws -> RowID) rethrows -> [SlotValue]? {
      var values: [SlotValue] = []
      for name in names {
        guard let slot = row.layout.slot(named: name) else { return nil }
        let source = update?.writes(slot) == false ? stored ?? row : row
        let value = source[slot]
        if value == .null { return nil }
        if case .reference(let id) = value {
          values.append(.reference(try permanent(id)))
        } else {
          values.append(value)
        }
      }
      return values
    }
  }

  private func violations(_ stored: [RowID: Row], _ reader: ServerReader) throws -> [RowConflict] {
    let candidates =
      batch.inserted.map { Candidate(id: $0.id, version: 0, row: $0) }
      + batch.updated.map { Candidate(id: $0.row.id, version: $0.row.version, row: $0.row, update: $0) }
    let leaving = Set(batch.deleted.map(\.id) + batch.updated.map(\.row.id))
    var conflicts: [RowConflict] = []
    for (layout, names) in store.schema.constraints {
      var holders: [[SlotValue]: Row?] = [:]
      let members = try candidates.filter { $0.row.layout.isKind(of: layout) }
        .compactMap { candidate in
          try candidate.values(names, stored: stored[candidate.id], permanent: permanent).map { (candidate, $0) }
        }
      for row in try rows(of: layout, names, with: members.map(\.1), reader) where !leaving.contains(row.id) {
        if let values = Candidate(id: row.id, version: 0, row: row).values(names, stored: nil, permanent: { $0 }) {
          holders[values] = row
        }
      }
      for (candidate, values) in members {
        guard let holder = holders[values] else {
          holders[values] = .some(nil)
          continue
        }
        conflicts.append(
          RowConflict(id: candidate.id, expectedVersion: candidate.version, stored: holder, constraint: names))
      }
    }
    return conflicts
  }

  /// The stored rows that may have some of the values: those with one of the first ones.
  private func rows(
    of layout: EntityLayout, _ names: [String], with values: [[SlotValue]], _ reader: ServerReader
  ) throws -> [Row] {
    guard let slot = names.first.flatMap({ layout.slot(named: $0) }), !values.isEmpty else { return [] }
    let probe = RowPage(layout: layout, capacity: 1)
    let row = Row(page: probe, index: probe.append(id: .none, version: 0))
    let first = values.map { value -> PredicateValue in
      row.set(slot: slot, to: value[0])
      return row.predicateValue(slot)
    }
    let filter = PredicateNode.comparison(
      ComparisonNode(.keyPath([layout.slots[slot].name]), .in, .value(.list(first))))
    return try reader.rows(for: FetchQuery(layout: layout, filter: filter)).rows
  }
}

extension StoreSchema {
  /// All uniqueness constraints, each with the entity that declares it.
  var constraints: [(layout: EntityLayout, names: [String])] {
    layouts.flatMap { layout in layout.uniqueNames.map { (layout, $0) } }
  }
}
