import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Equality and order.
extension PredicateCompiler {
  func equality(
    of left: SQLOperand, with right: SQLOperand, options: ComparisonNode.Options, holds: Bool
  ) throws -> SQLStatement {
    if case .constant(let value) = left {
      guard case .constant(let other) = right else {
        return try equality(of: right, with: left, options: options, holds: holds)
      }
      return constant(try evaluated(value, by: .equal, with: other, options: options) == holds)
    }
    guard let text = left.text else { throw toManyWithoutQuantifier() }
    if case .constant(.null) = right { return holds ? "\(text) IS NULL" : "\(text) IS NOT NULL" }
    if case .constant(let value) = right {
      guard let bound = try binding(value, comparedWith: left, options: options) else { return constant(!holds) }
      let side = try folded(text, of: left, options: options)
      return holds ? "\(side) = \(bound)" : dialect.isSame(side, as: bound, holds: false)
    }
    guard let other = right.text else { throw toManyWithoutQuantifier() }
    guard left.family == right.family, !left.isObject(ofOtherTableThan: right) else {
      return "\(holds ? "" : "NOT ")(\(text) IS NULL AND \(other) IS NULL)"
    }
    return dialect.isSame(
      try folded(text, of: left, options: options), as: try folded(other, of: right, options: options), holds: holds)
  }

  func order(
    of left: SQLOperand, by sign: String, with right: SQLOperand, options: ComparisonNode.Options, holds: Bool
  ) throws -> SQLStatement {
    guard let first = try side(left, with: right, options: options),
      let second = try side(right, with: left, options: options), left.family == right.family, left.family != .object
    else { return constant(!holds) }
    return orNegation("\(first) \(sign) \(second)", holds: holds)
  }

  func between(
    _ left: SQLOperand, bounds right: SQLOperand, options: ComparisonNode.Options, holds: Bool
  ) throws -> SQLStatement {
    if case .constant(.null) = right { return constant(!holds) }
    let bounds = members(of: right)
    guard let bounds, bounds.count == 2 else { throw unsupported("BETWEEN needs a list of two on its right side.") }
    if case .constant(let value) = left { return try between(value, bounds: bounds, options: options, holds: holds) }
    guard let value = try side(left, with: bounds[0], options: options),
      let lowest = try side(bounds[0], with: left, options: options),
      let highest = try side(bounds[1], with: left, options: options), left.family == bounds[0].family,
      left.family == bounds[1].family, left.family != .object
    else { return constant(!holds) }
    return orNegation("\(value) BETWEEN \(lowest) AND \(highest)", holds: holds)
  }

  /// BETWEEN with a constant on the left.
  private func between(
    _ value: PredicateValue, bounds: [SQLOperand], options: ComparisonNode.Options, holds: Bool
  ) throws -> SQLStatement {
    let conditions = try zip([">=", "<="], bounds).map { sign, bound in
      if case .constant(let other) = bound {
        let comparison: ComparisonNode.Operator = sign == ">=" ? .greaterOrEqual : .lessOrEqual
        return constant(try evaluated(value, by: comparison, with: other, options: options) == holds)
      }
      return try order(of: .constant(value), by: sign, with: bound, options: options, holds: holds)
    }
    return joined(conditions, isConjunction: holds)
  }

  /// The text of a side, with a constant bound as the other side's kind; nil if the two cannot be compared.
  func side(
    _ operand: SQLOperand, with other: SQLOperand, options: ComparisonNode.Options
  ) throws -> SQLStatement? {
    if case .constant(let value) = operand { return try binding(value, comparedWith: other, options: options) }
    guard let text = operand.text else { throw toManyWithoutQuantifier() }
    return try folded(text, of: operand, options: options)
  }

