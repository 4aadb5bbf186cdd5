import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// A snapshot of a store, for one query.
final class StoreView: Sendable {
  let contents: StoreContents

  init(_ contents: StoreContents) { self.contents = contents }

  func row(_ id: RowID, of layout: EntityLayout) -> Row? { contents.table(of: layout).row(id.key) }
}

/// A row as the subject of a predicate.
struct StoredRow: PredicateSubject {
  let row: Row
  let view: StoreView

  func leadsToMany(_ path: ArraySlice<String>) -> Bool { row.layout.leadsToMany(path) }

  var predicateIdentity: PredicateValue { .row(row.id.bits) }

  func predicateResult(forKey key: String) -> PredicateResult {
    let layout = row.layout
    if key == "objectID" || key == "self" { return .value(predicateIdentity) }
    if let slot = layout.slot(named: key) {
      guard let relationship = layout.slots[slot].relationship else { return row.predicateResult(slot) }
      let id = row.page.reference(row: row.index, slot: slot)
      return id == .none ? .value(.null) : result(id, relationship: relationship)
    }
    guard let number = layout.toMany(named: key) else { return layout.predicateResult(forOwnKey: key) }
    let relationship = layout.toMany[number].relationship
    let ids = view.contents.links.members(of: ToManyTable.Key(owner: row.id, relationship: number))
    return .members(ids.map { result($0, relationship: relationship) })
  }

  private func result(_ id: RowID, relationship: RelationshipLayout) -> PredicateResult {
    guard let row = view.row(id, of: relationship.destination) else {
      return .subject(MissingRow(id: id))
    }
    return .subject(StoredRow(row: row, view: view))
  }
}

/// A row that a relationship refers to but that was deleted: it is an object, but all its properties are nil.
private struct MissingRow: PredicateSubject {
  let id: RowID

  var predicateIdentity: PredicateValue { .row(id.bits) }

  func predicateResult(forKey key: String) -> PredicateResult { .value(.null) }
}
