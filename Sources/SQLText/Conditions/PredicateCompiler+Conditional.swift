import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// TERNARY.
extension PredicateCompiler {
  func conditional(
    _ predicate: PredicateNode, _ first: ExpressionNode, _ second: ExpressionNode, _ whole: ExpressionNode,
    in scope: QueryScope
  ) throws -> Operand {
    let condition = try condition(predicate, in: scope)
    let operands = try [first, second].map { try operand($0, in: scope) }
    if condition.text == dialect.truth { return operands[0] }
    if condition.text == dialect.falsehood { return operands[1] }
    if case .constant(.null) = operands[0], case .constant(.null) = operands[1] { return .constant(.null) }
    let known = operands.filter { if case .constant(.null) = $0 { false } else { true } }
    func chosen(_ texts: [SQLStatement]) -> SQLStatement {
      "CASE WHEN \(condition) THEN \(texts[0]) ELSE \(texts[1]) END"
    }
    if let layout = try commonLayout(of: known) {
      let texts = try operands.map { try keyText($0, layout, whole) }
      return .derivedObject(chosen(texts), layout)
    }
    guard let kind = commonKind(of: known) else {
      throw unsupported("the two values of '\(whole)' are not of one kind.")
    }
    return .derived(chosen(try operands.map { try valueText($0, kind, whole) }), kind)
  }

  /// The entity that holds all objects; nil if the operands are no objects.
  private func commonLayout(of operands: [Operand]) throws -> EntityLayout? {
    let layouts = operands.compactMap(\.layout)
    guard let first = layouts.first, operands.allSatisfy({ $0.family == .object }) else { return nil }
    guard layouts.allSatisfy({ $0.rootNumber == first.rootNumber }) else { return nil }
    return layouts.dropFirst().reduce(first) { common, layout in
      common.entity.isKindOf(entity: layout.entity) ? layout : common
    }
  }

  private func keyText(_ operand: Operand, _ layout: EntityLayout, _ whole: ExpressionNode) throws -> SQLStatement {
    if let text = operand.text { return text }
    if case .constant(.null) = operand { return "NULL" }
    guard let bound = try binding(constant(operand), with: .object(key: "", layout), []) else {
      throw unsupported("the two values of '\(whole)' are objects of different hierarchies.")
    }
    return bound
  }

  func constant(_ operand: Operand) -> PredicateValue {
    if case .constant(let value) = operand { value } else { .null }
  }

  /// A kind that all values have: of numbers either all are decimal or none is, as SQL cannot tell them apart later.
  private func commonKind(of operands: [Operand]) -> SlotKind? {
    let kinds = operands.map(\.slotKind)
    guard let first = kinds.first ?? nil else { return nil }
    let family = ValueFamily(first)
    for kind in kinds {
      guard let kind, ValueFamily(kind) == family, (kind == .decimal) == (first == .decimal) else { return nil }
    }
    return kinds.allSatisfy { $0 == first } ? first : family?.widestKind
  }

  /// The text of a value that goes into further expressions.
  func valueText(_ operand: Operand, _ kind: SlotKind, _ whole: ExpressionNode) throws -> SQLStatement {
    if let text = operand.text { return text }
    guard case .constant(let value) = operand else { throw unsupported("'\(whole)' is not about single values.") }
    if case .null = value { return "NULL" }
    guard let stored = StoredValue(value, comparedWith: kind == .decimal ? .double : kind) else {
      throw unsupported("'\(whole)' is about a number that is none.")
    }
    return "\(bind: stored)"
  }
}

extension Operand {
  /// The kind of a single value that is no object; nil for others.
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
