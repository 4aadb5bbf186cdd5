import Foundation
import StrataPredicates
import StrataRowStore
import StrataTestSupport

/// Generates predicates on an entity, using every feature of the language.
struct PredicateMaker {
  typealias Family = SampleModel.Family

  /// The names in scope: `SELF`, and the variables of enclosing subqueries.
  struct Scope {
    var entity: String
    var variables: [(name: String, entity: String)] = []
  }

  var random: SeededRandom
  let samples: Samples

  // MARK: Logic

  mutating func predicate(_ depth: Int, at scope: Scope) -> PredicateNode {
    guard depth > 0 else { return comparison(at: scope, depth: 2) }
    switch random.number(0..<12) {
    case 0, 1: return .and((0..<random.number(0..<4)).map { _ in predicate(depth - 1, at: scope) })
    case 2, 3: return .or((0..<random.number(0..<4)).map { _ in predicate(depth - 1, at: scope) })
    case 4, 5: return .not(predicate(depth - 1, at: scope))
    case 6: return random.once(in: 4) ? .constant(random.once(in: 2)) : comparison(at: scope, depth: 2)
    default: return comparison(at: scope, depth: 2)
    }
  }

  // MARK: Comparisons

  mutating func comparison(at scope: Scope, depth: Int) -> PredicateNode {
    switch random.number(0..<20) {
    case 0..<6: return .comparison(ordinary(at: scope, depth))
    case 6, 7: return .comparison(textual(at: scope, depth))
    case 8, 9: return .comparison(inList(at: scope, depth))
    case 10: return .comparison(between(at: scope, depth))
    case 11..<14: return quantified(at: scope, depth)
    case 14: return .comparison(amongMembers(at: scope, depth))
    case 15: return .comparison(withNull(at: scope, depth))
    case 16: return .comparison(acrossFamilies(at: scope, depth))
    default: return depth > 0 ? aboutSubquery(at: scope, depth) : .comparison(ordinary(at: scope, depth))
    }
  }

  private static let orders: [ComparisonNode.Operator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]

  private mutating func anyOperator(_ family: Family) -> ComparisonNode.Operator {
    family == .object && !random.once(in: 10) ? random.pick([.equal, .notEqual]) : random.pick(Self.orders)
  }

  private mutating func options(_ family: Family) -> ComparisonNode.Options {
    guard family == .text, random.once(in: 2) else { return [] }
    return random.pick([
      .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized,
    ])
  }

  private mutating func anyFamily() -> Family {
    random.pick([.number, .number, .number, .text, .text, .text, .date, .data, .uuid, .object, .object])
  }

  private mutating func ordinary(at scope: Scope, _ depth: Int) -> ComparisonNode {
    let family = anyFamily()
    let left = expression(family, at: scope, depth)
    let right = expression(family, at: scope, depth - 1)
    return ComparisonNode(left, anyOperator(family), right, options: options(family))
  }

  private mutating func textual(at scope: Scope, _ depth: Int) -> ComparisonNode {
    let comparison = random.pick([
      ComparisonNode.Operator.contains, .beginsWith, .endsWith, .like, .matches,
    ])
    let right: ExpressionNode =
      switch comparison {
      case .like: .value(.string(random.pick(Pool.patterns + Pool.texts)))
      case .matches: .value(.string(random.pick(Pool.expressions)))
      default: random.once(in: 3) ? expression(.text, at: scope, 0) : constant(.text)
      }
    let left = random.once(in: 12) ? expression(anyFamily(), at: scope, depth) : expression(.text, at: scope, depth)
    return ComparisonNode(left, comparison, right, options: options(.text))
  }

  private mutating func inList(at scope: Scope, _ depth: Int) -> ComparisonNode {
    let family = anyFamily()
    let count = random.pick([0, 1, 2, 3, 5, 9, 20])
    let isPlain = !random.once(in: 4)
    let members = (0..<count).map { _ in
      if random.once(in: 8) { return ExpressionNode.value(.null) }
      if random.once(in: 12) { return constant(anyFamily()) }
      return isPlain ? constant(family) : expression(family, at: scope, 0)
    }
    return ComparisonNode(
      expression(family, at: scope, depth), .in, .list(members), options: options(family))
  }

