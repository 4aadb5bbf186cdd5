/// The format of a tree's text.
package enum PredicateTextStyle {
  /// Parses back to the same tree, unless it contains an object, which has no text form.
  case exact
  /// As in Apple's `predicateFormat`: booleans are 1 or 0; numbers and IDs are written plainly, whatever their kind.
  case format
}

/// Formats predicates.
extension PredicateNode: CustomStringConvertible {
  package var description: String { text(.exact) }

  package func text(_ style: PredicateTextStyle) -> String {
    switch self {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): comparison.text(style)
    case .and(let nodes): nodes.isEmpty ? "TRUEPREDICATE" : Self.joined(nodes, by: " AND ", style: style)
    case .or(let nodes): nodes.isEmpty ? "FALSEPREDICATE" : Self.joined(nodes, by: " OR ", style: style)
    case .not(let node): "NOT " + node.operand(style)
    }
  }

  private static func joined(_ nodes: [PredicateNode], by word: String, style: PredicateTextStyle) -> String {
    nodes.map { $0.operand(style) }.joined(separator: word)
  }

  private func operand(_ style: PredicateTextStyle) -> String {
    switch self {
    case .and(let nodes), .or(let nodes): nodes.isEmpty ? text(style) : "(\(text(style)))"
    case .not where style == .format: "(\(text(style)))"
    default: text(style)
    }
  }
}

extension ComparisonNode: CustomStringConvertible {
  package var description: String { text(.exact) }

  package func text(_ style: PredicateTextStyle) -> String {
    let quantifierText =
      switch quantifier {
      case .one: ""
      case .any: "ANY "
      case .all: "ALL "
      }
    return "\(quantifierText)\(left.text(style)) \(comparison.text)\(options) \(right.text(style))"
  }
}

extension ComparisonNode.Options: CustomStringConvertible {
  package var description: String {
    guard !isEmpty else { return "" }
    let letters = [
      contains(.caseInsensitive) ? "c" : "", contains(.diacriticInsensitive) ? "d" : "",
      contains(.normalized) ? "n" : "",
    ]
    return "[\(letters.joined())]"
  }
}

extension ComparisonNode.Operator {
  /// The operator's spelling in a format string.
  package var text: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .between: "BETWEEN"
    case .in: "IN"
    case .contains: "CONTAINS"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .like: "LIKE"
    case .matches: "MATCHES"
    }
  }
}

extension ElementIndex {
  func text(_ style: PredicateTextStyle) -> String {
    switch self {
    case .first: "FIRST"
    case .last: "LAST"
    case .size: "SIZE"
    case .at(let index): index.text(style)
    }
  }
}
