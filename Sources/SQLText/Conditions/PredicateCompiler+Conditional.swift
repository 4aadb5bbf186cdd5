import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// TERNARY(condition, value, value).
extension PredicateCompiler {
  func conditional(
    _ predicate: PredicateNode, then first: ExpressionNode, else second: ExpressionNode, whole: ExpressionNode,
    in scope: QueryScope
  ) throws -> SQLOperand {
    let condition = try condition(predicate, in: scope)
    let operands = try [first, second].map { try operand($0, in: scope) }
    if condition == constant(true) { return operands[0] }
    if condition == constant(false) { return operands[1] }
    if case .constant(.null) = operands[0], case .constant(.null) = operands[1] { return .constant(.null) }
    let known = operands.filter { if case .constant(.null) = $0 { false } else { true } }
    func chosen(_ texts: [SQLStatement]) -> SQLStatement {
      "CASE WHEN \(condition) THEN \(texts[0]) ELSE \(texts[1]) END"
    }
    if let layout = try commonLayout(of: known) {
      let texts = try operands.map { try keyText($0, in: layout, whole: whole) }
      return .derivedObject(chosen(texts), layout)
    }
    guard let kind = commonKind(of: known) else {
      throw unsupported("the two values of '\(whole)' are not of one kind.")
    }
    return .derived(chosen(try operands.map { try valueText($0, kind: kind, whole: whole) }), kind)
  }

  /// The entity that all objects belong to; nil if the operands are not objects of one hierarchy.
  private func commonLayout(of operands: [SQLOperand]) throws -> EntityLayout? {
    let layouts = operands.compactMap(\.layout)
    guard let first = layouts.first, operands.allSatisfy({ $0.family == .object }) else { return nil }
    guard layouts.allSatisfy({ $0.rootNumber == first.rootNumber }) else { return nil }
    return layouts.dropFirst().reduce(first) { common, layout in
      common.isKind(of: layout) ? layout : common
    }
  }

  private func keyText(_ operand: SQLOperand, in layout: EntityLayout, whole: ExpressionNode) throws -> SQLStatement {
    if let text = operand.text { return text }
    if case .constant(.null) = operand { return "NULL" }
    guard let bound = try binding(constant(operand), comparedWith: .object(key: "", layout), options: []) else {
      throw unsupported("the two values of '\(whole)' are objects of different hierarchies.")
    }
    return bound
  }

  func constant(_ operand: SQLOperand) -> PredicateValue {
    if case .constant(let value) = operand { value } else { .null }
  }

  /// A kind that all values have. Numbers are all decimal or none is, as SQL cannot tell them apart later.
  private func commonKind(of operands: [SQLOperand]) -> SlotKind? {
    let kinds = operands.map(\.slotKind)
    guard let first = kinds.first ?? nil else { return nil }
    let family = ValueFamily(first)
    for kind in kinds {
      guard let kind, ValueFamily(kind) == family, (kind == .decimal) == (first == .decimal) else { return nil }
    }
    return kinds.allSatisfy { $0 == first } ? first : family?.widestKind
  }

  /// The text of a value within a larger expression.
  func valueText(_ operand: SQLOperand, kind: SlotKind, whole: ExpressionNode) throws -> SQLStatement {
    if let text = operand.text { return text }
    guard case .constant(let value) = operand else { throw unsupported("'\(whole)' does not compare single values.") }
    if case .null = value { return "NULL" }
    guard let stored = StoredValue(value, comparedWith: kind == .decimal ? .double : kind) else {
      throw unsupported("'\(whole)' has a constant that is not a number.")
    }
    return bound(stored, kind: kind == .decimal ? .double : kind)
  }
}

extension SQLOperand {
  /// The kind of a single value; nil for objects and collections.
  var slotKind: SlotKind? {
    switch self {
    case .column(_, let kind), .derived(_, let kind): kind
    case .constant(let value): value.slotKind
    default: nil
    }
  }
}

extension PredicateValue {
  var slotKind: SlotKind? {
    switch self {
    case .bool: .boolean
    case .integer: .integer64
    case .real: .double
    case .decimal: .decimal
    case .string: .string
    case .url: .uri
    case .date: .date
    case .data: .data
    case .uuid: .uuid
    case .null, .list, .reference, .row: nil
    }
  }
}
