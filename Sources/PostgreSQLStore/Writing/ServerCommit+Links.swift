import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// The to-many relationships of a commit that no to-one slot expresses.
extension ServerCommit {
  private func storage(of change: LinkChange) throws -> (owner: RowID, layout: EntityLayout, isOrdered: Bool) {
    let owner = try permanent(change.owner)
    let layout = store.schema.model.layout(number: owner.entity)
    let ends = [
      layout.toMany[change.relationship].relationship,
      layout.toMany[change.relationship].relationship.inverse,
    ]
    return (owner, layout, ends.contains { $0?.isOrdered == true })
  }

  /// Relationships without an order, in the same round trip as the rows.
  func changeLinks(in trip: inout RoundTrip) throws {
    for change in batch.links {
      let (owner, layout, isOrdered) = try storage(of: change)
      guard !isOrdered, let links = store.changes.links(of: layout, relationship: change.relationship) else { continue }
      for member in change.removed {
        try add([links.remove, links.removeInverse], owner, member, to: &trip)
      }
      for member in change.added { try add([links.add, links.addInverse], owner, member, to: &trip) }
    }
  }

  private func add(_ texts: [String?], _ owner: RowID, _ member: RowID, to trip: inout RoundTrip) throws {
    let keys = [StoredValue.integer(owner.key), .integer(try permanent(member).key)]
    for text in texts.compactMap(\.self) { trip.add(SQLStatement(text, keys)) }
  }

  /// Relationships with an order: where a member goes depends on who is there.
  func changeOrderedLinks() throws {
    for change in batch.links {
      let (owner, layout, isOrdered) = try storage(of: change)
      guard isOrdered else { continue }
      guard let links = store.changes.links(of: layout, relationship: change.relationship) else {
        if !change.added.isEmpty { try setPositions(change.added, last: owner, of: layout, change.relationship) }
        continue
      }
      let last = store.changes.moveToEnd(layout, relationship: change.relationship)
      // A member in both lists moves, and keeps its position among its owners.
      let moved = last == nil ? [] : Set(change.removed).intersection(change.added)
      for member in change.removed where !moved.contains(member) { _ = try link(links.remove, owner, member) }
      for member in change.added {
        if let last, moved.contains(member), try link(last, owner, member) { continue }
        let isNew = try link(links.add, owner, member)
        // The other end may have added the pair already, at a position of its own choice.
        if let last, !isNew { _ = try link(last, owner, member) }
      }
    }
  }

  /// The to-one slots say who the members are; those that were added get positions after all others.
  private func setPositions(_ added: [RowID], last owner: RowID, of layout: EntityLayout, _ relationship: Int) throws {
    guard case .inverse(let table, let column, let order?) = store.schema.table(of: layout).toMany[relationship],
      let text = store.changes.moveToPosition(layout, relationship: relationship)
    else { return }
    let key = StoredValue.integer(owner.key)
    let greatest = try connection.run(SQLStatement("SELECT MAX(\(order)) FROM \(table) WHERE \(column) = $1", [key]))
    let last = greatest.isNull(0, 0) ? 1_024 : greatest.integer(0, 0)
    var trip = RoundTrip()
    for (index, member) in added.enumerated() {
      let position = last.addingCapped(1_024 * Int64(index + 1))
      trip.add(SQLStatement(text, [key, .integer(try permanent(member).key), .integer(position)]))
    }
    try trip.run(on: connection)
  }

  /// - Returns: whether the statement changed anything.
  private func link(_ text: String, _ owner: RowID, _ member: RowID) throws -> Bool {
    let keys = [StoredValue.integer(owner.key), .integer(try permanent(member).key)]
    return try connection.run(SQLStatement(text, keys)).changes > 0
  }
}
