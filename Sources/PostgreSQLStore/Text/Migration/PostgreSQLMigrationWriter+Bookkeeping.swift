import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// The table of entities, and the history.
extension PostgreSQLMigrationWriter {
  /// `z_primarykey` with the new entities; the highest keys are kept.
  var bookkeeping: [SQLStatement] {
    let rows = destination.layouts.map { layout -> SQLStatement in
      let parent = layout.parent.map { destination.storedNumber(of: $0.number) } ?? 0
      let number = destination.storedNumber(of: layout.number)
      let isRoot = layout.number == layout.rootNumber
      let origin = isRoot ? self.rows.tables.first { $0.table.root.number == layout.number }?.origin : nil
      let last =
        origin.map {
          "COALESCE((SELECT z_max FROM z_primarykey WHERE z_ent = \(-source.storedNumber(of: $0.root.number))), 0)"
        } ?? "0"
      return """
        INSERT INTO z_primarykey (z_ent, z_name, z_super, z_max) VALUES (\(number), \(bind: .text(layout.name)), \
        \(parent), \(last))
        """
    }
    return ["UPDATE z_primarykey SET z_ent = -z_ent"] + rows + ["DELETE FROM z_primarykey WHERE z_ent < 0"]
  }

  /// The history in the words of the new model: properties and tombstones are kept by name. That of an entity is
  /// dropped with the entity.
  var history: [SQLStatement] {
    rows.difference.entities.flatMap { change -> [SQLStatement] in
      guard let old = change.before else { return [] }
      let number = source.storedNumber(of: old.number)
      guard let new = change.after else { return ["DELETE FROM achange WHERE zentity = \(number)"] }
      return renamed(change, of: number, from: old) + forgotten(change, of: number, from: old, to: new)
    }
  }

  private func renamed(
    _ change: ModelDifference.EntityChange, of number: Int, from old: EntityLayout
  ) -> [SQLStatement] {
    let moves = change.properties.compactMap { property in
      property.source.map { (old: $0.name, new: property.destination.name) }
    }
    let gone = (old.ownerNames + old.toMany.map(\.name)).filter { name in !moves.contains { $0.old == name } }.sorted()
    let renamed = moves.filter { $0.old != $0.new }
    guard !gone.isEmpty || !renamed.isEmpty else { return [] }
    func literals(_ names: [String]) -> String {
      names.map { destination.dialect.literal(.text($0)) }.joined(separator: ", ")
    }
    let cases = renamed.map { " WHEN \(literals([$0.old])) THEN \(literals([$0.new]))" }.joined()
    let name = renamed.isEmpty ? "p" : "CASE p\(cases) ELSE p END"
    let condition = gone.isEmpty ? "" : " WHERE p NOT IN (\(literals(gone)))"
    return [
      SQLStatement(
        "UPDATE achange SET zproperties = (SELECT string_agg(\(name), ',' ORDER BY n) "
          + "FROM unnest(string_to_array(zproperties, ',')) WITH ORDINALITY AS u (p, n)\(condition)) "
          + "WHERE zentity = \(number) AND zproperties IS NOT NULL")
    ]
  }

  /// Tombstones are kept unless the name of one of their values is another property's now.
  private func forgotten(
    _ change: ModelDifference.EntityChange, of number: Int, from old: EntityLayout, to new: EntityLayout
  ) -> [SQLStatement] {
    let known = Set(old.slots.filter(\.isKeptOnDeletion).map(\.name))
    let isMixed = new.slots.filter(\.isKeptOnDeletion).map(\.name)
      .contains { known.contains($0) && change.origin(of: $0)?.path != $0 }
    return isMixed ? ["UPDATE achange SET ztombstone = NULL WHERE zentity = \(number)"] : []
  }
}
