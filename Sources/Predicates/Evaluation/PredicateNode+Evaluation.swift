import Foundation

/// Evaluates predicates in memory.
///
/// These are the rules, which SQL generated from the same tree must follow:
///
/// (1) Two-valued logic: every comparison is true or false, also with nil; NOT inverts it.
/// (2) `a == b` is true if both are nil or both are equal. `a != b` is NOT `a == b`, so it is true for nil and a value.
/// (3) `<`, `<=`, `>`, `>=`, BETWEEN, CONTAINS, BEGINSWITH, ENDSWITH, LIKE and MATCHES are false if a side (or a bound)
///     is nil.
/// (4) `a IN list` is true if (2) holds for a member of the list, so a nil `a` is only in a list that contains nil.
///     A nil list is empty. If the right side is text, IN tests for a substring, as CONTAINS does.
/// (5) Kinds: number (booleans are 0 and 1; integer, real and decimal numbers), text (strings, and URLs by their
/// absolute
///     string), date, data, UUID, object. A transformable attribute compares as its stored data for equality with data,
///     and as its transformed value for everything else. Values of different kinds are unequal and unordered.
/// (6) Numbers compare by value across all widths; an integer is not rounded for comparison with a real. A decimal
///     is compared with a real as a real. NaN equals nothing and is unordered.
/// (7) Text compares by UTF-8 bytes, so the two normalizations of `"é"` differ. `[d]` removes diacritics (Foundation's
///     `diacriticInsensitive` folding without a locale), then `[c]` converts to lower case (Unicode's mapping, no
///   locale),
///     on both sides and for every operator; `[n]` has no effect.
/// (8) Dates compare as seconds, data as bytes (a prefix is less), UUIDs as 16 bytes, objects by identity.
/// (9) LIKE: `?` matches one Unicode scalar, `*` any number of them, a backslash escapes the next character. The whole
///     text must match. MATCHES: the whole text must match the regular expression (ICU syntax), with `[c]` as the
///   regular
///     expression's own option. CONTAINS, BEGINSWITH and ENDSWITH of an empty string are true for every text.
/// (10) ANY is true if the comparison holds for at least one member, ALL if it holds for each, so over no members ANY
/// is
///     false and ALL is true. A key path through a to-many relationship gives one member per object, including nil.
///   Over
///     a key path that is not to-many, ANY and ALL apply to its one value.
/// (11) A key path through a nil to-one relationship is nil; if the rest of the path is to-many, it is empty.
/// (12) `list CONTAINS a` with a to-many key path on the left is `a IN list`.
/// (13) An expression is nil if an operand is nil, has the wrong kind or is outside of the function's domain; a
/// function
///      of one value throws for a to-many key path. `+`, `-`, `*`, `/` of two integers (or booleans) give an integer,
///      truncated toward zero; if it overflows 64 bits, or one operand is real or decimal, the result is real. Division
///   by
///      zero is nil, NaN is nil, infinity is not. A date plus or minus a number of seconds is a date, a date minus a
///   date
///      is a real number of seconds. `modulus:by:` and the bitwise functions truncate their operands to 64-bit integers
///      (clamped); the remainder has the sign of the first operand, and a zero divisor gives nil; a shift by 64 or more
///      shifts out all bits, by a negative number in the other direction.
/// (14) `**` (which ignores the sign of zero), `sqrt:`, `log:`, `ln:` and `exp:` give a real number; `sqrt:` of a
/// negative
///      and `log:` and `ln:` of a non-positive number are nil. `abs:`, `floor:`, `ceiling:` and `trunc:` of an integer
///   are
///      integers.
/// (15) `uppercase:` and `lowercase:` use Unicode's mapping without a locale, `canonical:` folds as `[cd]` does,
///      `length:` counts UTF-16 units.
/// (16) `now()` is one instant per evaluation or fetch; `random()` is an integer from 0 to 2^31 - 1 and `randomn(n)`
/// one
///      in 0..<n (nil if that is empty), each drawn again for each object. `noindex:` returns its argument.
/// (17) `CAST`: to `NSDate` from a number or its text (seconds since 2001), to `NSNumber` from text (an integer if
///      possible), a date (seconds) or a number unchanged, to `NSDecimalNumber` from a number or text, to `NSString`
///   from
///      everything but data, as Foundation describes it, to `NSUUID`, `NSURL` and `NSData` (base64) from text. Text
///   that
///      cannot be converted gives nil.
/// (18) `sum:`, `average:`, `min:`, `max:`, `median:`, `mode:`, `stddev:` and `count:` range over the members of their
///      arguments, where a single value is one member, and ignore nil. `sum:` and `average:` take a text as the number
///      that it begins with, or 0. Without members `sum:` and `count:` are 0, the others nil.
///      `average:`, `median:` and `stddev:` (of the population) are real, `mode:` is the list of the most frequent
///   numbers
///      in ascending order. `@count` counts nil members too.
/// (19) `TERNARY` evaluates only the selected branch.
/// (20) `SUBQUERY` preserves the order of its collection and ignores nil members; of nil it is empty. In its predicate
///      the variable is a member; `SELF` and key paths mean what they mean outside.
/// (21) `UNION`, `INTERSECT`, `MINUS`: members equal by (2) count once; the left side's members come first. Nil is an
///      empty collection.
/// (22) `list[FIRST]`, `[LAST]`, `[n]`: nil if there is no such member; `list[SIZE]` of nil is 0. An index is truncated
///      as in (13).
/// (23) `@distinctUnionOfObjects` and its kin ignore nil and, in the distinct ones, duplicates.
extension PredicateNode {
  /// Whether the predicate holds for a subject.
  package func evaluate(on subject: some PredicateSubject) throws(PredicateEvaluationError) -> Bool {
    try holds(for: SubjectRoot(subject: subject))
  }

