import Foundation
import StrataPredicates
import Testing

/// Random trees determined by a seed.
private struct TreeMaker {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func number(below limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
  }

  private mutating func one<Element>(of elements: [Element]) -> Element { elements[number(below: elements.count)] }

  private mutating func several<Element>(_ minimum: Int, _ make: (inout TreeMaker) -> Element) -> [Element] {
    var made: [Element] = []
    for _ in 0..<minimum + number(below: 3) { made.append(make(&self)) }
    return made
  }

  mutating func predicate(_ depth: Int) -> PredicateNode {
    switch depth > 0 ? number(below: 7) : 6 {
    case 0:
      let members = several(2) { $0.predicate(depth - 1) }
      // The parser merges such a first member with what follows.
      if case .and(let first) = members[0] { return .and(first + members.dropFirst()) }
      return .and(members)
    case 1:
      let members = several(2) { $0.predicate(depth - 1) }
      if case .or(let first) = members[0] { return .or(first + members.dropFirst()) }
      return .or(members)
    case 2: return .not(predicate(depth - 1))
    case 3: return .constant(number(below: 2) == 0)
    default: return .comparison(comparison(depth))
    }
  }

  private mutating func comparison(_ depth: Int) -> ComparisonNode {
    let operators: [ComparisonNode.Operator] = [
      .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in, .contains, .beginsWith,
      .endsWith, .like, .matches,
    ]
    let comparison = one(of: operators)
    let right: ExpressionNode =
      comparison == .between ? .list([expression(depth - 1), expression(depth - 1)]) : expression(depth)
    return ComparisonNode(
      expression(depth), comparison, right, quantifier: one(of: [.one, .one, .any, .all]),
      options: ComparisonNode.Options(rawValue: UInt8(number(below: 8))))
  }

  private mutating func key() -> String {
    one(of: ["mag", "in", "first", "größe", "@count", "a_1", "cast", "union", "self", "null", "e5", "sum"])
  }

  private mutating func path() -> [String] { several(1) { $0.key() } }

  mutating func expression(_ depth: Int) -> ExpressionNode {
    guard depth > 0 else { return leaf() }
    switch number(below: 11) {
    case 0: return expression(depth - 1).following(path())
    case 1: return .list(several(0) { $0.expression(depth - 1) })
    case 2: return .conditional(predicate(depth - 1), expression(depth - 1), expression(depth - 1))
    case 3: return .subquery(expression(depth - 1), variable: "x", predicate(depth - 1))
    case 4: return .setOperation(one(of: SetOperation.allCases), expression(depth - 1), expression(depth - 1))
    case 5: return .element(of: expression(depth - 1), one(of: [.first, .last, .size, .at(expression(depth - 1))]))
    case 6, 7, 8: return function(depth)
    default: return leaf()
    }
  }

  private mutating func function(_ depth: Int) -> ExpressionNode {
    let function = one(of: ExpressionFunction.allCases + [.add, .subtract, .multiply, .divide, .raise, .raise])
    if function == .cast {
      return .function(.cast, [.keyPath(path()), .value(.string(one(of: CastType.allCases).rawValue))])
    }
    var arguments: [ExpressionNode] = []
    for _ in 0..<function.argumentCount { arguments.append(expression(depth - 1)) }
    if function.isAggregate, number(below: 4) == 0 { arguments.append(expression(depth - 1)) }
    return .function(function, arguments)
  }

  private mutating func leaf() -> ExpressionNode {
    switch number(below: 5) {
    case 0: .evaluatedObject
    case 1: .variable(one(of: ["x", "LIMIT"]))
    case 2: .keyPath(path())
    default: .value(value())
    }
  }

  private mutating func value() -> PredicateValue {
    switch number(below: 12) {
    case 0: .null
    case 1: .bool(number(below: 2) == 0)
    case 2, 3: .integer(Int64(number(below: 2_000_000)) - 1_000_000)
    case 4: .real(Double(number(below: 1 << 52)) / 1e7 - 2e8)
    case 5: .decimal(Decimal(string: "\(number(below: 1_000_000)).25") ?? 0)
    case 6, 7: .string(one(of: ["", "a\"b'c", "\\ \n\t\r", "é🌋", "%@ $x", "\0"]))
    case 8: .date(Date(timeIntervalSinceReferenceDate: Double(number(below: 1_000_000)) / 8))
    case 9: .data(Data((0..<number(below: 5)).map { UInt8($0) }))
    case 10: one(of: [.integer(.min), .integer(.max), .real(.infinity), .real(1e300), .real(-0.5e-9)])
    default: one(of: [.url(URL(filePath: "/a")), .uuid(UUID(uuidString: "8D3F4C1A-0B5E-4A52-9C55-0123456789AB")!)])
    }
  }
}

@Suite struct TextRoundTripTests {
  @Test(arguments: 0..<8) func `a random predicate's text parses to the same tree`(seed: Int) throws {
    var maker = TreeMaker(seed: UInt64(seed))
    for round in 0..<250 {
      let tree = maker.predicate(round % 4)
      let read = try PredicateParser.tree(tree.description)
      guard read != tree else { continue }
      Issue.record("\(tree)\nbecame \(read)\n\(String(reflecting: tree))")
      return
    }
  }

  @Test(arguments: 0..<8) func `a random expression's text parses to the same tree`(seed: Int) throws {
    var maker = TreeMaker(seed: UInt64(100 + seed))
    for round in 0..<250 {
      let node = maker.expression(1 + round % 4)
      let read = try PredicateParser.expression(node.description)
      guard read != node else { continue }
      Issue.record("\(node)\nbecame \(read)")
      return
    }
  }
}
