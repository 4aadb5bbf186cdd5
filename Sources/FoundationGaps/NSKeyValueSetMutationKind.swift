/// The change of a set by a custom accessor, for `willChangeValue(forKey:withSetMutation:using:)`.
///
/// See <https://developer.apple.com/documentation/foundation/nskeyvaluesetmutationkind>
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  /// The objects are added.
  case union = 1
  /// The objects are removed.
  case minus = 2
  /// All other objects are removed.
  case intersect = 3
  /// The objects replace all others.
  case set = 4
}
