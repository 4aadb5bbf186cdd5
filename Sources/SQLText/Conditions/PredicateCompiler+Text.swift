import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// CONTAINS, BEGINSWITH, ENDSWITH, LIKE, MATCHES.
extension PredicateCompiler {
  func containment(
    of part: SQLOperand, in whole: SQLOperand, options: ComparisonNode.Options, holds: Bool
  ) throws -> SQLStatement {
    switch whole {
    case .members(let members):
      return members.exists(holds, where: try equality(of: members.member, with: part, options: options, holds: true))
    case .constant(.list), .list: return try membership(of: part, in: whole, options: options, holds: holds)
    default: return try text(whole, by: .contains, with: part, options: options, holds: holds)
    }
  }

  func text(
    _ left: SQLOperand, by comparison: ComparisonNode.Operator, with right: SQLOperand, options: ComparisonNode.Options,
    holds: Bool
  ) throws -> SQLStatement {
    if case .members = left { throw toManyWithoutQuantifier() }
    guard left.family == .text, right.family == .text else { return constant(!holds) }
    let whole: SQLStatement
    let part: TextPart
    if comparison == .like || comparison == .matches {
      (whole, part) = (self.part(left).statement, self.part(right))
    } else {
      guard let first = try side(left, with: right, options: options),
        let second = try side(right, with: left, options: options)
      else { return constant(!holds) }
      whole = first
      if case .constant = right, case .text(let text)? = second.bindings.first {
        if let short = plainTest(whole, by: comparison, with: text, options: options) {
          return orNegation(short, holds: holds)
        }
        part = .constant(text)
      } else {
        part = .value(second)
      }
    }
    let test = dialect.compare(whole, by: comparison, with: part, options: options)
    return orNegation(
      try supported(test, what: "\(comparison) for texts\(options.folds ? " with options" : "")"), holds: holds)
  }

  /// A test without text functions: every text contains the empty one, and a prefix is a range that an index finds. nil
  /// for other tests.
  private func plainTest(
    _ whole: SQLStatement, by comparison: ComparisonNode.Operator, with part: String, options: ComparisonNode.Options
  ) -> SQLStatement? {
    if part.isEmpty { return "\(whole) IS NOT NULL" }
    guard comparison == .beginsWith, !options.folds, let end = Self.upperBound(ofPrefix: part) else { return nil }
    return "(\(whole) >= \(bind: .text(part)) AND \(whole) < \(bind: .text(end)))"
  }

  /// The least text that is greater than all texts with a prefix, in the order of bytes.
  static func upperBound(ofPrefix prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      scalars.append(scalar)
      var end = String.UnicodeScalarView()
      end.append(contentsOf: scalars)
      return String(end)
    }
    return nil
  }

  /// A side of LIKE or MATCHES, which fold on their own.
  private func part(_ operand: SQLOperand) -> TextPart {
    if case .constant(let value) = operand { return .constant(value.text ?? "") }
    return .value(operand.text ?? "")
  }
}
