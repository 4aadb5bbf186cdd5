import StrataManagedModel
import StrataPredicates

/// A row of a view as the subject of an expression; relationships are read on demand.
package struct ViewedRow: PredicateSubject {
  private let row: Row
  private let reader: RowReader

  package init(_ row: Row, _ reader: RowReader) {
    self.row = row
    self.reader = reader
  }

  package func leadsToMany(_ path: ArraySlice<String>) -> Bool { row.layout.leadsToMany(path) }

  package var predicateIdentity: PredicateValue { .row(row.id.bits) }

  package func predicateResult(forKey key: String) -> PredicateResult {
    let layout = row.layout
    if key == "objectID" || key == "self" { return .value(predicateIdentity) }
    if let slot = layout.slot(named: key) {
      guard layout.slots[slot].kind == .toOne else { return row.predicateResult(slot) }
      return reader.result(row.page.reference(row: row.index, slot: slot))
    }
    guard let number = layout.toMany(named: key) else { return layout.predicateResult(forOwnKey: key) }
    return .members(reader.related(to: row.id, number).map(reader.result))
  }
}

/// Reads rows for expressions, caches them, and records errors, because evaluation cannot throw them.
package final class RowReader {
  private let view: any RowView
  private var rows: [RowID: Row] = [:]
  package private(set) var failure: (any Error)?

  package init(_ view: any RowView) { self.view = view }

  /// Keeps rows that are known already.
  package func keep(_ known: [Row]) { for row in known { rows[row.id] = row } }

  func result(_ id: RowID) -> PredicateResult {
    guard id != .none else { return .value(.null) }
    if rows[id] == nil { rows[id] = attempt(orReturn: []) { try view.rows(with: [id]).rows }.first }
    return rows[id].map { .subject(ViewedRow($0, self)) } ?? .value(.row(id.bits))
  }

  func related(to owner: RowID, _ number: Int) -> [RowID] {
    attempt(orReturn: []) { try view.related(to: owner, relationship: number) }
  }

  private func attempt<Result>(orReturn otherwise: Result, question: () throws -> Result) -> Result {
    do { return try question() } catch {
      failure = failure ?? error
      return otherwise
    }
  }
}
