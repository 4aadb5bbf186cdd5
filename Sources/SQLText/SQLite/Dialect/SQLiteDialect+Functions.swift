import StrataManagedModel
import StrataPredicates

/// Texts, numbers and functions. A connection defines the functions that SQLite lacks or evaluates otherwise than
/// memory does; each of their arguments is followed by the raw value of its `SlotKind`.
extension SQLiteDialect {
  /// The name under which a connection defines a function of predicates. One about collections exists twice: as an
  /// aggregate, and with `_OF` after its name for several values of one row.
  package static func functionName(_ function: ExpressionFunction) -> String {
    // Made for every function of every connection: as bytes it costs a twentieth of `replacing`.
    "STRATA_" + String(decoding: function.rawValue.utf8.filter { $0 != UInt8(ascii: ":") }, as: UTF8.self).uppercased()
  }

  package func folded(_ text: SQLStatement, options: ComparisonNode.Options) -> SQLStatement? {
    "STRATA_FOLD(\(text), \(Int(options.folding)))"
  }

  package func compare(
    _ text: SQLStatement, by comparison: ComparisonNode.Operator, with part: TextPart, options: ComparisonNode.Options
  ) -> SQLStatement? {
    switch comparison {
    case .contains: "instr(\(text), \(part.statement)) > 0"
    case .beginsWith: "instr(\(text), \(part.statement)) = 1"
    case .endsWith: hasSuffix(text, suffix: part)
    case .like: "STRATA_LIKE(\(text), \(part.statement), \(Int(options.folding)))"
    case .matches: "STRATA_MATCHES(\(text), \(part.statement), \(Int(options.folding)))"
    default: nil
    }
  }

  /// Compares bytes, as SQLite takes a text to end at its first NUL.
  private func hasSuffix(_ text: SQLStatement, suffix part: TextPart) -> SQLStatement {
    func bytes(_ text: SQLStatement) -> SQLStatement { "CAST(\(text) AS BLOB)" }
    switch part {
    case .constant(let suffix):
      let end = StoredValue.blob(Array(suffix.utf8))
      return "substr(\(bytes(text)), -length(\(bind: end))) = \(bind: end)"
    case .value(let suffix):
      let (whole, end) = (bytes(text), bytes(suffix))
      let isSuffix: SQLStatement = "substr(\(whole), length(\(whole)) - length(\(end)) + 1) = \(end)"
      // `substr` of an empty blob is NULL.
      return "(\(isSuffix) OR (\(text) = '' AND \(suffix) = ''))"
    }
  }

  package func cast(_ number: SQLStatement, to kind: SlotKind) -> SQLStatement {
    kind == .double ? "CAST(\(number) AS REAL)" : "CAST(\(number) AS INTEGER)"
  }

  package func cast(_ value: TypedStatement, toClass type: CastType) -> SQLStatement? {
    "STRATA_CAST(\(value.text), \(Int(value.kind.rawValue)), '\(type.rawValue)')"
  }

  /// SQLite's operators follow the rules of the evaluation.
  package func operation(_ function: ExpressionFunction, on operands: [SQLStatement]) -> SQLStatement? {
    switch function {
    case .add: "(\(operands[0]) + \(operands[1]))"
    case .subtract: "(\(operands[0]) - \(operands[1]))"
    case .multiply: "(\(operands[0]) * \(operands[1]))"
    case .divide: "(\(operands[0]) / \(operands[1]))"
    case .bitwiseAnd: "(\(operands[0]) & \(operands[1]))"
    case .bitwiseOr: "(\(operands[0]) | \(operands[1]))"
    case .leftshift: "(\(operands[0]) << \(operands[1]))"
    case .rightshift: "(\(operands[0]) >> \(operands[1]))"
    case .onesComplement: "(~\(operands[0]))"
    default: nil
    }
  }

  package func call(_ function: ExpressionFunction, on arguments: [TypedStatement]) -> SQLStatement? {
    call(Self.functionName(function), with: arguments)
  }

  package func callOverList(_ function: ExpressionFunction, on members: [TypedStatement]) -> SQLStatement? {
    call(Self.functionName(function) + "_OF", with: members)
  }

  /// Uses SQLite's own functions where they cannot overflow and do not depend on the order of the rows.
  package func aggregate(_ function: ExpressionFunction, of value: TypedStatement) -> SQLStatement? {
    switch function {
    case .min: "MIN(\(value.text))"
    case .max: "MAX(\(value.text))"
    case .sum where value.kind.isSmallInteger: "IFNULL(SUM(\(value.text)), 0)"
    case .average where value.kind.isSmallInteger: "AVG(\(value.text))"
    default: call(Self.functionName(function), with: [value])
    }
  }

  private func call(_ name: String, with arguments: [TypedStatement]) -> SQLStatement {
    let texts = arguments.map { "\($0.text), \(Int($0.kind.rawValue))" as SQLStatement }
    return "\(name)(\(texts.joined(separator: ", ")))"
  }
}
