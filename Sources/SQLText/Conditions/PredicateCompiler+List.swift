import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// `value IN list`.
extension PredicateCompiler {
  func membership(
    of left: SQLOperand, in right: SQLOperand, options: ComparisonNode.Options, holds: Bool
  ) throws -> SQLStatement {
    switch right {
    case .constant(.null): return constant(!holds)
    case .constant(.list(let values)):
      return try membership(of: left, in: values, options: options, holds: holds)
    case .list(let operands):
      let conditions = try operands.map { try equality(of: left, with: $0, options: options, holds: holds) }
      return joined(conditions, isConjunction: !holds)
    case .members(let members):
      return members.exists(holds, where: try equality(of: members.member, with: left, options: options, holds: true))
    default:
      guard right.family == .text, left.family == .text || left.isNull else {
        throw unsupported("IN needs a list, a to-many key path, or a text for a text on its right side.")
      }
      return try text(right, by: .contains, with: left, options: options, holds: holds)
    }
  }

  private func membership(
    of left: SQLOperand, in values: [PredicateValue], options: ComparisonNode.Options, holds: Bool
  ) throws -> SQLStatement {
    guard let text = left.text else { throw toManyWithoutQuantifier() }
    let bindings = try values.compactMap { try storedValue($0, comparedWith: left, options: options) }
    let holdsNull = values.holdNull
    if bindings.isEmpty, holdsNull { return holds ? "\(text) IS NULL" : "\(text) IS NOT NULL" }
    if bindings.isEmpty { return constant(!holds) }
    let side = try folded(text, of: left, options: options)
    func isMember(_ holds: Bool) throws -> SQLStatement {
      guard let test = dialect.isMember(side, of: bindings, kind: left.boundKind, holds: holds) else {
        throw unsupported(
          "a list of \(bindings.count) members is longer than \(dialect.maximumBindings); fetch in several parts.")
      }
      return test
    }
    guard holdsNull else { return orNegation(try isMember(true), holds: holds) }
    return holds
      ? "(\(try isMember(true)) OR \(text) IS NULL)" : "(\(try isMember(false)) AND \(text) IS NOT NULL)"
  }

  /// The members of a list; nil if the operand is not one.
  func members(of operand: SQLOperand) -> [SQLOperand]? {
    switch operand {
    case .constant(.list(let values)): values.map(SQLOperand.constant)
    case .list(let operands): operands
    default: nil
    }
  }
}

extension SQLOperand {
  fileprivate var isNull: Bool { if case .constant(.null) = self { true } else { false } }
}

extension [PredicateValue] {
  var holdNull: Bool {
    for value in self { if case .null = value { return true } }
    return false
  }
}
