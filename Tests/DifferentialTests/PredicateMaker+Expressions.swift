import Foundation
import StrataPredicates
import StrataRowStore

/// Generates expressions.
extension PredicateMaker {
  mutating func expression(_ family: Family, at scope: Scope, _ depth: Int) -> ExpressionNode {
    switch random.number(0..<10) {
    case 0..<5: return keyPath(family, at: scope) ?? constant(family)
    case 5..<7: return random.once(in: 15) ? .value(.null) : constant(family)
    default:
      return (depth > 0 ? derived(family, at: scope, depth - 1) : nil) ?? keyPath(family, at: scope) ?? constant(family)
    }
  }

  mutating func constant(_ family: Family) -> ExpressionNode {
    switch family {
    case .number:
      switch random.number(0..<6) {
      case 0: .value(.bool(random.once(in: 2)))
      case 1: .value(.real(random.pick(Pool.reals)))
      case 2: .value(.decimal(random.pick(Pool.decimals)))
      case 3: .value(.real(Double(random.pick(Pool.singles))))
      default: .value(.integer(random.pick(Pool.wholes)))
      }
    case .text:
      random.once(in: 8)
        ? .value(URL(string: random.pick(Pool.links)).map(PredicateValue.url) ?? .null)
        : .value(.string(random.pick(Pool.texts)))
    case .date: .value(.date(Date(timeIntervalSinceReferenceDate: random.pick(Pool.seconds))))
    case .data: .value(.data(Data(random.pick(Pool.bytes))))
    case .uuid: .value(.uuid(random.pick(Pool.tokens)))
    case .object: .value(.row(random.pick(samples.objects.keys.map(\.bits).sorted())))
    }
  }

  // MARK: Key paths

  /// Returns the start of a key path: `SELF` or a variable.
  private mutating func start(at scope: Scope) -> (ExpressionNode, entity: String) {
    if let variable = scope.variables.last, !random.once(in: 4) {
      let chosen = random.once(in: 5) ? random.pick(scope.variables) : variable
      return (.variable(chosen.name), chosen.entity)
    }
    return (.evaluatedObject, scope.entity)
  }

  mutating func keyPath(_ family: Family, at scope: Scope) -> ExpressionNode? {
    let (start, entity) = start(at: scope)
    return path(from: entity, to: family, hops: 2).map { start.following($0) }
  }

  /// A key path through to-one relationships only. For the family `object` it may be empty.
  mutating func path(from entity: String, to family: Family, hops: Int) -> [String]? {
    guard let description = SampleModel.entities[entity] else { return nil }
    let ends = description.attributes.filter { $0.family == family }
    let next = description.toOne
    if family == .object, next.isEmpty || hops == 0 || random.once(in: 4) { return [] }
    if !next.isEmpty, hops > 0, family == .object || ends.isEmpty || random.once(in: 3) {
      let hop = random.pick(next)
      if let rest = path(from: hop.destination, to: family, hops: hops - 1) { return [hop.name] + rest }
    }
    return ends.isEmpty ? nil : random.pick(ends).name.split(separator: ".").map(String.init)
  }

  /// A to-many key path to objects.
  mutating func objects(at scope: Scope) -> (ExpressionNode, entity: String)? {
    let (start, entity) = start(at: scope)
    return objects(from: entity).map { (start.following($0), $1) }
  }

  private mutating func objects(from entity: String) -> ([String], entity: String)? {
    guard let description = SampleModel.entities[entity], !description.toMany.isEmpty else { return nil }
    var path: [String] = []
    var entity = entity
    if !description.toOne.isEmpty, random.once(in: 3) {
      let hop = random.pick(description.toOne)
      path.append(hop.name)
      entity = hop.destination
    }
    guard let toMany = SampleModel.entities[entity].map({ random.pick($0.toMany) }) else { return nil }
    path.append(toMany.name)
    entity = toMany.destination
    if random.once(in: 4), let further = SampleModel.entities[entity] {
      let hop = random.pick(further.relationships)
      path.append(hop.name)
      entity = hop.destination
    }
    return (path, entity)
  }

  /// A to-many key path to values of a family.
  mutating func members(_ family: Family, at scope: Scope) -> ExpressionNode? {
    guard let (start, entity) = objects(at: scope), let end = path(from: entity, to: family, hops: 1) else {
      return nil
    }
    return start.following(end)
  }

  // MARK: Computed values

