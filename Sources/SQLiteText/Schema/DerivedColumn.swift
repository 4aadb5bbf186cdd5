import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText

/// The column of a derived attribute, and the triggers that maintain it.
struct DerivedColumn {
  let layout: EntityLayout
  private let name: String
  private let column: String
  private let table: String
  /// A condition, to be appended to others, that excludes rows of other entities in the table.
  private let family: String

  init(of layout: EntityLayout, attribute name: String, column: String, in schema: StoreSchema) {
    self.layout = layout
    self.name = name
    self.column = column
    table = schema.table(of: layout).name
    let numbers = layout.familyNumbers
    let list = numbers.map(schema.storedNumber).sorted().map(String.init).joined(separator: ", ")
    family = schema.holdsOthers(than: numbers, inTableOf: layout) ? " AND Z_ENT IN (\(list))" : ""
  }

  /// A trigger. When Apple's framework writes, it also reports which objects have new values.
  /// - Parameters:
  ///   - suffix: the end of the trigger's name.
  ///   - event: `INSERT`, `UPDATE OF ZCOLUMN` or `DELETE`.
  ///   - other: the watched table, if it is not the attribute's own.
  ///   - isOwn: whether the inserted row itself has the attribute.
  func trigger(
    _ suffix: String, after event: String, on other: String? = nil, when condition: String? = nil, set value: String,
    where rows: String, isOwn: Bool = false
  ) -> SQLStatement {
    let watched = other ?? table
    let test = condition.map { " WHEN (\($0))" } ?? ""
    let function = "NSCoreDataDATrigger\(isOwn ? "InsertUpdated" : "Updated")AffectedObjectValue"
    let dialect = SQLiteDialect.sqlite
    let title = dialect.identifier(joining: "Z_DA", watched, layout.name, name, suffix)
    let place = "\(dialect.literal(.text(table.unquoted))), Z_ENT, Z_PK, \(dialect.literal(.text(name)))"
    return SQLStatement(
      """
      CREATE TRIGGER \(title) AFTER \(event) ON \(watched) FOR EACH ROW\(test) \
      BEGIN UPDATE \(table) SET \(column) = \(value) WHERE \(rows)\(family); \
      SELECT \(function)(\(place), \(column)) FROM \(table) WHERE \(rows)\(family); END
      """)
  }

  func refusal(of node: ExpressionNode) -> StoreError {
    StoreError(
      .unsupported,
      "The derived attribute '\(layout.name).\(name)' cannot be computed from '\(node)'. It may be an attribute, one of "
        + "a to-one relationship, canonical:, uppercase: or lowercase: of such, now(), or the @count or @sum of a "
        + "to-many relationship.")
  }
}

/// Values derived from one object.
extension DerivedColumn {
  /// From another attribute of the same object.
  func copies(of source: String, _ shaped: (String) -> String) -> [SQLStatement] {
    let value = shaped("NEW.\(source)")
    return [
      trigger("INSERT", after: "INSERT", set: value, where: "Z_PK = NEW.Z_PK", isOwn: true),
      trigger("UPDATE", after: "UPDATE OF \(source)", set: value, where: "Z_PK = NEW.Z_PK"),
    ]
  }

  /// From an attribute of the destination of a to-one relationship.
  func copies(
    of source: String, in other: String, by link: String, _ shaped: (String) -> String
  ) -> [SQLStatement] {
    let found = "(SELECT \(shaped(source)) FROM \(other) WHERE Z_PK = NEW.\(link))"
    let value = shaped("NEW.\(source)")
    return [
      trigger("PARAMETER_INSERT", after: "INSERT", on: other, set: value, where: "\(link) = NEW.Z_PK"),
      trigger("PARAMETER_UPDATE", after: "UPDATE OF \(source)", on: other, set: value, where: "\(link) = NEW.Z_PK"),
      trigger("PARAMETER_DELETE", after: "DELETE", on: other, set: "NULL", where: "\(link) = OLD.Z_PK"),
      trigger("SOURCE_INSERT", after: "INSERT", set: found, where: "Z_PK = NEW.Z_PK", isOwn: true),
      trigger("SOURCE_UPDATE", after: "UPDATE OF \(link)", set: found, where: "Z_PK = NEW.Z_PK"),
    ]
  }
}

/// Values derived from many objects.
extension DerivedColumn {
  /// The number of members of a relationship; nil for one that is its own inverse.
  func counts(_ storage: ToManyStorage) -> [SQLStatement]? {
    guard !storage.isSymmetric else { return nil }
    let (other, key, isMovable) = storage.membership
    let more = "IFNULL(\(column), 0) + 1"
    let new = "Z_PK = NEW.\(key)"
    let old = "Z_PK = OLD.\(key)"
    let moves = [
      trigger(
        "PARAMETER_UPDATE_INCREMENT", after: "UPDATE OF \(key)", on: other, when: "NEW.\(key) NOT NULL",
        set: "\(column) + 1", where: new),
      trigger(
        "PARAMETER_UPDATE_DECREMENT", after: "UPDATE OF \(key)", on: other, when: "OLD.\(key) NOT NULL",
        set: "\(column) - 1", where: old),
    ]
    return [
      trigger("PARAMETER_INSERT", after: "INSERT", on: other, when: "NEW.\(key) NOT NULL", set: more, where: new)
    ] + (isMovable ? moves : []) + [
      trigger(
        "PARAMETER_DELETE", after: "DELETE", on: other, when: "OLD.\(key) NOT NULL", set: "\(column) - 1", where: old),
      trigger(
        "SOURCE_INSERT", after: "INSERT",
        set: "(SELECT IFNULL(COUNT(\(key)), 0) FROM \(other) WHERE \(key) = NEW.Z_PK)",
        where: "Z_PK = NEW.Z_PK", isOwn: true),
    ]
  }

  /// The sum of an attribute of the members; nil for a many-to-many relationship.
  func sums(of summand: String, _ storage: ToManyStorage) -> [SQLStatement]? {
    let (other, key, isMovable) = storage.membership
    guard isMovable else { return nil }
    func sum(_ owner: String) -> String { "(SELECT IFNULL(SUM(\(summand)), 0) FROM \(other) WHERE \(key) = \(owner))" }
    func trigger(_ suffix: String, after event: String, row: String) -> SQLStatement {
      let owner = "\(row).\(key)"
      return self.trigger(
        suffix, after: event, on: other, when: "\(owner) NOT NULL", set: sum(owner), where: "Z_PK = \(owner)")
    }
    return [
      trigger("PARAMETER_INSERT", after: "INSERT", row: "NEW"),
      trigger("PARAMETER_UPDATE_INCREMENT", after: "UPDATE OF \(key), \(summand)", row: "NEW"),
      trigger("PARAMETER_UPDATE_DECREMENT", after: "UPDATE OF \(key)", row: "OLD"),
      trigger("PARAMETER_DELETE", after: "DELETE", row: "OLD"),
      self.trigger("SOURCE_INSERT", after: "INSERT", set: sum("NEW.Z_PK"), where: "Z_PK = NEW.Z_PK", isOwn: true),
    ]
  }
}

extension ToManyStorage {
  /// The table with a row for each member, its column with the owner's key, and whether a row may change its owner.
  fileprivate var membership: (table: String, key: String, isMovable: Bool) {
    switch self {
    case .inverse(let table, let column, _), .ownerless(let table, let column, _): (table, column, true)
    case .join(let table, let own, _, _, _): (table, own, false)
    }
  }
}
