import Foundation
import StrataPredicates

/// The order shared by fetches, unsaved objects and live lists.
extension SortKey {
  /// Compares two values in the direction of the sort key.
  package func order(_ left: PredicateValue, _ right: PredicateValue) -> ComparisonResult {
    let order = PredicateValue.order(left, right, by: comparison)
    return isAscending ? order : PredicateValue.reversed(order)
  }
}

extension FetchQuery {
  /// The order of rows whose values of the sort keys are given, as indexes.
  /// - Parameter values: for each row, in key order, its value for each sort key.
  package func order(of values: [[PredicateValue]]) -> [Int] {
    let reversesTies = reversesTies
    return values.indices.sorted { left, right in
      for (index, key) in sort.enumerated() {
        switch key.order(values[left][index], values[right][index]) {
        case .orderedSame: continue
        case .orderedAscending: return true
        case .orderedDescending: return false
        }
      }
      return reversesTies ? left > right : left < right
    }
  }
}

extension RowID {
  /// The order of rows that are equal in every sort key: by row key, new rows last in order of creation; all reversed
  /// if `reversed`.
  package func comesBefore(_ other: RowID, reversed: Bool) -> Bool {
    if reversed { return other.comesBefore(self, reversed: false) }
    if isTemporary != other.isTemporary { return other.isTemporary }
    return isTemporary ? key > other.key : key < other.key
  }
}
