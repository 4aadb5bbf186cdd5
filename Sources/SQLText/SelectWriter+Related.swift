import ManagedModel
import RowStore
import Synchronization

/// The other ends of to-many relationships.
extension SelectWriter {
  /// Z_PK and Z_ENT of the members of a relationship of the object with the key `?1`: in the relationship's order, or
  /// in the order of keys. nil if the relationship is not stored.
  package func related(owner layout: EntityLayout, relationship: Int) -> String? {
    relatedTexts.text(layout.number, relationship, 0) {
      related(owner: layout, relationship, columns: "", isAnyOf: "= ?1", order: "")
    }
  }

  /// The owner's key, Z_PK and Z_ENT of the members of a relationship of many objects, by owner.
  /// - Parameter keyCount: how many placeholders there are, all of them keys of owners.
  package func related(owner layout: EntityLayout, relationship: Int, keyCount: Int) -> String? {
    relatedTexts.text(layout.number, relationship, keyCount) {
      let keys = repeatElement("?", count: keyCount).joined(separator: ", ")
      return related(owner: layout, relationship, columns: "OWNER, ", isAnyOf: "IN (\(keys))", order: "OWNER, ")
    }
  }

  /// - Parameters:
  ///   - columns: what comes before the member; `OWNER` stands for the owner's key.
  ///   - isAnyOf: the test of the owner's key.
  private func related(
    owner layout: EntityLayout, _ number: Int, columns: String, isAnyOf: String, order: String
  ) -> String? {
    guard let storage = schema.table(of: layout).toMany[number],
      let destination = layout.toMany[number].relationship.destinationEntity?.layout
    else { return nil }
    // Members that nobody has placed yet come last.
    let place = storage.order.map { "t0.\($0) IS NULL, t0.\($0), " } ?? ""
    switch storage {
    case .inverse(let table, let column, _), .ownerless(let table, let column, _):
      let owner = order.replacing("OWNER", with: "t0.\(column)")
      return "SELECT \(columns.replacing("OWNER", with: "t0.\(column)"))t0.Z_PK, t0.Z_ENT FROM \(table) t0"
        + " WHERE t0.\(column) \(isAnyOf) ORDER BY \(owner)\(place)t0.Z_PK"
    case .join(let table, let own, let other, _):
      let owner = order.replacing("OWNER", with: "t0.\(own)")
      let pairs =
        storage.isSymmetric
        ? "(SELECT \(own), \(other) FROM \(table) UNION SELECT \(other), \(own) FROM \(table))" : table
      let (entity, join) = entity(of: destination, other)
      return "SELECT \(columns.replacing("OWNER", with: "t0.\(own)"))t0.\(other), \(entity) FROM \(pairs) t0\(join)"
        + " WHERE t0.\(own) \(isAnyOf) ORDER BY \(owner)\(storage.isSymmetric ? "" : place)t0.\(other)"
    }
  }

  /// How the Z_ENT of a joined key is known: where a table holds one entity alone, without looking.
  private func entity(of destination: EntityLayout, _ column: String) -> (String, join: String) {
    guard schema.holdsOthers(than: [destination.number], inTableOf: destination) else {
      return (String(schema.storedNumber(of: destination.number)), "")
    }
    return ("t1.Z_ENT", " JOIN \(schema.table(of: destination).name) t1 ON t1.Z_PK = t0.\(column)")
  }
}

/// The texts that were written before, by entity, relationship and number of keys.
final class RelatedTexts: Sendable {
  private struct Key: Hashable { var entity, relationship, keyCount: Int }

  private let texts = Mutex<[Key: String?]>([:])

  func text(_ entity: Int, _ relationship: Int, _ keyCount: Int, _ write: () -> String?) -> String? {
    let key = Key(entity: entity, relationship: relationship, keyCount: keyCount)
    if let known = texts.withLock({ $0[key] }) { return known }
    let text = write()
    texts.withLock { $0[key] = .some(text) }
    return text
  }
}