  private mutating func derived(_ family: Family, at scope: Scope, _ depth: Int) -> ExpressionNode? {
    switch random.number(0..<10) {
    case 0:
      return .conditional(
        comparison(at: scope, depth: depth), expression(family, at: scope, depth), expression(family, at: scope, depth))
    case 1:
      return .function(.noindex, [expression(family, at: scope, depth)])
    case 2:
      return .function(random.pick([.min, .max]), values(family, at: scope))
    default: break
    }
    switch family {
    case .number: return number(at: scope, depth)
    case .text: return text(at: scope, depth)
    case .date:
      if random.once(in: 3) { return cast(expression(.number, at: scope, depth), "NSDate") }
      return .function(
        random.pick([.add, .subtract]),
        [expression(.date, at: scope, depth), expression(.number, at: scope, depth)])
    case .data: return cast(expression(.text, at: scope, depth), "NSData")
    case .uuid: return cast(expression(.text, at: scope, depth), "NSUUID")
    case .object: return element(at: scope)
    }
  }

  private mutating func number(at scope: Scope, _ depth: Int) -> ExpressionNode? {
    switch random.number(0..<14) {
    case 0..<4: return collected(at: scope)
    case 4..<8:
      let function = random.pick([
        ExpressionFunction.add, .subtract, .multiply, .divide, .add, .subtract, .multiply, .divide, .modulus, .raise,
        .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftshift, .rightshift,
      ])
      let family: Family = random.once(in: 12) ? random.pick(Family.allCases) : .number
      return .function(function, [expression(family, at: scope, depth), expression(.number, at: scope, depth)])
    case 8:
      return .function(
        random.pick([.sqrt, .log, .ln, .exp, .floor, .ceiling, .abs, .trunc, .onesComplement]),
        [expression(.number, at: scope, depth)])
    case 9: return .function(.length, [expression(.text, at: scope, depth)])
    case 10: return cast(expression(random.pick([.number, .text, .date]), at: scope, depth), "NSNumber")
    case 11: return cast(expression(random.pick([.number, .text]), at: scope, depth), "NSDecimalNumber")
    case 12: return .function(.subtract, [expression(.date, at: scope, depth), expression(.date, at: scope, depth)])
    default:
      return .function(
        random.pick([.sum, .count, .average, .median, .stddev]), values(.number, at: scope))
    }
  }

  private mutating func text(at scope: Scope, _ depth: Int) -> ExpressionNode {
    switch random.number(0..<4) {
    case 0: cast(expression(random.pick([.number, .text, .uuid]), at: scope, depth), "NSString")
    case 1: cast(expression(.text, at: scope, depth), "NSURL")
    default: .function(random.pick([.uppercase, .lowercase, .canonical]), [expression(.text, at: scope, depth)])
    }
  }

  private func cast(_ value: ExpressionNode, _ type: String) -> ExpressionNode {
    .function(.cast, [value, .value(.string(type))])
  }

  /// The argument of an aggregate function: members, a subquery, or several values.
  private mutating func values(_ family: Family, at scope: Scope) -> [ExpressionNode] {
    if random.once(in: 3), let (subquery, entity) = subquery(at: scope, 1),
      let path = path(from: entity, to: family, hops: 1)
    {
      return [subquery.following(path)]
    }
    if random.once(in: 2), let members = members(family, at: scope) { return [members] }
    let values = (0..<random.number(1..<4)).map { _ in expression(family, at: scope, 0) }
    return random.once(in: 2) ? [.list(values)] : values
  }

  /// One of a group's picks.
  private mutating func element(at scope: Scope) -> ExpressionNode? {
    let (start, entity) = start(at: scope)
    let path: [String]
    switch entity {
    case "Group": path = ["picks"]
    case "Thing", "Special": path = ["group", "picks"]
    default: return nil
    }
    let index = random.pick([ElementIndex.first, .last, .at(.value(.integer(0))), .at(.value(.integer(1)))])
    let element = ExpressionNode.element(of: start.following(path), index)
    return random.once(in: 8) ? element.following(["things"]) : element
  }

  private mutating func collected(at scope: Scope) -> ExpressionNode? {
    let (start, entity) = start(at: scope)
    guard let (path, members) = objects(from: entity) else { return nil }
    guard
      let last = path.lastIndex(where: { name in
        SampleModel.entities.values.contains { $0.toMany.contains { $0.name == name } }
      }),
      last == path.count - 1
    else { return nil }
    if random.once(in: 2) { return start.following(path + ["@count"]) }
    guard let end = self.path(from: members, to: .number, hops: 1) else { return nil }
    return start.following(path + [random.pick(["@sum", "@avg", "@min", "@max"])] + end)
  }
}
