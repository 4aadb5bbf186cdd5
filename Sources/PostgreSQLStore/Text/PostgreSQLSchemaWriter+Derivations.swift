import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Derived attributes, which triggers compute no matter which program writes the rows.
///
/// A row's own values are set before it is written. Values that depend on other rows are recomputed after the statement
/// that writes these, so the last statement leaves correct values in any order of writing. Their owners are locked
/// first and in order, so that no commit misses another's members.
extension PostgreSQLSchemaWriter {
  /// The beginning of the names of the functions, and of triggers, which have the names of their functions.
  package static let derivationPrefix = "z_da_"

  /// The functions and triggers of all derived attributes.
  /// - Throws: `.unsupported` for an attribute that the server cannot compute.
  package func derivations() throws -> [SQLStatement] {
    var names: Set<String> = []
    return try schema.derivedColumns().flatMap { try DerivationTriggers(of: $0, in: schema, &names).statements }
  }

  /// Computes derived attributes in all rows.
  /// - Parameter isWanted: whether an attribute, with the entity that declares it, is among them.
  package func derivedValues(where isWanted: (_ entity: String, _ name: String) -> Bool) throws -> [SQLStatement] {
    var names: Set<String> = []
    return try schema.derivedColumns().filter { isWanted($0.layout.name, $0.name) }
      .map { try DerivationTriggers(of: $0, in: schema, &names).fill }
  }

  /// Removes the functions of derived attributes, and the triggers with them.
  package func dropDerivations() throws -> [SQLStatement] {
    var names: Set<String> = []
    return try schema.derivedColumns().flatMap { try DerivationTriggers(of: $0, in: schema, &names).drops }
  }
}

/// The functions and triggers that maintain the column of a derived attribute.
private struct DerivationTriggers {
  private let derived: DerivedColumn
  private let table: String
  private let columns: RowColumns
  /// Z_ENT of the rows that have the attribute; nil if all of the table have.
  private let numbers: String?
  /// The names of functions and triggers: of the row's own, of other rows', and of what happens to these.
  private let names: [String: String]

  private var column: String { derived.column.name }

  init(of derived: DerivedColumn, in schema: StoreSchema, _ used: inout Set<String>) throws {
    self.derived = derived
    table = schema.table(of: derived.layout).name
    columns = schema.rowColumns
    let family = derived.layout.subtreeNumbers
    numbers =
      schema.holdsOthers(than: family, inTableOf: derived.layout)
      ? family.map(schema.storedNumber).sorted().map(String.init).joined(separator: ", ") : nil
    let title = "\(PostgreSQLSchemaWriter.derivationPrefix)\(derived.layout.name)_\(derived.name)"
    var names: [String: String] = [:]
    for part in ["own", "others", "insert", "update", "delete"] {
      names[part] = PostgreSQLDialect().uniqueName("\(title)_\(part)", among: &used)
    }
    self.names = names
    switch derived.derivation {
    case .attribute(let source, let text), .related(let source, let text, _, _):
      if text != nil { throw refusal("the server has no such function of texts") }
      if source.type != derived.column.type { throw refusal("the types of the columns differ") }
      if case .attribute = derived.derivation, source.isDerived { throw refusal("its source is derived itself") }
    case .now, .count, .sum: break
    }
  }

  private func refusal(_ reason: String) -> StoreError {
    StoreError(
      .unsupported,
      "A PostgreSQL store cannot have the derived attribute '\(derived.layout.name).\(derived.name)', as \(reason): make "
        + "it transient and compute it in the program, or store it and set it in willSave().")
  }

  /// The value of a row.
  private func value(of row: String) -> String {
    switch derived.derivation {
    case .now: "extract(epoch FROM clock_timestamp()) - 978307200"
    case .attribute(let source, _): "\(row).\(source.name)"
    case .related(let source, _, let link, let other):
      "(SELECT o.\(source.name) FROM \(other) AS o WHERE o.\(columns.key) = \(row).\(link))"
    case .count(let storage):
      "(SELECT count(*) FROM \(storage.membership.table) AS m WHERE m.\(storage.membership.key) = \(row).\(columns.key))"
    case .sum(let summand, let storage):
      "(SELECT coalesce(sum(m.\(summand.name)), 0) FROM \(storage.membership.table) AS m "
        + "WHERE m.\(storage.membership.key) = \(row).\(columns.key))"
    }
  }

  /// Computes all rows' values.
  var fill: SQLStatement {
    let family = numbers.map { " WHERE t.\(columns.entity) IN (\($0))" } ?? ""
    return SQLStatement("UPDATE \(table) AS t SET \(column) = \(value(of: "t"))\(family)")
  }