  /// Whether the predicate holds with `SELF` bound to a subject, a plain value or a list.
  package func evaluate(on root: PredicateResult) throws(PredicateEvaluationError) -> Bool {
    try holds(for: root)
  }

  func holds(for root: some EvaluationRoot) throws(PredicateEvaluationError) -> Bool {
    switch self {
    case .comparison(let comparison): return try comparison.holds(for: root)
    case .constant(let value): return value
    case .and(let nodes):
      for node in nodes where try !node.holds(for: root) { return false }
      return true
    case .or(let nodes):
      for node in nodes where try node.holds(for: root) { return true }
      return false
    case .not(let node): return try !node.holds(for: root)
    }
  }
}

extension ComparisonNode {
  fileprivate func holds(for root: some EvaluationRoot) throws(PredicateEvaluationError) -> Bool {
    let leftSide = try left.result(in: root)
    let rightSide = try right.result(in: root)
    switch quantifier {
    case .one: return try holds(leftSide, rightSide)
    case .any:
      for member in leftSide.quantified where try holds(member, rightSide) { return true }
      return false
    case .all:
      for member in leftSide.quantified where try !holds(member, rightSide) { return false }
      return true
    }
  }

  private func holds(_ left: PredicateResult, _ right: PredicateResult) throws(PredicateEvaluationError) -> Bool {
    switch comparison {
    case .equal: return left.equals(right, options: options)
    case .notEqual: return !left.equals(right, options: options)
    case .in: return try isMember(left, of: right)
    case .contains:
      if let members = left.listed { return members.contains { $0.equals(right, options: options) } }
      return try compares(left, right)
    case .between: return try isWithin(left, bounds: right)
    default: return try compares(left, right)
    }
  }

  private func isMember(_ left: PredicateResult, of right: PredicateResult) throws(PredicateEvaluationError) -> Bool {
    switch right.contents {
    case .value(.null): return false
    case .value(.list(let values)):
      if let members { return members.table(of: values, options).contains(left) }
      return values.contains { left.equals(.value($0), options: options) }
    case .members(let members): return members.contains { left.equals($0, options: options) }
    case .value(let whole) where whole.text != nil && left.isTextOrNull:
      guard let whole = whole.text, let part = left.plainValue.text else { return false }
      return PredicateText.contains(whole, part: part, options: options)
    default: throw .needsCollection(comparison)
    }
  }

  private func isWithin(_ left: PredicateResult, bounds right: PredicateResult) throws(PredicateEvaluationError) -> Bool
  {
    switch right {
    case .value(.null): return false
    case .value(.list(let bounds)) where bounds.count == 2: return isWithin(left, lowest: bounds[0], highest: bounds[1])
    case .members(let bounds) where bounds.count == 2:
      guard case .value(let lowest) = bounds[0], case .value(let highest) = bounds[1] else { return false }
      return isWithin(left, lowest: lowest, highest: highest)
    default: throw .needsRange
    }
  }

  private func isWithin(_ left: PredicateResult, lowest: PredicateValue, highest: PredicateValue) -> Bool {
    guard case .value(let value) = left.contents, let fromLowest = value.compared(to: lowest, options),
      let fromHighest = value.compared(to: highest, options)
    else { return false }
    return fromLowest != .orderedAscending && fromHighest != .orderedDescending
  }

  /// Compares two single values.
  private func compares(_ left: PredicateResult, _ right: PredicateResult) throws(PredicateEvaluationError) -> Bool {
    guard case .value(let leftValue) = left.contents, case .value(let rightValue) = right.contents else {
      if left.listed != nil { throw .needsQuantifier(keyPath: description) }
      return false
    }
    switch comparison {
    case .less: return leftValue.compared(to: rightValue, options) == .orderedAscending
    case .greater: return leftValue.compared(to: rightValue, options) == .orderedDescending
    case .lessOrEqual:
      return leftValue.compared(to: rightValue, options).map { $0 != .orderedDescending } ?? false
    case .greaterOrEqual:
      return leftValue.compared(to: rightValue, options).map { $0 != .orderedAscending } ?? false
    default:
      if case .list = leftValue { throw .needsQuantifier(keyPath: description) }
      guard let text = leftValue.text, let pattern = rightValue.text else { return false }
      return try PredicateText.holds(text, comparison, pattern, options: options)
    }
  }
}

extension PredicateResult {
  fileprivate var isTextOrNull: Bool {
    if case .value(let value) = self { value == .null || value.text != nil } else { false }
  }
}