  /// A constant's placeholder and value; nil if nothing on the other side can equal it.
  func binding(
    _ value: PredicateValue, comparedWith operand: SQLOperand, options: ComparisonNode.Options
  ) throws -> SQLStatement? {
    try storedValue(value, comparedWith: operand, options: options).map { bound($0, kind: operand.boundKind) }
  }

  func bound(_ value: StoredValue, kind: SlotKind) -> SQLStatement {
    SQLStatement(dialect.placeholder(of: kind), [value])
  }

  func storedValue(
    _ value: PredicateValue, comparedWith operand: SQLOperand, options: ComparisonNode.Options
  ) throws -> StoredValue? {
    switch operand {
    case .object(_, let layout), .derivedObject(_, let layout): return try key(of: value, in: layout)
    case .column, .derived:
      let kind = operand.boundKind
      guard let stored = storedValue(value, ofKind: kind, options: options) else { return nil }
      guard let comparable = dialect.comparable(stored, with: kind) else {
        throw unsupported("the engine compares \(value) with other numbers only approximately; filter in memory.")
      }
      return comparable
    case .constant: return value.text.map { .text(PredicateText.folded($0, options: options)) }
    case .list, .members: return nil
    }
  }

  func storedValue(
    _ value: PredicateValue, ofKind kind: SlotKind, options: ComparisonNode.Options
  ) -> StoredValue? {
    guard let text = value.text, options.folds else { return StoredValue(value, comparedWith: kind) }
    return StoredValue(.string(PredicateText.folded(text, options: options)), comparedWith: kind)
  }

  /// The key of a row; nil if it belongs to another store or table.
  private func key(of value: PredicateValue, in layout: EntityLayout) throws -> StoredValue? {
    switch value {
    case .row(let bits):
      let id = RowID(bits: bits)
      guard id.store == store || store == 0 || id.store == 0,
        schema.model.layouts.indices.contains(id.entity - 1),
        schema.model.layout(number: id.entity).rootNumber == layout.rootNumber
      else { return nil }
      return .integer(id.key)
    case .reference: throw unsupported("an object in the predicate has no row yet.")
    default: return nil
    }
  }

  /// A text folded by the options.
  func folded(_ text: SQLStatement, of operand: SQLOperand, options: ComparisonNode.Options) throws -> SQLStatement {
    guard operand.family == .text, options.folds else { return text }
    return try supported(dialect.folded(text, options: options), what: "comparison of texts with options")
  }

  func orderTerm(_ text: SQLStatement, by comparison: SortComparison, isAscending: Bool) throws -> SQLStatement {
    try supported(
      dialect.orderTerm(text, by: comparison, isAscending: isAscending), what: "text order '\(comparison)'")
  }

  /// A comparison of two constants.
  func evaluated(
    _ left: PredicateValue, by comparison: ComparisonNode.Operator, with right: PredicateValue,
    options: ComparisonNode.Options
  ) throws -> Bool {
    let node = PredicateNode.comparison(ComparisonNode(.value(left), comparison, .value(right), options: options))
    do { return try node.evaluate(on: .value(.null)) } catch {
      throw StoreError(.unsupported, "The fetch compares two constants: \(error)", cause: error)
    }
  }
}

extension SQLOperand {
  /// The kind as which a constant on the other side is bound. A decimal column is compared with texts, but what is
  /// computed from it with numbers.
  var boundKind: SlotKind {
    switch self {
    case .column(_, let kind): kind
    case .derived(_, let kind): kind == .decimal ? .double : kind
    case .object, .derivedObject: .toOne
    case .constant(let value): value.slotKind ?? .string
    case .list, .members: .string
    }
  }
}

extension ComparisonNode.Options {
  /// Whether texts are folded before they are compared.
  package var folds: Bool { folding != 0 }

  /// The options that fold. Built from raw values, as an option-set literal would cost a thousand instructions each
  /// time.
  package var folding: RawValue {
    rawValue & (Self.caseInsensitive.rawValue | Self.diacriticInsensitive.rawValue)
  }
}
