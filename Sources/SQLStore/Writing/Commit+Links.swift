import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// The to-many relationships of a commit that no to-one slot expresses.
extension Commit {
  func changeLinks() throws {
    for change in batch.links {
      let owner = try permanent(change.owner)
      let layout = store.schema.model.layout(number: owner.entity)
      let known = statements.links(layout, relationship: change.relationship)
      if let links = known.statements {
        let last = known.moveToEnd
        // A member in both lists moves, and keeps its position among its owners.
        let moved = last == nil ? [] : Set(change.removed).intersection(change.added)
        for member in change.removed where !moved.contains(member) {
          try link(links.remove, inverse: links.removeInverse, owner: owner, member: member)
        }
        for member in change.added {
          if let last, moved.contains(member), try link(last, inverse: nil, owner: owner, member: member) { continue }
          let isNew = try link(links.add, inverse: links.addInverse, owner: owner, member: member)
          // The other end may have added the pair already, at a position of its own choice.
          if let last, !isNew { try link(last, inverse: nil, owner: owner, member: member) }
        }
      } else if !change.added.isEmpty {
        try setPositions(change.added, last: owner, of: layout, relationship: change.relationship)
      }
    }
  }

  /// The to-one slots say who the members are; those that were added get positions after all others.
  private func setPositions(_ added: [RowID], last owner: RowID, of layout: EntityLayout, relationship: Int) throws {
    guard case .inverse(let table, let column, let order?) = store.schema.table(of: layout).toMany[relationship],
      let text = statements.changes.moveToPosition(layout, relationship: relationship)
    else { return }
    let last = try connection.integer(
      "SELECT MAX(\(order)) FROM \(table) WHERE \(column) = ?", bindings: [.integer(owner.key)])
    // Positions start at 2048 and are 1024 apart. None follows the highest number.
    for (index, member) in added.enumerated() {
      let position = (last ?? 1_024).addingCapped(1_024 * Int64(index + 1))
      try connection.run(text, bindings: [.integer(owner.key), .integer(permanent(member).key), .integer(position)])
    }
  }

  /// Whether the first statement changed anything.
  @discardableResult
  private func link(_ text: String, inverse: String?, owner: RowID, member: RowID) throws -> Bool {
    cache?.willWriteRow()
    let member = try permanent(member)
    let hasChanged = try run(text, owner: owner, member: member)
    if let inverse { try run(inverse, owner: owner, member: member) }
    return hasChanged
  }

  /// Whether the statement changed anything.
  @discardableResult
  private func run(_ text: String, owner: RowID, member: RowID) throws -> Bool {
    let statement = try connection.statement(text)
    statement.bind(owner.key, at: 1)
    statement.bind(member.key, at: 2)
    try statement.run()
    return connection.changes > 0
  }
}
