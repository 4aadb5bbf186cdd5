import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// The column of a derived attribute, and the triggers that keep it right.
struct DerivedColumn {
  let layout: EntityLayout
  private let name: String
  private let column: String
  private let table: String
  /// Behind a condition: rows of other entities in the table stay as they are.
  private let family: String

  init(_ layout: EntityLayout, _ name: String, _ column: String, in schema: StoreSchema) {
    self.layout = layout
    self.name = name
    self.column = column
    table = schema.table(of: layout).name
    let numbers = layout.familyNumbers
    let list = numbers.map(schema.storedNumber).sorted().map(String.init).joined(separator: ", ")
    family = schema.holdsOthers(than: numbers, inTableOf: layout) ? " AND Z_ENT IN (\(list))" : ""
  }

  /// One trigger. It tells Apple's framework, if that is who writes, which object has a new value.
  /// - Parameters:
  ///   - suffix: the end of the trigger's name.
  ///   - event: `INSERT`, `UPDATE OF ZCOLUMN` or `DELETE`.
  ///   - other: the table that is watched, if it is not the attribute's own.
  ///   - isOwn: whether the row with the attribute is the one that was inserted.
  func trigger(
    _ suffix: String, _ event: String, on other: String? = nil, when condition: String? = nil, set value: String,
    where rows: String, isOwn: Bool = false
  ) -> SQLStatement {
    let watched = other ?? table
    let test = condition.map { " WHEN (\($0))" } ?? ""
    let function = "NSCoreDataDATrigger\(isOwn ? "InsertUpdated" : "Updated")AffectedObjectValue"
    return SQLStatement(
      """
      CREATE TRIGGER Z_DA_\(watched)_\(layout.name)_\(name)_\(suffix) AFTER \(event) ON \(watched) FOR EACH ROW\(test) \
      BEGIN UPDATE \(table) SET \(column) = \(value) WHERE \(rows)\(family); \
      SELECT \(function)('\(table)', Z_ENT, Z_PK, '\(name)', \(column)) FROM \(table) WHERE \(rows)\(family); END
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

/// Values of one object.
extension DerivedColumn {
  /// The value of another attribute of the same object.
  func copies(of source: String, _ shaped: (String) -> String) -> [SQLStatement] {
    let value = shaped("NEW.\(source)")
    return [
      trigger("INSERT", "INSERT", set: value, where: "Z_PK = NEW.Z_PK", isOwn: true),
      trigger("UPDATE", "UPDATE OF \(source)", set: value, where: "Z_PK = NEW.Z_PK"),
    ]
  }

  /// The value of an attribute of the object that a to-one relationship leads to.
  func copies(
    of source: String, in other: String, by link: String, _ shaped: (String) -> String
  ) -> [SQLStatement] {
    let found = "(SELECT \(shaped(source)) FROM \(other) WHERE Z_PK = NEW.\(link))"
    let told = shaped("NEW.\(source)")
    return [
      trigger("PARAMETER_INSERT", "INSERT", on: other, set: told, where: "\(link) = NEW.Z_PK"),
      trigger("PARAMETER_UPDATE", "UPDATE OF \(source)", on: other, set: told, where: "\(link) = NEW.Z_PK"),
      trigger("PARAMETER_DELETE", "DELETE", on: other, set: "NULL", where: "\(link) = OLD.Z_PK"),
      trigger("SOURCE_INSERT", "INSERT", set: found, where: "Z_PK = NEW.Z_PK", isOwn: true),
      trigger("SOURCE_UPDATE", "UPDATE OF \(link)", set: found, where: "Z_PK = NEW.Z_PK"),
    ]
  }
}

/// Values of many objects.
extension DerivedColumn {
  /// How many members a relationship has; nil for one that is its own inverse.
  func counts(_ storage: ToManyStorage) -> [SQLStatement]? {
    guard !storage.isSymmetric else { return nil }
    let (other, key, isMovable) = storage.membership
    let more = "IFNULL(\(column), 0) + 1"
    let new = "Z_PK = NEW.\(key)"
    let old = "Z_PK = OLD.\(key)"
    let moves = [
      trigger(
        "PARAMETER_UPDATE_INCREMENT", "UPDATE OF \(key)", on: other, when: "NEW.\(key) NOT NULL",
        set: "\(column) + 1", where: new),
      trigger(
        "PARAMETER_UPDATE_DECREMENT", "UPDATE OF \(key)", on: other, when: "OLD.\(key) NOT NULL",
        set: "\(column) - 1", where: old),
    ]
    return [
      trigger("PARAMETER_INSERT", "INSERT", on: other, when: "NEW.\(key) NOT NULL", set: more, where: new)
    ] + (isMovable ? moves : []) + [
      trigger(
        "PARAMETER_DELETE", "DELETE", on: other, when: "OLD.\(key) NOT NULL", set: "\(column) - 1", where: old),
      trigger(
        "SOURCE_INSERT", "INSERT", set: "(SELECT IFNULL(COUNT(\(key)), 0) FROM \(other) WHERE \(key) = NEW.Z_PK)",
        where: "Z_PK = NEW.Z_PK", isOwn: true),
    ]
  }

  /// The sum of an attribute of the members; nil for a many-to-many relationship.
  func sums(of summand: String, _ storage: ToManyStorage) -> [SQLStatement]? {
    let (other, key, isMovable) = storage.membership
    guard isMovable else { return nil }
    func sum(_ owner: String) -> String { "(SELECT IFNULL(SUM(\(summand)), 0) FROM \(other) WHERE \(key) = \(owner))" }
    func trigger(_ suffix: String, _ event: String, _ row: String) -> SQLStatement {
      let owner = "\(row).\(key)"
      return self.trigger(
        suffix, event, on: other, when: "\(owner) NOT NULL", set: sum(owner), where: "Z_PK = \(owner)")
    }
    return [
      trigger("PARAMETER_INSERT", "INSERT", "NEW"),
      trigger("PARAMETER_UPDATE_INCREMENT", "UPDATE OF \(key), \(summand)", "NEW"),
      trigger("PARAMETER_UPDATE_DECREMENT", "UPDATE OF \(key)", "OLD"),
      trigger("PARAMETER_DELETE", "DELETE", "OLD"),
      self.trigger("SOURCE_INSERT", "INSERT", set: sum("NEW.Z_PK"), where: "Z_PK = NEW.Z_PK", isOwn: true),
    ]
  }
}

extension ToManyStorage {
  /// The table with a row for each member, its column with the owner's key, and whether a row can get another owner.
  fileprivate var membership: (table: String, key: String, isMovable: Bool) {
    switch self {
    case .inverse(let table, let column, _), .ownerless(let table, let column, _): (table, column, true)
    case .join(let table, let own, _, _): (table, own, false)
    }
  }
}
