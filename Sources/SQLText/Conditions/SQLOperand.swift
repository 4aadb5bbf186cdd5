import StrataManagedModel
import StrataPredicates

/// One side of a comparison, in SQL.
indirect enum SQLOperand {
  case constant(PredicateValue)
  /// An attribute's column.
  case column(String, SlotKind)
  /// The key of an object, and the entity that it is known to belong to.
  case object(key: String, EntityLayout)
  /// An object that no path can start from, because the text of its key has bindings.
  case derivedObject(SQLStatement, EntityLayout)
  /// A computed value, and the kind of the constants that it is compared with.
  case derived(SQLStatement, SlotKind)
  case list([SQLOperand])
  case members(MemberQuery)

  /// The text that stands for a single value; nil for constants and lists.
  var text: SQLStatement? {
    switch self {
    case .column(let text, _), .object(let text, _): SQLStatement(text)
    case .derived(let statement, _), .derivedObject(let statement, _): statement
    case .constant, .list, .members: nil
    }
  }

  /// Whether both sides are objects of different hierarchies, whose keys are unrelated.
  func isObject(ofOtherTableThan other: SQLOperand) -> Bool {
    guard let layout, let otherLayout = other.layout else { return false }
    return layout.rootNumber != otherLayout.rootNumber
  }

  /// The entity that an object is known to belong to.
  var layout: EntityLayout? {
    switch self {
    case .object(_, let layout), .derivedObject(_, let layout): layout
    default: nil
    }
  }

  /// The family of comparable values; nil for lists.
  var family: ValueFamily? {
    switch self {
    case .constant(let value): ValueFamily(value)
    case .column(_, let kind), .derived(_, let kind): ValueFamily(kind)
    case .object, .derivedObject: .object
    case .list, .members: nil
    }
  }
}

/// The members of a to-many key path; the operand stands for any of them.
struct MemberQuery {
  let scope: QueryScope
  /// The condition that ties the members to their owner, and what else must hold of them.
  var link: SQLStatement
  var member: SQLOperand
  /// The column that orders the members; nil where they have no order.
  var position: String?

  /// The condition that some member satisfies a condition, or that none does.
  func exists(_ isExpected: Bool, where condition: SQLStatement) -> SQLStatement {
    "\(isExpected ? "EXISTS" : "NOT EXISTS") (SELECT 1 FROM \(scope.fromClause) WHERE \(link) AND \(condition))"
  }
}

/// Families of values. Values of different families are never equal, and neither is less than the other.
enum ValueFamily: Hashable {
  case number, text, date, data, uuid, object

  init?(_ kind: SlotKind) {
    switch kind {
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal: self = .number
    case .string, .uri: self = .text
    case .date: self = .date
    case .data, .transformable: self = .data
    case .uuid: self = .uuid
    case .toOne: self = .object
    case .object: return nil
    }
  }

  /// A kind that holds every value of the family.
  var widestKind: SlotKind {
    switch self {
    case .number: .double
    case .text: .string
    case .date: .date
    case .data: .data
    case .uuid: .uuid
    case .object: .toOne
    }
  }

  init?(_ value: PredicateValue) {
    switch value {
    case .bool, .integer, .real, .decimal: self = .number
    case .string, .url: self = .text
    case .date: self = .date
    case .data: self = .data
    case .uuid: self = .uuid
    case .row, .reference: self = .object
    case .null, .list: return nil
    }
  }
}
