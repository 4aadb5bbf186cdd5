import StrataManagedModel
import StrataRowStore

/// Z_PRIMARYKEY, the history and indexes.
extension MigrationWriter {
  /// Z_PRIMARYKEY with the new numbers; the highest keys are kept.
  var bookkeeping: [SQLStatement] {
    let rows = destination.layouts.map { layout -> SQLStatement in
      let parent = layout.parent.map { destination.storedNumber(of: $0.number) } ?? 0
      let number = destination.storedNumber(of: layout.number)
      let root =
        layout.number == layout.rootNumber
        ? self.rows.tables.first { $0.table.root.number == layout.number }?.origin : nil
      let last: SQLStatement =
        root.map {
          "IFNULL((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(-source.storedNumber(of: $0.root.number))), 0)"
        } ?? "0"
      return """
        INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\(number), \(bind: .text(layout.name)), \
        \(parent), \(last))
        """
    }
    return ["UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT WHERE Z_ENT < 16000"] + rows
      + ["DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < 0"]
  }

  /// The history with the new numbers. Bits of properties are dropped where the order of properties changed, and the
  /// history of an entity is dropped with the entity.
  var history: [SQLStatement] {
    guard let table = declarations.first(where: { $0.type == "table" && $0.name == "ACHANGE" }) else { return [] }
    let before = HistoryWriter(schema: source)
    let after = HistoryWriter(schema: destination)
    var statements: [SQLStatement] = (0..<after.tombstoneCount).filter { !table.text.contains("ZTOMBSTONE\($0) ") }
      .map { "ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE\($0) BLOB" }
    var numbers: [(Int, Int)] = []
    for change in difference.entities {
      guard let old = change.before else { continue }
      let number = source.storedNumber(of: old.number)
      guard let new = change.after else {
        statements.append("DELETE FROM ACHANGE WHERE ZENTITY = \(number)")
        continue
      }
      numbers.append((number, destination.storedNumber(of: new.number)))
      statements += forgotten(
        number, from: (old, before.columns(of: old)), to: (new, after.columns(of: new)), change: change)
    }
    return statements + renumbered(numbers)
  }

  private func forgotten(
    _ number: Int, from old: (layout: EntityLayout, columns: HistoryColumns),
    to new: (layout: EntityLayout, columns: HistoryColumns), change: ModelDifference.EntityChange
  ) -> [SQLStatement] {
    var lost: [String] = []
    if old.columns.names != new.columns.names { lost.append("ZCOLUMNS = NULL") }
    let past = new.columns.tombstones.map { change.origin(of: new.layout.slots[$0].name)?.path }
    if old.columns.tombstones.map({ Optional(old.layout.slots[$0].name) }) != past {
      lost += old.columns.tombstones.indices.map { "ZTOMBSTONE\($0) = NULL" }
    }
    return lost.isEmpty ? [] : ["UPDATE ACHANGE SET \(lost.joined(separator: ", ")) WHERE ZENTITY = \(number)"]
  }

  private func renumbered(_ numbers: [(Int, Int)]) -> [SQLStatement] {
    let moved = numbers.filter { $0.0 != $0.1 }
    guard !moved.isEmpty else { return [] }
    let cases = moved.map { " WHEN \($0.0) THEN \($0.1)" }.joined()
    return ["UPDATE ACHANGE SET ZENTITY = CASE ZENTITY\(cases) ELSE ZENTITY END"]
  }

  private var changedTables: Set<String> {
    Set(rows.tables.filter { !$0.isKept }.compactMap(\.origin?.name) + rows.oldTables + rows.oldJoins)
  }

  /// Indexes and triggers prevent changes of columns, and the new model may need others.
  func dropDeclarations(but wanted: [SQLStatement]) -> [SQLStatement] {
    let texts = Set(wanted.map(\.text))
    let own = Set(source.tables.map(\.name) + source.joins.map(\.name))
    let changed = changedTables
    return declarations.filter { $0.name.hasPrefix("Z") || $0.isForeign }.compactMap { declaration -> SQLStatement? in
      switch declaration.type {
      case "trigger": "DROP TRIGGER \(declaration.name.quoted(by: "\""))"
      case "index" where own.contains(declaration.table) && declaration.isForeign:
        "DROP INDEX \(declaration.name.quoted(by: "\""))"
      case "index" where own.contains(declaration.table):
        !changed.contains(declaration.table) && texts.contains(declaration.text)
          ? nil : "DROP INDEX \(declaration.name.quoted(by: "\""))"
      case "table" where declaration.name.hasPrefix("Z_RT_") && declaration.text.hasPrefix("CREATE VIRTUAL TABLE"):
        "DROP TABLE \(declaration.name.quoted(by: "\""))"
      default: nil
      }
    }
  }

  func makeIndexes(_ wanted: [SQLStatement]) -> [SQLStatement] {
    let changed = changedTables
    let kept = Set(
      declarations.filter { $0.type == "index" && $0.name.hasPrefix("Z") && !changed.contains($0.table) }.map(\.text))
    return wanted.filter { !kept.contains($0.text) }
  }
}
