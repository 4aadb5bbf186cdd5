import Foundation

/// TREE -> ANSWER.
///
/// The rules, which SQL written from the same tree has to follow:
///
/// (1) Two values. Every comparison is true or false, also with nil; NOT turns one into the other.
/// (2) `a == b` is true if both are nil or both are equal. `a != b` is NOT `a == b`, so it is true for nil and a value.
/// (3) `<`, `<=`, `>`, `>=`, BETWEEN, CONTAINS, BEGINSWITH, ENDSWITH, LIKE and MATCHES are false if a side (or a bound)
///     is nil.
/// (4) `a IN list` is true if (2) holds for a member of the list, so a nil `a` is in a list that contains nil only.
///     A nil list has no members. A text is in another text that contains it, as for CONTAINS.
/// (5) Kinds: number (booleans are 0 and 1, whole, real and decimal numbers), text (strings, and URLs as their absolute
///     text), date, data, UUID, object. A transformable attribute is the data that a store has of it, and the value that
///     its transformer makes of these for everything but equality with data. Values of different kinds are not equal, and neither is less than the other.
/// (6) Numbers compare by value over all widths; a whole number is not rounded to compare it with a real one. A decimal
///     meets a real number as a real number. NaN equals nothing and is neither less nor greater.
/// (7) Text compares as UTF-8 bytes: `"é"` in its two spellings differs. `[d]` takes diacritics away (Foundation's
///     `diacriticInsensitive` folding without a locale), then `[c]` lowers the case (Unicode's mapping, no locale), on
///     both sides and for every operator; `[n]` changes nothing.
/// (8) Dates compare as seconds, data as bytes (a shorter prefix is less), UUIDs as 16 bytes, objects by identity.
/// (9) LIKE: `?` is one Unicode scalar, `*` any number of them, a backslash takes the next character as it is. The whole
///     text must fit. MATCHES: the whole text must fit the regular expression (ICU syntax); `[c]` is its own option there.
///     CONTAINS, BEGINSWITH and ENDSWITH of an empty string are true for every text.
/// (10) ANY is true if the comparison holds for one member at least, ALL if it holds for each, so ANY over nothing is
///     false and ALL is true. A key path behind a to-many one gives a member for each object, nil included. Over a key
///     path that is not to-many, ANY and ALL mean its one value.
/// (11) A key path through a nil to-one relationship is nil; one that is to-many behind it has no members.
/// (12) `list CONTAINS a` with a to-many key path on the left is `a IN list`.
/// (13) An expression is nil if an operand is nil, has the wrong kind or is outside of the function's domain; a function
///      of one value fails for a to-many key path. `+`, `-`, `*`, `/`: two whole numbers (booleans too) give a whole one,
///      cut toward zero; if it does not fit 64 bits, or one operand is real or decimal, the result is real. Division by
///      zero is nil, NaN is nil, infinity is not. A date plus or minus a number of seconds is a date, a date minus a date
///      a real number of seconds. `modulus:by:` and the bitwise functions cut their operands to whole numbers of 64 bits
///      (the nearest that fits); the remainder has the sign of the first operand, zero as the second gives nil; a shift
///      by 64 and more moves all bits out, by a negative number the other way.
/// (14) `**` (to which zero has no sign), `sqrt:`, `log:`, `ln:` and `exp:` give a real number; `sqrt:` of a negative, `log:`
///      and `ln:` of one that is not positive are nil. `abs:`, `floor:`, `ceiling:` and `trunc:` leave a whole number whole.
/// (15) `uppercase:` and `lowercase:` follow Unicode's mapping without a locale, `canonical:` is the folding of `[cd]`,
///      `length:` counts UTF-16 units.
/// (16) `now()` is one instant for an evaluation or a fetch, `random()` a whole number from 0 to 2^31 - 1, `randomn(n)` one
///      from 0 to below n (nil if there is none), each drawn for each object. `noindex:` is its argument.
/// (17) `CAST`: to `NSDate` from a number or its text (seconds since 2001), to `NSNumber` from text (whole if it can be),
///      a date (seconds) or a number as it is, to `NSDecimalNumber` from a number or text, to `NSString` from all but data,
///      as Foundation describes it, to `NSUUID`, `NSURL` and `NSData` (base64) from text. What stands for none is nil.
/// (18) `sum:`, `average:`, `min:`, `max:`, `median:`, `mode:`, `stddev:` and `count:` take the members of their arguments,
///      a single value being one member, and leave nil out. `sum:` and `average:` take a text for the number that it begins
///      with, or 0. Over nothing `sum:` and `count:` are 0, the others nil.
///      `average:`, `median:` and `stddev:` (of the population) are real, `mode:` is the list of the most frequent numbers
///      in ascending order. `@count` counts nil members too.
/// (19) `TERNARY` evaluates one of its branches only.
/// (20) `SUBQUERY` keeps the order of its collection and leaves out nil members; of nil it is empty. In its predicate the
///      variable is a member, `SELF` and key paths are what they are outside.
/// (21) `UNION`, `INTERSECT`, `MINUS`: members that are equal by (2) are one; the left side's order comes first. Nil is an
///      empty collection.
/// (22) `list[FIRST]`, `[LAST]`, `[n]`: nil if there is no such member; `list[SIZE]` of nil is 0. A number is cut as in (13).
/// (23) `@distinctUnionOfObjects` and its kin leave out nil and, in the distinct ones, members equal to an earlier one.
extension PredicateNode {
  /// Whether the predicate holds for a subject.
  package func evaluate(on subject: some PredicateSubject) throws(PredicateEvaluationError) -> Bool {
    try holds(for: SubjectRoot(subject: subject))
  }

