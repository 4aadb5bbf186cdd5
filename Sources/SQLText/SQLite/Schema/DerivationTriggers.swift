import StrataRowStore

/// The triggers that maintain the column of a derived attribute.
struct DerivationTriggers {
  private let derived: DerivedColumn
  private let table: String
  /// A condition, to be appended to others, that excludes rows of other entities in the table.
  private let family: String

  private var column: String { derived.column.name }

  init(of derived: DerivedColumn, in schema: StoreSchema) {
    self.derived = derived
    table = schema.table(of: derived.layout).name
    let numbers = derived.layout.subtreeNumbers
    let list = numbers.map(schema.storedNumber).sorted().map(String.init).joined(separator: ", ")
    family = schema.holdsOthers(than: numbers, inTableOf: derived.layout) ? " AND Z_ENT IN (\(list))" : ""
  }

  var statements: [SQLStatement] {
    switch derived.derivation {
    case .now: changes
    case .attribute(let source, let text): copies(of: source.name, text)
    case .related(let source, let text, let link, let other): copies(of: source.name, in: other, by: link, text)
    case .count(let storage): counts(storage)
    case .sum(let summand, let storage): sums(of: summand.name, storage)
    }
  }

  /// A trigger. When Apple's framework writes, it also reports which objects have new values.
  /// - Parameters:
  ///   - suffix: the end of the trigger's name.
  ///   - event: `INSERT`, `UPDATE OF ZCOLUMN` or `DELETE`.
  ///   - other: the watched table, if it is not the attribute's own.
  ///   - isOwn: whether the inserted row itself has the attribute.
  private func trigger(
    _ suffix: String, after event: String, on other: String? = nil, when condition: String? = nil, set value: String,
    where rows: String, isOwn: Bool = false
  ) -> SQLStatement {
    let watched = other ?? table
    let test = condition.map { " WHEN (\($0))" } ?? ""
    let function = "NSCoreDataDATrigger\(isOwn ? "InsertUpdated" : "Updated")AffectedObjectValue"
    let dialect = SQLiteDialect.sqlite
    let title = dialect.identifier(joining: "Z_DA", watched, derived.layout.name, derived.name, suffix)
    let arguments = "\(dialect.literal(.text(table.unquoted))), Z_ENT, Z_PK, \(dialect.literal(.text(derived.name)))"
    return SQLStatement(
      """
      CREATE TRIGGER \(title) AFTER \(event) ON \(watched) FOR EACH ROW\(test) \
      BEGIN UPDATE \(table) SET \(column) = \(value) WHERE \(rows)\(family); \
      SELECT \(function)(\(arguments), \(column)) FROM \(table) WHERE \(rows)\(family); END
      """)
  }
}

/// Values derived from one object.
extension DerivationTriggers {
  /// The time of the last change.
  private var changes: [SQLStatement] {
    let now = "NSCoreDataNow()"
    return [
      trigger("INSERT", after: "INSERT", set: now, where: "Z_PK = NEW.Z_PK", isOwn: true),
      trigger("UPDATE", after: "UPDATE OF Z_OPT", set: now, where: "Z_PK = NEW.Z_PK"),
    ]
  }

  private func shaped(_ value: String, _ text: TextDerivation?) -> String {
    switch text {
    case .canonical: "NSCoreDataCanonical(\(value))"
    case .uppercase: "NSCoreDataToUpper(\(value))"
    case .lowercase: "NSCoreDataToLower(\(value))"
    case nil: value
    }
  }

  /// From another attribute of the same object.
  private func copies(of source: String, _ text: TextDerivation?) -> [SQLStatement] {
    let value = shaped("NEW.\(source)", text)
    return [
      trigger("INSERT", after: "INSERT", set: value, where: "Z_PK = NEW.Z_PK", isOwn: true),
      trigger("UPDATE", after: "UPDATE OF \(source)", set: value, where: "Z_PK = NEW.Z_PK"),
    ]
  }

  /// From an attribute of the destination of a to-one relationship.
  private func copies(
    of source: String, in other: String, by link: String, _ text: TextDerivation?
  ) -> [SQLStatement] {
    let found = "(SELECT \(shaped(source, text)) FROM \(other) WHERE Z_PK = NEW.\(link))"
    let value = shaped("NEW.\(source)", text)
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
extension DerivationTriggers {
  /// The number of members of a relationship.
  private func counts(_ storage: ToManyStorage) -> [SQLStatement] {
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

  /// The sum of an attribute of the members.
  private func sums(of summand: String, _ storage: ToManyStorage) -> [SQLStatement] {
    let (other, key, _) = storage.membership
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
