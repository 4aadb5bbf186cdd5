import Foundation
import StrataPredicates
import StrataSupport

extension AppleModelWriter {
  mutating func predicate(_ predicate: NSPredicate?) throws(ModelArchiveError) -> KeyedArchive.UID? {
    guard let predicate else { return nil }
    guard let tree = try? predicate.tree else {
      throw ModelArchiveError("\(subject) has the predicate \(predicate.formatText), which has no text")
    }
    return try node(tree)
  }

  private mutating func node(_ node: PredicateNode) throws(ModelArchiveError) -> KeyedArchive.UID {
    switch node {
    case .constant(let flag):
      return archive.add([flag ? "NSTruePredicate" : "NSFalsePredicate", "NSPredicate"], entries: [])
    case .comparison(let comparison): return try self.comparison(comparison)
    case .and(let nodes): return try compound(type: 1, nodes)
    case .or(let nodes): return try compound(type: 2, nodes)
    case .not(let node): return try compound(type: 0, [node])
    }
  }

  private mutating func compound(type: Int, _ nodes: [PredicateNode]) throws(ModelArchiveError) -> KeyedArchive.UID {
    var uids: [KeyedArchive.UID] = []
    for member in nodes { uids.append(try node(member)) }
    return archive.add(
      ["NSCompoundPredicate", "NSPredicate"],
      entries: [
        ("NSCompoundPredicateType", .integer(type)),
        ("NSSubpredicates", .object(archive.list(["NSArray"], members: uids))),
      ])
  }

  private mutating func comparison(_ node: ComparisonNode) throws(ModelArchiveError) -> KeyedArchive.UID {
    archive.add(
      ["NSComparisonPredicate", "NSPredicate"],
      entries: [
        ("NSLeftExpression", .object(try expression(node.left))),
        ("NSRightExpression", .object(try expression(node.right))),
        ("NSPredicateOperator", .object(try comparisonOperator(node))),
      ])
  }

  /// The keys for operators of membership, equality and order are those of Apple's archives; how the others are
  /// archived is unknown.
  private mutating func comparisonOperator(_ node: ComparisonNode) throws(ModelArchiveError) -> KeyedArchive.UID {
    let modifier =
      switch node.quantifier {
      case .one: 0
      case .all: 1
      case .any: 2
      }
    guard let (type, kind) = Self.kind(of: node.comparison) else {
      throw ModelArchiveError("\(subject) compares with \(node.comparison.text), whose archive is not known")
    }
    let options = KeyedArchiveWriter.Value.integer(Int(node.options.rawValue))
    let own: [Entry] =
      switch kind {
      case .order: [("NSVariant", .integer(type)), ("NSOptions", options)]
      case .equality: [("NSNegate", .boolean(type == 5)), ("NSOptions", options)]
      case .membership: [("NSFlags", options)]
      }
    return archive.add(
      [kind.rawValue, "NSPredicateOperator"],
      entries: [("NSModifier", .integer(modifier)), ("NSOperatorType", .integer(type))] + own)
  }

  private enum OperatorKind: String {
    case order = "NSComparisonPredicateOperator"
    case equality = "NSEqualityPredicateOperator"
    case membership = "NSInPredicateOperator"
  }

  private static func kind(of comparison: ComparisonNode.Operator) -> (type: Int, kind: OperatorKind)? {
    switch comparison {
    case .less: (0, .order)
    case .lessOrEqual: (1, .order)
    case .greater: (2, .order)
    case .greaterOrEqual: (3, .order)
    case .equal: (4, .equality)
    case .notEqual: (5, .equality)
    case .in: (10, .membership)
    case .contains: (99, .membership)
    case .between, .beginsWith, .endsWith, .like, .matches: nil
    }
  }

  func unknown(_ node: ExpressionNode) -> ModelArchiveError {
    ModelArchiveError("\(subject) has the expression \(node), whose archive is not known")
  }

  private mutating func expression(
    className: String, type: Int, entries: [Entry] = []
  ) -> KeyedArchive.UID {
    archive.add([className, "NSExpression"], entries: [("NSExpressionType", .integer(type))] + entries)
  }

  mutating func expression(_ node: ExpressionNode) throws(ModelArchiveError) -> KeyedArchive.UID {
    switch node {
    case .value(let value): return try constantExpression(value)
    case .evaluatedObject: return expression(className: "NSSelfExpression", type: 1)
    case .variable(let name):
      return expression(
        className: "NSVariableExpression", type: 2, entries: [("NSVariable", .object(archive.text(name)))])
    case .keyPath(let path): return try keyPath(path, of: .evaluatedObject)
    case .path(let start, let path): return try keyPath(path, of: start)
    case .function(let function, let arguments): return try self.function(function, arguments: arguments)
    case .aggregate(let members):
      var uids: [KeyedArchive.UID] = []
      for member in members { uids.append(try expression(member)) }
      return aggregate(uids)
    case .conditional, .subquery, .setOperation, .element, .opaque: throw unknown(node)
    }
  }

