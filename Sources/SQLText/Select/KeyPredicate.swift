/// Which keys a statement asks for.
package enum KeyPredicate: Hashable, Sendable {
  /// The key `?1`.
  case one
  /// As many keys as there are placeholders.
  case anyOf(Int)
  /// The keys from `?1` to `?2`.
  case range
  /// The key `?1` and all greater ones.
  case from

  var text: String {
    switch self {
    case .one: "= ?1"
    case .anyOf(let count): "IN (\(repeatElement("?", count: count).joined(separator: ", ")))"
    case .range: "BETWEEN ?1 AND ?2"
    case .from: ">= ?1"
    }
  }
}
