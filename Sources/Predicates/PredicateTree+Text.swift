import Foundation

/// TREE -> TEXT. The text parses back to the same tree, unless it holds an object, which has no text.
extension PredicateNode: CustomStringConvertible {
  package var description: String {
    switch self {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): comparison.description
    case .and(let nodes): nodes.isEmpty ? "TRUEPREDICATE" : Self.joined(nodes, by: " AND ")
    case .or(let nodes): nodes.isEmpty ? "FALSEPREDICATE" : Self.joined(nodes, by: " OR ")
    case .not(let node): "NOT " + node.operand
    }
  }

  private static func joined(_ nodes: [PredicateNode], by word: String) -> String {
    nodes.map(\.operand).joined(separator: word)
  }

  private var operand: String {
    switch self {
    case .and(let nodes), .or(let nodes): nodes.isEmpty ? description : "(\(description))"
    default: description
    }
  }
}

extension ComparisonNode: CustomStringConvertible {
  package var description: String {
    let quantifierText =
      switch quantifier {
      case .one: ""
      case .any: "ANY "
      case .all: "ALL "
      }
    return "\(quantifierText)\(left) \(comparison.text)\(options) \(right)"
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
  /// The operator as it is written in a format string.
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

extension ElementIndex: CustomStringConvertible {
  package var description: String {
    switch self {
    case .first: "FIRST"
    case .last: "LAST"
    case .size: "SIZE"
    case .at(let index): index.description
    }
  }
}

extension PredicateValue: CustomStringConvertible {
  package var description: String {
    switch self {
    case .null: "NULL"
    case .bool(let flag): flag ? "TRUE" : "FALSE"
    case .integer(let integer): String(integer)
    case .real(let real): real.isFinite ? String(real) : "CAST(\"\(real)\", \"NSNumber\")"
    case .decimal(let decimal): "CAST(\"\(decimal)\", \"NSDecimalNumber\")"
    case .string(let string): Self.quoted(string)
    case .date(let date): "CAST(\(date.timeIntervalSinceReferenceDate), \"NSDate\")"
    case .data(let data): "CAST(\"\(data.base64EncodedString())\", \"NSData\")"
    case .uuid(let uuid): "CAST(\"\(uuid.uuidString)\", \"NSUUID\")"
    case .url(let url): "CAST(\(Self.quoted(url.absoluteString)), \"NSURL\")"
    case .list(let values): "{\(values.map(\.description).joined(separator: ", "))}"
    case .reference(let reference): "<\(reference.object)>"
    case .row(let bits): "<row \(bits)>"
    }
  }

  private static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0": text += "\\0"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
