import StrataManagedModel
import StrataPredicates

/// One side of a comparison, as SQL sees it.
indirect enum Operand {
  case constant(PredicateValue)
  /// An attribute's column.
  case column(String, SlotKind)
  /// The key of an object, and the entity that it is known to be of.
  case object(key: String, EntityLayout)
  /// An object that no path can go on from: the key's text has values in it.
  case derivedObject(SQLStatement, EntityLayout)
  /// A value that is worked out, and the kind of constants it is compared with.
  case derived(SQLStatement, SlotKind)
  case list([Operand])
  case members(MemberQuery)

  /// The text that stands for a single value; nil for constants and lists.
  var text: SQLStatement? {
    switch self {
    case .column(let text, _), .object(let text, _): SQLStatement(text)
    case .derived(let statement, _), .derivedObject(let statement, _): statement
    case .constant, .list, .members: nil
    }
  }

  /// Whether both sides are objects that cannot be one, as their keys are counted apart.
  func isObject(ofOtherTableThan other: Operand) -> Bool {
    guard let layout, let otherLayout = other.layout else { return false }
    return layout.rootNumber != otherLayout.rootNumber
  }

  /// The entity that an object is known to be of.
  var layout: EntityLayout? {
    switch self {
    case .object(_, let layout), .derivedObject(_, let layout): layout
    default: nil
    }
  }

  /// What the value can be compared with; nil for lists.
  var family: ValueFamily? {
    switch self {
    case .constant(let value): ValueFamily(value)
    case .column(_, let kind), .derived(_, let kind): ValueFamily(kind)
    case .object, .derivedObject: .object
    case .list, .members: nil
    }
  }
}

/// The members of a to-many key path, one of which the operand stands for.
struct MemberQuery {
  let scope: QueryScope
  /// What ties the members to their owner, and what else they have to fulfil.
  var link: SQLStatement
  var member: Operand
  /// What the members' own order goes by; nil where they have none.
  var place: String?

  /// A condition that holds if a member's condition is true.
  func exists(_ isExpected: Bool, where condition: SQLStatement) -> SQLStatement {
    "\(isExpected ? "EXISTS" : "NOT EXISTS") (SELECT 1 FROM \(scope.from) WHERE \(link) AND \(condition))"
  }
}

/// Kinds of values; those of different kinds are never equal, and neither is less than the other.
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