  private mutating func between(at scope: Scope, _ depth: Int) -> ComparisonNode {
    let family = random.pick([Family.number, .number, .text, .date, .data, .uuid])
    let bounds = (0..<2).map { _ in
      random.once(in: 12)
        ? ExpressionNode.value(.null) : random.once(in: 4) ? expression(family, at: scope, 0) : constant(family)
    }
    return ComparisonNode(
      expression(family, at: scope, depth), .between, .list(bounds), options: options(family))
  }

  private mutating func quantified(at scope: Scope, _ depth: Int) -> PredicateNode {
    let family = anyFamily()
    let left =
      random.once(in: 8)
      ? expression(family, at: scope, depth) : members(family, at: scope) ?? expression(family, at: scope, depth)
    let right = expression(family, at: scope, depth - 1)
    let comparison: ComparisonNode.Operator
    var other = right
    switch random.number(0..<8) {
    case 0 where family == .text: comparison = random.pick([.contains, .beginsWith, .endsWith, .like])
    case 1:
      comparison = .in
      other = .list((0..<random.number(0..<4)).map { _ in random.once(in: 6) ? .value(.null) : constant(family) })
    case 2 where family != .object:
      comparison = .between
      other = .list([constant(family), constant(family)])
    case 3:
      comparison = random.pick([.equal, .notEqual])
      other = .value(.null)
    default: comparison = anyOperator(family)
    }
    let node = PredicateNode.comparison(
      ComparisonNode(left, comparison, other, quantifier: random.pick([.any, .any, .all]), options: options(family)))
    return random.once(in: 4) ? .not(node) : node
  }

  private mutating func amongMembers(at scope: Scope, _ depth: Int) -> ComparisonNode {
    let family = anyFamily()
    guard var members = members(family, at: scope) else { return ordinary(at: scope, depth) }
    if random.once(in: 3), let others = self.members(family, at: scope) {
      members = .setOperation(random.pick(SetOperation.allCases), members, others)
      return ComparisonNode(expression(family, at: scope, 0), .in, members, options: options(family))
    }
    let value = random.once(in: 6) ? .value(.null) : expression(family, at: scope, 0)
    return random.once(in: 2)
      ? ComparisonNode(value, .in, members, options: options(family))
      : ComparisonNode(members, .contains, value, options: options(family))
  }

  private mutating func withNull(at scope: Scope, _ depth: Int) -> ComparisonNode {
    let family = anyFamily()
    let side = expression(family, at: scope, depth)
    let comparison = random.once(in: 5) ? anyOperator(family) : random.pick([.equal, .notEqual])
    return random.once(in: 4)
      ? ComparisonNode(.value(.null), comparison, side, options: options(family))
      : ComparisonNode(side, comparison, .value(.null), options: options(family))
  }

  private mutating func acrossFamilies(at scope: Scope, _ depth: Int) -> ComparisonNode {
    let (first, second) = (anyFamily(), anyFamily())
    return ComparisonNode(
      expression(first, at: scope, depth), anyOperator(first), expression(second, at: scope, 0),
      options: options(first))
  }

  // MARK: Subqueries

  /// A subquery over a to-many key path, and its members' entity.
  mutating func subquery(at scope: Scope, _ depth: Int) -> (ExpressionNode, entity: String)? {
    guard scope.variables.count < 3, let (collection, entity) = objects(at: scope) else { return nil }
    let name = "v\(scope.variables.count)"
    var inner = scope
    inner.variables.append((name, entity))
    let predicate =
      random.once(in: 4)
      ? PredicateNode.and([comparison(at: inner, depth: depth - 1), comparison(at: inner, depth: depth - 1)])
      : comparison(at: inner, depth: depth - 1)
    return (.subquery(collection, variable: name, predicate), entity)
  }

  private mutating func aboutSubquery(at scope: Scope, _ depth: Int) -> PredicateNode {
    guard let (subquery, entity) = subquery(at: scope, depth) else { return .comparison(ordinary(at: scope, 0)) }
    switch random.number(0..<4) {
    case 0, 1:
      let count = ExpressionNode.path(of: subquery, ["@count"])
      return .comparison(
        ComparisonNode(count, random.pick(Self.orders), .value(.integer(Int64(random.number(0..<3))))))
    case 2:
      let family = anyFamily()
      guard let path = path(from: entity, to: family, hops: 1) else { fallthrough }
      return .comparison(
        ComparisonNode(
          subquery.following(path), anyOperator(family), expression(family, at: scope, 0),
          quantifier: random.pick([.any, .all]), options: options(family)))
    default:
      return .comparison(ComparisonNode(expression(.object, at: scope, 0), .in, subquery))
    }
  }
}
