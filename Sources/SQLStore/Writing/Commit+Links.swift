import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// The to-many relationships of a commit that no to-one slot tells.
extension Commit {
  func changeLinks() throws {
    for change in batch.links {
      let owner = try permanent(change.owner)
      let layout = store.schema.model.layout(number: owner.entity)
      if let links = statements.changes.links(of: layout, relationship: change.relationship) {
        let last = statements.changes.placeLast(layout, relationship: change.relationship)
        // Who is in both lists moves, and keeps its place among the owners that a member may have.
        let moved = last == nil ? [] : Set(change.removed).intersection(change.added)
        for member in change.removed where !moved.contains(member) {
          try link(links.remove, links.removeInverse, owner, member)
        }
        for member in change.added {
          if let last, moved.contains(member), try link(last, nil, owner, member) { continue }
          let isNew = try link(links.add, links.addInverse, owner, member)
          // The other end may have added the pair already, at a place of its own choice.
          if let last, !isNew { try link(last, nil, owner, member) }
        }
      } else if !change.added.isEmpty {
        try place(change.added, last: owner, layout, change.relationship)
      }
    }
  }

  /// To-one slots say who the members are; the places of those that were added are behind all others.
  private func place(_ added: [RowID], last owner: RowID, _ layout: EntityLayout, _ relationship: Int) throws {
    guard case .inverse(let table, let column, let order?) = store.schema.table(of: layout).toMany[relationship],
      let text = statements.changes.place(layout, relationship: relationship)
    else { return }
    let last = try connection.integer("SELECT MAX(\(order)) FROM \(table) WHERE \(column) = ?", [.integer(owner.key)])
    // 2048 is the first place, 1024 the room between two. Behind the last number there is no other.
    for (index, member) in added.enumerated() {
      let place = (last ?? 1_024).addingCapped(1_024 * Int64(index + 1))
      try connection.run(text, [.integer(owner.key), .integer(permanent(member).key), .integer(place)])
    }
  }

  /// Whether the first statement changed anything.
  @discardableResult
  private func link(_ text: String, _ inverse: String?, _ owner: RowID, _ member: RowID) throws -> Bool {
    var hasChanged = false
    let member = try permanent(member)
    for (index, text) in [text, inverse].compactMap({ $0 }).enumerated() {
      let statement = try connection.statement(text)
      statement.bind(owner.key, at: 1)
      statement.bind(member.key, at: 2)
      try statement.run()
      if index == 0 { hasChanged = connection.changes > 0 }
    }
    return hasChanged
  }
}
