/// The keys that a statement asks for.
package enum KeyPredicate: Hashable, Sendable {
  /// The key in parameter 1.
  case one
  /// As many keys as that, some of which may be NULL.
  case anyOf(Int)
  /// The keys from parameter 1 to parameter 2.
  case range
  /// The key in parameter 1 and all greater ones.
  case from

  /// The case, from 1 on, and the count.
  var code: (kind: Int, count: Int) {
    switch self {
    case .one: (1, 0)
    case .anyOf(let count): (2, count)
    case .range: (3, 0)
    case .from: (4, 0)
    }
  }

  /// The condition about a column of keys.
  func condition(on column: String, in dialect: any SQLDialect) -> String {
    switch self {
    case .one: "\(column) = \(dialect.placeholder(1))"
    case .anyOf(let count): dialect.isMember(column, ofKeys: count)
    case .range: "\(column) BETWEEN \(dialect.placeholder(1)) AND \(dialect.placeholder(2))"
    case .from: "\(column) >= \(dialect.placeholder(1))"
    }
  }
}
