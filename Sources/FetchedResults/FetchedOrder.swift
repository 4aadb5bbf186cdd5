import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataPredicates
import StrataRowStore

/// What an object was sorted by when it got its place: since then its values may have become others.
struct SortedPlace {
  /// The row with the values; nil if they are copied, because the row may still change.
  let row: Row?
  let values: [PredicateValue]

  init(_ row: Row) { (self.row, values) = (row, []) }

  init(values: [PredicateValue]) { (row, self.values) = (nil, values) }
}

/// The order of a fetch, for objects whose places are known.
struct FetchedOrder {
  let keys: [SortKey]
  private let reversesTies: Bool
  /// Where the keys lie in a row; nil if one of them lies behind a relationship.
  private let slots: [Int]?

  init(of plan: FetchQuery) {
    keys = plan.sort
    reversesTies = plan.reversesTies
    let slots = keys.compactMap { key in
      key.keyPath.count == 1 ? plan.layout.slot(named: key.keyPath[0]) : nil
    }
    let areInRows = slots.count == keys.count && slots.allSatisfy { plan.layout.slots[$0].kind != .object }
    self.slots = areInRows ? slots : nil
  }

  /// What an object is sorted by now. A row that was read never changes, so it is kept as it is; what is not saved is
  /// copied.
  func place(of object: NSManagedObject) -> SortedPlace {
    if slots != nil, let row = object.unchangedRow { return SortedPlace(row) }
    return SortedPlace(values: keys.map { value(of: object, $0) })
  }

  private func value(of object: NSManagedObject, _ key: SortKey) -> PredicateValue {
    do {
      return try PredicateAnswer.subject(object).sortValue(at: key.keyPath)
    } catch {
      fatalError("Unable to sort by \"\(key.keyPath.joined(separator: "."))\": \(error)")
    }
  }

  /// Whether an object comes before another one, by their places and, if those are equal, by their ids.
  func isBefore(_ left: SortedPlace, _ leftID: RowID, _ right: SortedPlace, _ rightID: RowID) -> Bool {
    for index in keys.indices {
      let order = keys[index].order(value(index, of: left), value(index, of: right))
      if order != .orderedSame { return order == .orderedAscending }
    }
    return leftID.comesBefore(rightID, reversed: reversesTies)
  }

  private func value(_ index: Int, of place: SortedPlace) -> PredicateValue {
    guard let row = place.row, let slots else { return place.values[index] }
    return row.predicateValue(slots[index])
  }
}