  /// Whether the predicate holds for what `SELF` is: a subject, a plain value or a list.
  package func evaluate(on root: PredicateAnswer) throws(PredicateEvaluationError) -> Bool {
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
    let leftSide = try left.answer(in: root)
    let rightSide = try right.answer(in: root)
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

  private func holds(_ left: PredicateAnswer, _ right: PredicateAnswer) throws(PredicateEvaluationError) -> Bool {
    switch comparison {
    case .equal: return left.equals(right, options)
    case .notEqual: return !left.equals(right, options)
    case .in: return try isMember(left, of: right)
    case .contains:
      if let members = left.listed { return members.contains { $0.equals(right, options) } }
      return try compares(left, right)
    case .between: return try isWithin(left, right)
    default: return try compares(left, right)
    }
  }

  private func isMember(_ left: PredicateAnswer, of right: PredicateAnswer) throws(PredicateEvaluationError) -> Bool {
    switch right.contents {
    case .value(.null): return false
    case .value(.list(let values)):
      if let members { return members.table(of: values, options).contains(left) }
      return values.contains { left.equals(.value($0), options) }
    case .members(let members): return members.contains { left.equals($0, options) }
    case .value(let whole) where whole.text != nil && left.isTextOrNull:
      guard let whole = whole.text, let part = left.plainValue.text else { return false }
      return PredicateText.contains(whole, part, options)
    default: throw .needsCollection(comparison)
    }
  }

  private func isWithin(_ left: PredicateAnswer, _ right: PredicateAnswer) throws(PredicateEvaluationError) -> Bool {
    switch right {
    case .value(.null): return false
    case .value(.list(let bounds)) where bounds.count == 2: return isWithin(left, bounds[0], bounds[1])
    case .members(let bounds) where bounds.count == 2:
      guard case .value(let lowest) = bounds[0], case .value(let highest) = bounds[1] else { return false }
      return isWithin(left, lowest, highest)
    default: throw .needsRange
    }
  }

  private func isWithin(_ left: PredicateAnswer, _ lowest: PredicateValue, _ highest: PredicateValue) -> Bool {
    guard case .value(let value) = left.contents, let fromLowest = value.compared(to: lowest, options),
      let fromHighest = value.compared(to: highest, options)
    else { return false }
    return fromLowest != .orderedAscending && fromHighest != .orderedDescending
  }

  /// The operators between two single values.
  private func compares(_ left: PredicateAnswer, _ right: PredicateAnswer) throws(PredicateEvaluationError) -> Bool {
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
      return try PredicateText.holds(text, comparison, pattern, options)
    }
  }
}

extension PredicateAnswer {
  fileprivate var isTextOrNull: Bool {
    if case .value(let value) = self { value == .null || value.text != nil } else { false }
  }
}
