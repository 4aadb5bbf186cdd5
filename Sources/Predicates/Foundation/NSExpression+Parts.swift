import Foundation

/// The parts of an expression. Reading a part that this kind of expression does not have stops the program.
extension NSCopying where Self: NSExpression {
  /// The kind of expression. Reading a part below that this kind does not have stops the program.
  public var expressionType: _ExpressionTypeName.Named {
    if (self as? TreeExpression)?.constant != nil { return .constantValue }
    switch requiredNode {
    case .value(.list), .aggregate: return .aggregate
    case .value: return .constantValue
    case .keyPath: return .keyPath
    case .evaluatedObject: return .evaluatedObject
    case .variable: return .variable
    case .path, .function, .element: return .function
    case .conditional: return .conditional
    case .subquery: return .subquery
    case .setOperation(.union, _, _): return .unionSet
    case .setOperation(.intersect, _, _): return .intersectSet
    case .setOperation(.minus, _, _): return .minusSet
    case .opaque(let opaque) where opaque.source is ExpressionMessage: return .function
    case .opaque(let opaque): return opaque.source is AnyKey ? .anyKey : .block
    }
  }

  /// The value of a constant.
  public var constantValue: Any? {
    if let constant = (self as? TreeExpression)?.constant { return constant }
    guard case .value(let value) = requiredNode else { missing("constant value") }
    return PredicateResult.value(value).plain
  }

  /// The key path.
  public var keyPath: String {
    guard case .keyPath(let path) = requiredNode else { missing("key path") }
    return path.joined(separator: ".")
  }

  /// The name of the function.
  public var function: String {
    guard let parts = requiredNode.functionParts else { missing("function") }
    return parts.name
  }

  /// The name of the variable.
  public var variable: String {
    switch requiredNode {
    case .variable(let name), .subquery(_, let name, _): return name
    default: missing("variable")
    }
  }

  /// The receiver of a message.
  public var operand: NSExpression {
    guard let parts = requiredNode.functionParts else { missing("operand") }
    return .expression(with: parts.operand ?? .value(.null))
  }

  /// The arguments of a function or a block.
  public var arguments: [NSExpression]? {
    if case .opaque(let opaque) = requiredNode, !(opaque.source is ExpressionMessage) {
      return opaque.arguments.map { .expression(with: $0) }
    }
    guard let parts = requiredNode.functionParts else { missing("arguments") }
    return parts.arguments.map { .expression(with: $0) }
  }

  /// The members of an aggregate as expressions, or the collection of a subquery as one.
  public var collection: Any {
    switch requiredNode {
    case .aggregate(let members): return members.map { NSExpression.expression(with: $0) }
    case .value(.list(let values)): return values.map { NSExpression.expression(with: .value($0)) }
    case .subquery(let collection, _, _): return NSExpression.expression(with: collection)
    default: missing("collection")
    }
  }

  /// The predicate of a subquery or a conditional expression.
  public var predicate: NSPredicate {
    switch requiredNode {
    case .subquery(_, _, let predicate), .conditional(let predicate, _, _): return .predicate(with: predicate)
    default: missing("predicate")
    }
  }

  /// The left side of a set expression.
  public var left: NSExpression {
    guard case .setOperation(_, let left, _) = requiredNode else { missing("left side") }
    return .expression(with: left)
  }

  /// The right side of a set expression.
  public var right: NSExpression {
    guard case .setOperation(_, _, let right) = requiredNode else { missing("right side") }
    return .expression(with: right)
  }

  /// The value of a conditional expression if its predicate holds.
  public var `true`: NSExpression {
    guard case .conditional(_, let first, _) = requiredNode else { missing("true expression") }
    return .expression(with: first)
  }

  /// The value of a conditional expression if its predicate does not hold.
  public var `false`: NSExpression {
    guard case .conditional(_, _, let second) = requiredNode else { missing("false expression") }
    return .expression(with: second)
  }

  /// The block.
  public var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any {
    guard case .opaque(let opaque) = requiredNode, let source = opaque.source as? ExpressionBlock else {
      missing("block")
    }
    return source.block
  }

  private func missing(_ part: String) -> Never {
    fatalError("The expression \(requiredNode) has no \(part).")
  }
}

extension ExpressionNode {
  /// The expression as a function: its name, the receiver if it is a message, and its arguments.
  fileprivate var functionParts: (name: String, operand: ExpressionNode?, arguments: [ExpressionNode])? {
    switch self {
    case .function(let function, let arguments): (function.rawValue, nil, arguments)
    case .path(let start, let path): ("valueForKeyPath:", start, [.keyPath(path)])
    case .element(let list, let index): ("objectFrom:withIndex:", nil, [list, index.node])
    case .opaque(let opaque):
      (opaque.source as? ExpressionMessage).map { ($0.name, opaque.arguments[0], Array(opaque.arguments.dropFirst())) }
    default: nil
    }
  }
}
