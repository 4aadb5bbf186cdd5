import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Equality and order.
extension PredicateCompiler {
  func equality(
    _ left: Operand, _ right: Operand, _ options: ComparisonNode.Options, holds: Bool
  ) throws -> SQLStatement {
    if case .constant(let value) = left {
      guard case .constant(let other) = right else { return try equality(right, left, options, holds: holds) }
      return constant(try evaluated(value, .equal, other, options) == holds)
    }
    guard let text = left.text else { throw toManyWithoutQuantifier() }
    if case .constant(.null) = right { return holds ? "\(text) IS NULL" : "\(text) IS NOT NULL" }
    if case .constant(let value) = right {
      guard let bound = try binding(value, with: left, options) else { return constant(!holds) }
      return "\(folded(text, left, options)) \(holds ? "=" : dialect.notSame) \(bound)"
    }
    guard let other = right.text else { throw toManyWithoutQuantifier() }
    guard left.family == right.family, !left.isObject(ofOtherTableThan: right) else {
      return "\(holds ? "" : "NOT ")(\(text) IS NULL AND \(other) IS NULL)"
    }
    let sign = holds ? dialect.same : dialect.notSame
    return "\(folded(text, left, options)) \(sign) \(folded(other, right, options))"
  }

  func order(
    _ left: Operand, _ sign: String, _ right: Operand, _ options: ComparisonNode.Options, holds: Bool
  ) throws -> SQLStatement {
    guard let first = try side(left, with: right, options), let second = try side(right, with: left, options),
      left.family == right.family, left.family != .object
    else { return constant(!holds) }
    return settled("\(first) \(sign) \(second)", holds: holds)
  }

  func range(
    _ left: Operand, _ right: Operand, _ options: ComparisonNode.Options, holds: Bool
  ) throws -> SQLStatement {
    if case .constant(.null) = right { return constant(!holds) }
    let bounds = members(of: right)
    guard let bounds, bounds.count == 2 else { throw unsupported("BETWEEN needs a list of two on its right side.") }
    if case .constant(let value) = left { return try range(value, bounds, options, holds: holds) }
    guard let value = try side(left, with: bounds[0], options),
      let lowest = try side(bounds[0], with: left, options), let highest = try side(bounds[1], with: left, options),
      left.family == bounds[0].family, left.family == bounds[1].family, left.family != .object
    else { return constant(!holds) }
    return settled("\(value) BETWEEN \(lowest) AND \(highest)", holds: holds)
  }

  /// A constant between bounds that are not all constant.
  private func range(
    _ value: PredicateValue, _ bounds: [Operand], _ options: ComparisonNode.Options, holds: Bool
  ) throws -> SQLStatement {
    let conditions = try zip([">=", "<="], bounds).map { sign, bound in
      if case .constant(let other) = bound {
        let comparison: ComparisonNode.Operator = sign == ">=" ? .greaterOrEqual : .lessOrEqual
        return constant(try evaluated(value, comparison, other, options) == holds)
      }
      return try order(.constant(value), sign, bound, options, holds: holds)
    }
    return joined(conditions[...], holds ? " AND " : " OR ")
  }

  /// A side's text, constants as bindings of the other side's kind; nil if it cannot be compared with the other.
  func side(
    _ operand: Operand, with other: Operand, _ options: ComparisonNode.Options
  ) throws -> SQLStatement? {
    if case .constant(let value) = operand { return try binding(value, with: other, options) }
    guard let text = operand.text else { throw toManyWithoutQuantifier() }
    return folded(text, operand, options)
  }

  /// A constant's placeholder; nil if nothing on the other side can equal it.
  func binding(
    _ value: PredicateValue, with operand: Operand, _ options: ComparisonNode.Options
  ) throws -> SQLStatement? {
    try storedValue(value, with: operand, options).map { SQLStatement("?", [$0]) }
  }

  func storedValue(
    _ value: PredicateValue, with operand: Operand, _ options: ComparisonNode.Options
  ) throws -> StoredValue? {
    switch operand {
    case .object(_, let layout), .derivedObject(_, let layout): return try key(of: value, in: layout)
    case .column(_, let kind): return storedValue(value, comparedWith: kind, options)
    // The numbers of a decimal column are made of texts; what is worked out from them is not.
    case .derived(_, let kind): return storedValue(value, comparedWith: kind == .decimal ? .double : kind, options)
    case .constant: return value.text.map { .text(PredicateText.folded($0, options)) }
    case .list, .members: return nil
    }
  }

  func storedValue(
    _ value: PredicateValue, comparedWith kind: SlotKind, _ options: ComparisonNode.Options
  ) -> StoredValue? {
    guard let text = value.text, folds(options) else { return StoredValue(value, comparedWith: kind) }
    return StoredValue(.string(PredicateText.folded(text, options)), comparedWith: kind)
  }

  /// The key of a row that is of this store and of an entity of the same table.
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

  func folds(_ options: ComparisonNode.Options) -> Bool { foldingNumber(options) != 0 }

  /// The options as the engine's text functions take them.
  func foldingNumber(_ options: ComparisonNode.Options) -> Int {
    // A set that is made of a list costs a thousand instructions, each time.
    Int(
      options.rawValue
        & (ComparisonNode.Options.caseInsensitive.rawValue | ComparisonNode.Options.diacriticInsensitive.rawValue))
  }

  /// A column's text as the options look at it.
  func folded(_ text: SQLStatement, _ operand: Operand, _ options: ComparisonNode.Options) -> SQLStatement {
    guard operand.family == .text, folds(options) else { return text }
    return "STRATA_FOLD(\(text), \(foldingNumber(options)))"
  }

  /// Two constants.
  func evaluated(
    _ left: PredicateValue, _ comparison: ComparisonNode.Operator, _ right: PredicateValue,
    _ options: ComparisonNode.Options
  ) throws -> Bool {
    let node = PredicateNode.comparison(ComparisonNode(.value(left), comparison, .value(right), options: options))
    do { return try node.evaluate(on: .value(.null)) } catch {
      throw StoreError(.unsupported, "The fetch compares two constants: \(error)", cause: error)
    }
  }
}