  var drops: [SQLStatement] {
    ["own", "others"].map { SQLStatement("DROP FUNCTION IF EXISTS \(name($0))() CASCADE") }
  }

  var statements: [SQLStatement] {
    switch derived.derivation {
    case .now: own(after: columns.version)
    case .attribute(let source, _): own(after: source.name)
    case .related(let source, _, let link, let other):
      own(after: link) + others(in: other, key: columns.key, watching: source.name, owners: link)
    case .count(let storage): own(after: nil) + members(of: storage, watching: nil)
    case .sum(let summand, let storage): own(after: nil) + members(of: storage, watching: summand.name)
    }
  }

  private func members(of storage: ToManyStorage, watching summand: String?) -> [SQLStatement] {
    others(in: storage.membership.table, key: storage.membership.key, watching: summand, owners: columns.key)
  }

  private func function(_ part: String, _ body: String) -> SQLStatement {
    // Pins search_path to the store's schema, so that the function works for every role.
    SQLStatement(
      "CREATE FUNCTION \(name(part))() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS "
        + PostgreSQLDialect().literal(.text(body)))
  }

  private func name(_ part: String) -> String { names[part] ?? "" }

  /// Sets the value of a row that is inserted, or whose column is set.
  private func own(after column: String?) -> [SQLStatement] {
    let update = column.map { " OR UPDATE OF \($0)" } ?? ""
    let condition = numbers.map { " WHEN (NEW.\(columns.entity) IN (\($0)))" } ?? ""
    return [
      function("own", "BEGIN NEW.\(self.column) := \(value(of: "NEW")); RETURN NEW; END"),
      SQLStatement(
        "CREATE TRIGGER \(name("own")) BEFORE INSERT\(update) ON \(table) FOR EACH ROW\(condition) "
          + "EXECUTE FUNCTION \(name("own"))()"),
    ]
  }

  /// Computes the values of rows that depend on the rows of a table which a statement changed.
  /// - Parameters:
  ///   - key: the column whose values tell which rows depend on a row of the other table.
  ///   - source: the column of the other table that matters besides, if any.
  ///   - owners: the column of the dependent rows that has the values of `key`.
  private func others(in other: String, key: String, watching source: String?, owners: String) -> [SQLStatement] {
    let dependent = "t.\(owners) = ANY (keys)" + (numbers.map { " AND t.\(columns.entity) IN (\($0))" } ?? "")
    let body = """
      DECLARE keys bigint[]; BEGIN \
      CASE TG_OP WHEN 'INSERT' THEN keys := \(keys("SELECT \(key) AS k FROM strata_new")); \
      WHEN 'DELETE' THEN keys := \(keys("SELECT \(key) AS k FROM strata_old")); \
      ELSE keys := \(keys(changes(of: key, source))); END CASE; \
      IF cardinality(keys) > 0 THEN \
      PERFORM 1 FROM \(table) AS t WHERE \(dependent) ORDER BY t.\(columns.key) FOR NO KEY UPDATE; \
      UPDATE \(table) AS t SET \(column) = \(value(of: "t")) WHERE \(dependent); \
      END IF; RETURN NULL; END
      """
    let events = [
      ("insert", "NEW TABLE AS strata_new"), ("delete", "OLD TABLE AS strata_old"),
      ("update", "NEW TABLE AS strata_new OLD TABLE AS strata_old"),
    ]
    return [function("others", body)]
      + events.map { event, tables in
        SQLStatement(
          "CREATE TRIGGER \(name(event)) AFTER \(event.uppercased()) ON \(other) REFERENCING \(tables) "
            + "FOR EACH STATEMENT EXECUTE FUNCTION \(name("others"))()")
      }
  }

  private func keys(_ rows: String) -> String {
    "ARRAY(SELECT DISTINCT k FROM (\(rows)) AS r WHERE k IS NOT NULL)"
  }

  /// The keys of rows that an UPDATE of the other table concerns.
  private func changes(of key: String, _ source: String?) -> String {
    // A pair has no key of its own.
    if case .count(.join) = derived.derivation {
      return "SELECT \(key) AS k FROM strata_new UNION ALL SELECT \(key) FROM strata_old"
    }
    let tests = [key, source].compactMap { $0 }.map { "a.\($0) IS DISTINCT FROM b.\($0)" }
    return "SELECT unnest(ARRAY[a.\(key), b.\(key)]) AS k FROM strata_new AS a JOIN strata_old AS b "
      + "USING (\(columns.key)) WHERE \(tests.joined(separator: " OR "))"
  }
}
