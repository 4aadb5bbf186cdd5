/// A word with a meaning of its own in a format string, whatever its case.
enum PredicateKeyword: String {
  // Reserved: no property's name unless preceded by `#`.
  case and, or, not, any, some, all, none, between, `in`, contains, beginswith, endswith, like, matches
  case truepredicate, falsepredicate, `true`, yes, `false`, no, null, `nil`, anykey
  case evaluatedObject = "self"
  // Contextual: only before a bracket, between expressions or in a subscript. Formatting precedes them with `#` too.
  case cast, fetch, first, function, intersect, last, minus, size, subquery, ternary, union

  /// The keyword that a word spells; nil for any other word.
  init?(spelling word: String) {
    guard word.utf8.count <= Self.maximumLength else { return nil }
    self.init(rawValue: word.lowercased())
  }

  private static let maximumLength = "falsepredicate".utf8.count

  var isContextual: Bool {
    switch self {
    case .cast, .fetch, .first, .function, .intersect, .last, .minus, .size, .subquery, .ternary, .union: true
    default: false
    }
  }
}