  private mutating func aggregate(_ uids: [KeyedArchive.UID]) -> KeyedArchive.UID {
    expression(
      className: "NSAggregateExpression", type: 14,
      entries: [("NSCollection", .object(archive.list(["NSArray"], members: uids)))])
  }

  private mutating func constantExpression(_ value: PredicateValue) throws(ModelArchiveError) -> KeyedArchive.UID {
    if case .list(let members) = value {
      var uids: [KeyedArchive.UID] = []
      for member in members { uids.append(try constantExpression(member)) }
      return aggregate(uids)
    }
    return expression(
      className: "NSConstantValueExpression", type: 0, entries: [("NSConstantValue", .object(try constant(value)))])
  }

  /// Writes a call of `valueForKey:` on the start.
  private mutating func keyPath(
    _ path: [String], of start: ExpressionNode
  ) throws(ModelArchiveError) -> KeyedArchive.UID {
    let specifier = expression(
      className: "NSKeyPathSpecifierExpression", type: 10,
      entries: [("NSKeyPath", .object(archive.text(path.joined(separator: "."))))])
    let isPlain = start == .evaluatedObject
    let selector = isPlain && path.count == 1 ? "valueForKey:" : "valueForKeyPath:"
    return archive.add(
      ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression"],
      entries: [
        ("NSExpressionType", .integer(isPlain ? 3 : 4)), ("NSOperand", .object(try expression(start))),
        ("NSSelectorName", .object(archive.text(selector))),
        ("NSArguments", .object(archive.list(["NSMutableArray", "NSArray"], members: [specifier]))),
      ])
  }

  private mutating func function(
    _ function: ExpressionFunction, arguments: [ExpressionNode]
  ) throws(ModelArchiveError) -> KeyedArchive.UID {
    var uids: [KeyedArchive.UID] = []
    for argument in arguments { uids.append(try expression(argument)) }
    let functions = expression(
      className: "NSConstantValueExpression", type: 0,
      entries: [("NSConstantValueClassName", .object(archive.text("_NSPredicateUtilities")))])
    return expression(
      className: "NSFunctionExpression", type: 4,
      entries: [
        ("NSOperand", .object(functions)), ("NSSelectorName", .object(archive.text(function.rawValue))),
        (
          "NSArguments",
          .object(archive.list(uids.isEmpty ? ["NSArray"] : ["NSMutableArray", "NSArray"], members: uids))
        ),
      ])
  }

  mutating func constant(_ value: Any) throws(ModelArchiveError) -> KeyedArchive.UID {
    if let entries = value as? [AnyHashable: Any] {
      return try notes(entries) ?? archive.dictionary(["NSDictionary"], entries: [])
    }
    guard let constant = PredicateValue(argument: value) else {
      throw ModelArchiveError("\(subject) has the value \(value), which an archive cannot keep")
    }
    return try self.constant(constant) ?? 0
  }

  /// Returns nil for nil.
  private mutating func constant(_ value: PredicateValue) throws(ModelArchiveError) -> KeyedArchive.UID? {
    switch value {
    case .null: return nil
    case .bool(let flag): return archive.plain(.boolean(flag))
    case .integer(let integer): return archive.plain(.integer(Int(integer)))
    case .real(let real): return archive.plain(.real(real))
    case .string(let text): return archive.text(text)
    case .data(let data): return archive.data(data)
    case .date(let date):
      return archive.add(["NSDate"], entries: [("NS.time", .real(date.timeIntervalSinceReferenceDate))])
    case .uuid(let uuid):
      return archive.object(["NSUUID"], key: "NS.uuidbytes", data: withUnsafeBytes(of: uuid.uuid) { Data($0) })
    case .url(let url):
      return archive.add(
        ["NSURL"], entries: [("NS.base", .object(nil)), ("NS.relative", .object(archive.text(url.absoluteString)))])
    case .decimal(let decimal): return archive.decimal(decimal)
    case .list(let values):
      var uids: [KeyedArchive.UID] = []
      for value in values { uids.append(try constant(value) ?? 0) }
      return archive.list(["NSArray"], members: uids)
    case .reference, .row: throw ModelArchiveError("\(subject) has the value \(value), which an archive cannot keep")
    }
  }
}
