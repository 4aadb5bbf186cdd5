import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// CONTAINS, BEGINSWITH, ENDSWITH, LIKE, MATCHES.
extension PredicateCompiler {
  func containment(
    _ left: Operand, _ right: Operand, _ options: ComparisonNode.Options, holds: Bool
  ) throws -> SQLStatement {
    switch left {
    case .members(let members):
      return members.exists(holds, where: try equality(members.member, right, options, holds: true))
    case .constant(.list), .list: return try membership(right, left, options, holds: holds)
    default: return try text(left, .contains, right, options, holds: holds)
    }
  }

  func text(
    _ left: Operand, _ comparison: ComparisonNode.Operator, _ right: Operand, _ options: ComparisonNode.Options,
    holds: Bool
  ) throws -> SQLStatement {
    if case .members = left { throw toManyWithoutQuantifier() }
    guard left.family == .text, right.family == .text else { return constant(!holds) }
    if comparison == .like || comparison == .matches {
      return settled(pattern(left, comparison, right, options), holds: holds)
    }
    guard let whole = try side(left, with: right, options), let part = try side(right, with: left, options) else {
      return constant(!holds)
    }
    if case .constant = right, case .text(let constant)? = part.bindings.first {
      return settled(place(of: constant, in: whole, comparison, isPlain: !folds(options)), holds: holds)
    }
    switch comparison {
    case .contains: return settled("instr(\(whole), \(part)) > 0", holds: holds)
    case .beginsWith: return settled("instr(\(whole), \(part)) = 1", holds: holds)
    default:
      let (bytes, end) = (Self.bytes(of: whole), Self.bytes(of: part))
      let isSuffix: SQLStatement = "substr(\(bytes), length(\(bytes)) - length(\(end)) + 1) = \(end)"
      // No bytes have no part, not even an empty one.
      return settled("(\(isSuffix) OR (\(whole) = '' AND \(part) = ''))", holds: holds)
    }
  }

  /// Where a text that is known begins in one that is not.
  private func place(
    of prefix: String, in whole: SQLStatement, _ comparison: ComparisonNode.Operator, isPlain: Bool
  ) -> SQLStatement {
    if prefix.isEmpty { return "\(whole) IS NOT NULL" }
    let part = StoredValue.text(prefix)
    switch comparison {
    case .contains: return "instr(\(whole), \(bind: part)) > 0"
    case .beginsWith:
      guard isPlain, let end = Self.end(ofPrefix: prefix) else { return "instr(\(whole), \(bind: part)) = 1" }
      return "(\(whole) >= \(bind: part) AND \(whole) < \(bind: .text(end)))"
    default:
      let end = StoredValue.blob(Array(prefix.utf8))
      return "substr(\(Self.bytes(of: whole)), -length(\(bind: end))) = \(bind: end)"
    }
  }

  /// A text whose end is looked at: SQLite takes a text to end at its first NUL.
  private static func bytes(of text: SQLStatement) -> SQLStatement { "CAST(\(text) AS BLOB)" }

  /// The least text that is greater than all that begin with a prefix, so that an index can be asked for a range.
  static func end(ofPrefix prefix: String) -> String? {
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

  private func pattern(
    _ left: Operand, _ comparison: ComparisonNode.Operator, _ right: Operand, _ options: ComparisonNode.Options
  ) -> SQLStatement {
    let function = comparison == .like ? "STRATA_LIKE" : "STRATA_MATCHES"
    return "\(function)(\(plain(left)), \(plain(right)), \(foldingNumber(options)))"
  }

  private func plain(_ operand: Operand) -> SQLStatement {
    if case .constant(let value) = operand { return "\(bind: .text(value.text ?? ""))" }
    return operand.text ?? ""
  }
}
