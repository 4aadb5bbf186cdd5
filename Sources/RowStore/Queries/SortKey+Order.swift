import Foundation
import StrataPredicates

/// The one order of fetches, of what is not saved, and of lists that are kept up to date.
extension SortKey {
  /// How two values stand to each other in the direction of the key.
  package func order(_ left: PredicateValue, _ right: PredicateValue) -> ComparisonResult {
    let order = PredicateValue.order(left, right, by: comparison)
    return isAscending ? order : PredicateValue.reversed(order)
  }
}

extension RowID {
  /// The order of rows that are equal in every sort key: by their keys, new ones last and in the order in which they
  /// were made; or all that reversed.
  package func comesBefore(_ other: RowID, reversed: Bool) -> Bool {
    if reversed { return other.comesBefore(self, reversed: false) }
    if isTemporary != other.isTemporary { return other.isTemporary }
    return isTemporary ? key > other.key : key < other.key
  }
}
