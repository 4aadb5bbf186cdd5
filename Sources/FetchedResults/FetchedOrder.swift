import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataPredicates
import StrataRowStore

/// The values that an object was sorted by when it was positioned; its values may have changed since.
struct SortPosition {
  /// The row with the values; nil if they were copied, because the row may still change.
  let row: Row?
  let values: [PredicateValue]

  init(_ row: Row) { (self.row, values) = (row, []) }

  init(values: [PredicateValue]) { (row, self.values) = (nil, values) }
}

/// The sort order of a fetch, for objects with known sort positions.
struct FetchedOrder {
  let keys: [SortKey]
  private let reversesTies: Bool
  /// The slots of the sort keys; nil if one of them is behind a relationship.
  private let slots: [Int]?

  init(of query: FetchQuery) {
    keys = query.sort
    reversesTies = query.reversesTies
    let slots = keys.compactMap { key in
      key.keyPath.count == 1 ? query.layout.slot(named: key.keyPath[0]) : nil
    }
    let areInRows = slots.count == keys.count && slots.allSatisfy { query.layout.slots[$0].kind != .object }
    self.slots = areInRows ? slots : nil
  }

  /// Returns the current sort position of an object. A row that was read is immutable, so it is referenced; unsaved
  /// values are copied.
  func position(of object: NSManagedObject) -> SortPosition {
    if slots != nil, let row = object.unchangedRow { return SortPosition(row) }
    return SortPosition(values: keys.map { value(of: object, $0) })
  }

  private func value(of object: NSManagedObject, _ key: SortKey) -> PredicateValue {
    do {
      return try PredicateResult.subject(object).sortValue(at: key.keyPath)
    } catch {
      fatalError("Unable to sort by \"\(key.keyPath.joined(separator: "."))\": \(error)")
    }
  }

  /// Whether an object precedes another, by sort position and then by ID.
  func isBefore(_ left: SortPosition, leftID: RowID, _ right: SortPosition, rightID: RowID) -> Bool {
    for index in keys.indices {
      let order = keys[index].order(value(index, of: left), value(index, of: right))
      if order != .orderedSame { return order == .orderedAscending }
    }
    return leftID.comesBefore(rightID, reversed: reversesTies)
  }

  private func value(_ index: Int, of position: SortPosition) -> PredicateValue {
    guard let row = position.row, let slots else { return position.values[index] }
    return row.predicateValue(slots[index])
  }
}
