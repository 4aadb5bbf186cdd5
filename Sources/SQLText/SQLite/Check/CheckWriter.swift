import StrataManagedModel
import StrataRowStore

/// Writes the queries that check a store: each returns the keys of invalid rows, and no rows for a valid store.
package struct CheckWriter: Sendable {
  package struct Question: Sendable {
    /// The issue of the rows that the query returns.
    package var flaw: IntegrityIssue.Kind
    package var table: String
    /// Another table that the statement reads.
    package var other: String?
    /// Continues the sentence "3 rows …".
    package var complaint: String
    /// Returns keys.
    package var statement: SQLStatement
    /// Whether the model allows such rows.
    package var isAllowed = false
    /// The repair that makes them valid without losing data; nil if there is no such repair.
    package var repair: Repair?
  }

  package struct Repair: Sendable {
    package var statement: SQLStatement
    /// A description, such as "reference in ZAUTHOR set to nil".
    package var text: String
  }

  let schema: StoreSchema

  package init(schema: StoreSchema) { self.schema = schema }

  /// The required tables and their columns.
  package var declarations: [(table: String, columns: [String])] {
    schema.tables.map { ($0.name, ["Z_PK", "Z_ENT", "Z_OPT"] + $0.columns.map(\.name)) }
      + schema.joins.map { ($0.name, [$0.own, $0.other] + $0.orders) }
  }

  /// All questions about objects and about the pairs of many-to-many relationships.
  package var questions: [Question] {
    schema.tables.flatMap { rows(of: $0) + references(in: $0) } + schema.joins.flatMap(pairs) + ownerless
  }

  private func rows(of table: RootTable) -> [Question] {
    let numbers = list(table.family.filter { !$0.isAbstract })
    return [
      Question(
        flaw: .unknownEntity, table: table.name, complaint: "belong to no entity with objects in this table",
        statement: "SELECT Z_PK FROM \(table.name) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers))"),
      Question(
        flaw: .noVersion, table: table.name, complaint: "have no version: Z_OPT is at least 1",
        statement: "SELECT Z_PK FROM \(table.name) WHERE Z_OPT IS NULL OR Z_OPT < 1",
        repair: Repair(
          statement: "UPDATE \(table.name) SET Z_OPT = 1 WHERE Z_OPT IS NULL OR Z_OPT < 1", text: "Z_OPT set to 1")),
    ]
  }

  private func list(_ layouts: [EntityLayout]) -> String {
    layouts.map { String(schema.storedNumber(of: $0.number)) }.joined(separator: ", ")
  }

  private func references(in table: RootTable) -> [Question] {
    var done: Set<String> = []
    var questions: [Question] = []
    for layout in table.family {
      for (slot, column) in schema.table(of: layout).columns.enumerated() {
        guard let column, column.kind == .toOne, let relationship = layout.slots[slot].relationship,
          done.insert(column.name).inserted
        else { continue }
        questions.append(dangling(column, of: relationship, in: table.name))
        if let entity = column.entityColumn {
          questions.append(misnumbered(column, entityColumn: entity, in: table.name))
        }
        if let question = oneSided(column, of: relationship, in: table.name) { questions.append(question) }
        if let order = column.orderColumn {
          questions.append(unordered(column.name, orderColumn: order, in: table.name))
        }
      }
    }
    return questions
  }

  /// References to deleted objects are allowed without an inverse, or if the delete rule takes no action.
  private func dangling(_ column: SlotColumn, of relationship: RelationshipLayout, in table: String) -> Question {
    let target = schema.model.layout(number: column.destination)
    let other = schema.table(of: target).name
    let family = target.subtreeNumbers.map(schema.model.layout)
    let isWholeTable = family.count == schema.tables.first { $0.name == other }?.family.count
    let isOne = isWholeTable ? "" : " AND d.Z_ENT IN (\(list(family)))"
    let rule = relationship.inverse?.deleteRule
    let rows: SQLStatement = """
      r.\(column.name) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(other) d WHERE d.Z_PK = r.\(column.name)\(isOne))
      """
    let columns = [column.name, column.entityColumn, column.orderColumn].compactMap(\.self).map { "\($0) = NULL" }
    return Question(
      flaw: .danglingReference, table: table, other: other,
      complaint: "refer in \(column.name) to a row of \(other) that is missing or of another kind",
      statement: "SELECT r.Z_PK FROM \(table) r WHERE \(rows)",
      isAllowed: rule == nil || rule == .noActionDeleteRule,
      repair: Repair(
        statement: """
          UPDATE \(table) SET \(columns.joined(separator: ", ")), Z_OPT = Z_OPT + 1 WHERE Z_PK IN \
          (SELECT r.Z_PK FROM \(table) r WHERE \(rows))
          """,
        text: "reference in \(column.name) set to nil"
          + (relationship.isOptional ? "" : ", though the model requires a value")))
  }

  private func misnumbered(_ column: SlotColumn, entityColumn entity: String, in table: String) -> Question {
    let other = schema.table(of: schema.model.layout(number: column.destination)).name
    return Question(
      flaw: .wrongEntityNumber, table: table, other: other,
      complaint: "have in \(entity) another Z_ENT than the row of \(other) that they refer to",
      statement: """
        SELECT r.Z_PK FROM \(table) r JOIN \(other) d ON d.Z_PK = r.\(column.name) WHERE r.\(entity) IS NOT d.Z_ENT
        """,
      repair: Repair(
        statement: """
          UPDATE \(table) AS u SET \(entity) = (SELECT d.Z_ENT FROM \(other) d WHERE d.Z_PK = u.\(column.name)), \
          Z_OPT = Z_OPT + 1 WHERE u.Z_PK IN (SELECT r.Z_PK FROM \(table) r JOIN \(other) d ON d.Z_PK = r.\(column.name) \
          WHERE r.\(entity) IS NOT d.Z_ENT)
          """, text: "\(entity) set to the Z_ENT of the row that \(column.name) refers to"))
  }

  /// Both rows of a one-to-one relationship refer to each other; nil if the relationship is of another kind.
  private func oneSided(_ column: SlotColumn, of relationship: RelationshipLayout, in table: String) -> Question? {
    let target = schema.model.layout(number: column.destination)
    let other = schema.table(of: target)
    guard let inverse = relationship.inverse, !inverse.isToMany,
      let slot = target.slots.firstIndex(where: { $0.relationship?.name == inverse.name }),
      let back = other.columns[slot]
    else { return nil }
    let rows = "r.\(column.name) = d.Z_PK AND d.\(back.name) IS NOT r.Z_PK"
    // Where several rows refer to one, nothing says which of them is right.
    let free = """
      d.\(back.name) IS NULL AND (SELECT count(*) FROM \(table) s WHERE s.\(column.name) = d.Z_PK) = 1
      """
    let owner = { (value: String) in "(SELECT r.\(value) FROM \(table) r WHERE r.\(column.name) = d.Z_PK)" }
    let entity = back.entityColumn.map { ", \($0) = \(owner("Z_ENT"))" } ?? ""
    return Question(
      flaw: .oneSided, table: table, other: other.name,
      complaint: "refer in \(column.name) to a row of \(other.name) whose \(back.name) does not refer to them",
      statement: "SELECT r.Z_PK FROM \(table) r JOIN \(other.name) d ON \(rows)",
      repair: Repair(
        statement: """
          UPDATE \(other.name) AS d SET \(back.name) = \(owner("Z_PK"))\(entity), Z_OPT = Z_OPT + 1 WHERE \(free)
          """, text: "\(back.name) set to the row whose \(column.name) refers to it"))
  }

  private func unordered(_ column: String, orderColumn order: String, in table: String) -> Question {
    Question(
      flaw: .noPlace, table: table, complaint: "have no position in \(order) among those that refer to the same row",
      statement: "SELECT Z_PK FROM \(table) WHERE \(column) IS NOT NULL AND \(order) IS NULL",
      // The rows of one owner follow each other by key, as they were read so far, after those that have a position.
      repair: Repair(
        statement: """
          UPDATE \(table) SET \(order) = p.place FROM (SELECT r.Z_PK AS k, \
          IFNULL((SELECT max(s.\(order)) FROM \(table) s WHERE s.\(column) = r.\(column)), 1024) \
          + 1024 * row_number() OVER (PARTITION BY r.\(column) ORDER BY r.Z_PK) AS place \
          FROM \(table) r WHERE r.\(column) IS NOT NULL AND r.\(order) IS NULL) AS p WHERE p.k = Z_PK
          """, text: "position in \(order) assigned in key order"))
  }

  private func pairs(_ join: JoinTable) -> [Question] {
    let sides = [(join.own, join.owner), (join.other, join.destination)]
    return sides.map { column, number in
      let target = schema.table(of: schema.model.layout(number: number)).name
      return Question(
        flaw: .orphanPair, table: join.name, other: target, complaint: "have in \(column) no row of \(target)",
        statement: """
          SELECT rowid FROM \(join.name) p WHERE p.\(column) IS NULL OR NOT EXISTS \
          (SELECT 1 FROM \(target) d WHERE d.Z_PK = p.\(column))
          """,
        repair: Repair(
          statement: """
            DELETE FROM \(join.name) WHERE \(column) IS NULL OR \(column) NOT IN (SELECT Z_PK FROM \(target))
            """, text: "pair deleted"))
    }
  }

  /// To-many relationships without an inverse.
  private var ownerless: [Question] {
    schema.layouts.flatMap { layout in
      let own = schema.table(of: layout)
      return layout.toMany.enumerated().compactMap { number, property -> Question? in
        guard layout.declares(property.relationship),
          case .ownerless(let table, let column, _)? = own.toMany[number]
        else { return nil }
        return Question(
          flaw: .danglingReference, table: table, other: own.name,
          complaint: "refer in \(column) to a missing row of \(own.name)",
          statement: """
            SELECT r.Z_PK FROM \(table) r WHERE r.\(column) IS NOT NULL AND NOT EXISTS \
            (SELECT 1 FROM \(own.name) d WHERE d.Z_PK = r.\(column))
            """,
          repair: Repair(
            statement: """
              UPDATE \(table) SET \(column) = NULL, Z_OPT = Z_OPT + 1 WHERE \(column) IS NOT NULL AND \
              \(column) NOT IN (SELECT Z_PK FROM \(own.name))
              """, text: "reference in \(column) set to nil"))
      }
    }
  }
}
