/// How a custom accessor changes a set, as it tells it to `willChangeValue(forKey:withSetMutation:using:)`.
/// See https://developer.apple.com/documentation/foundation/nskeyvaluesetmutationkind
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  /// The objects are added.
  case union = 1
  /// The objects are taken out.
  case minus = 2
  /// All but the objects are taken out.
  case intersect = 3
  /// The objects take the place of all others.
  case set = 4
}
