/// Formats expressions as Apple does.
extension ExpressionNode: CustomStringConvertible {
  package var description: String { text(.exact) }

  package func text(_ style: PredicateTextStyle) -> String {
    switch self {
    case .value(let value): value.text(style)
    case .keyPath(let path): Self.text(of: path)
    case .path(let start, let path): "\(start.postfixed(style)).\(Self.text(of: path))"
    case .evaluatedObject: "SELF"
    case .variable(let name): "$\(name)"
    case .aggregate(let members): "{\(Self.list(members, style: style))}"
    case .function(.cast, let arguments): "CAST(\(Self.list(arguments, style: style)))"
    case .function(.onesComplement, let arguments): "~\(arguments[0].operand(binding: .power, style))"
    case .function(let function, let arguments): Self.text(of: function, arguments: arguments, style: style)
    case .conditional(let condition, let first, let second):
      "TERNARY(\(condition.text(style)), \(first.text(style)), \(second.text(style)))"
    case .subquery(let collection, let variable, let predicate):
      "SUBQUERY(\(collection.text(style)), $\(variable), \(predicate.text(style)))"
    case .setOperation(let operation, let left, let right):
      "\(left.operand(binding: .set, style)) \(operation.rawValue) \(right.operand(binding: .sum, style))"
    case .element(let list, let index): "\(list.postfixed(style))[\(index.text(style))]"
    case .opaque(let opaque): opaque.text
    }
  }

  private static func text(
    of function: ExpressionFunction, arguments: [ExpressionNode], style: PredicateTextStyle
  ) -> String {
    guard let (sign, binding) = function.sign, arguments.count == 2 else {
      return "\(function.rawValue)(\(list(arguments, style: style)))"
    }
    let leftBinding = binding == .power ? .primary : binding
    let rightBinding = binding == .power ? .power : binding.closer
    let left = arguments[0].operand(binding: leftBinding, style)
    return "\(left) \(sign) \(arguments[1].operand(binding: rightBinding, style))"
  }

  private static func list(_ members: [ExpressionNode], style: PredicateTextStyle) -> String {
    members.map { $0.text(style) }.joined(separator: ", ")
  }

  private static func text(of path: [String]) -> String { path.map(escaped).joined(separator: ".") }

  private static func escaped(_ key: String) -> String {
    PredicateKeyword(spelling: key) == nil ? key : "#\(key)"
  }
}

/// Operator precedence.
enum ExpressionBinding: Int {
  case set, disjunction, exclusion, conjunction, shift, sum, product, power, primary

  // No operator asks for more than `primary`.
  var closer: ExpressionBinding { ExpressionBinding(rawValue: rawValue + 1) ?? .primary }
}

extension ExpressionFunction {
  fileprivate var sign: (String, ExpressionBinding)? {
    switch self {
    case .add: ("+", .sum)
    case .subtract: ("-", .sum)
    case .multiply: ("*", .product)
    case .divide: ("/", .product)
    case .raise: ("**", .power)
    case .bitwiseOr: ("|", .disjunction)
    case .bitwiseXor: ("^", .exclusion)
    case .bitwiseAnd: ("&", .conjunction)
    case .leftshift: ("<<", .shift)
    case .rightshift: (">>", .shift)
    default: nil
    }
  }

  /// The function and precedence of an infix operator; nil for `**`, the only right-associative one.
  static func infix(_ sign: String) -> (ExpressionFunction, ExpressionBinding)? {
    for function in infixes {
      if let (own, binding) = function.sign, own == sign { return (function, binding) }
    }
    return nil
  }

  private static let infixes: [ExpressionFunction] = [
    .add, .subtract, .multiply, .divide, .bitwiseOr, .bitwiseXor, .bitwiseAnd, .leftshift, .rightshift,
  ]
}

extension ExpressionNode {
  private var binding: ExpressionBinding {
    switch self {
    case .function(let function, let arguments) where arguments.count == 2: function.sign?.1 ?? .primary
    case .function(.onesComplement, _): .power
    case .setOperation: .set
    case .value(let value) where value.isNegative: .power
    default: .primary
    }
  }

  /// The text as an operand, in brackets if precedence requires them.
  fileprivate func operand(binding wanted: ExpressionBinding, _ style: PredicateTextStyle) -> String {
    binding.rawValue >= wanted.rawValue ? text(style) : "(\(text(style)))"
  }

  /// The text for use before a postfix.
  fileprivate func postfixed(_ style: PredicateTextStyle) -> String {
    switch self {
    case .value(.list): text(style)
    case .value, .opaque: "(\(text(style)))"
    default: operand(binding: .primary, style)
    }
  }
}

extension PredicateValue {
  fileprivate var isNegative: Bool {
    switch self {
    case .integer(let integer): integer < 0
    case .real(let real): real.sign == .minus
    default: false
    }
  }
}
