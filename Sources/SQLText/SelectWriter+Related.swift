import ManagedModel
import RowStore

/// The other ends of to-many relationships.
extension SelectWriter {
  /// Z_PK and Z_ENT of the members of a relationship of the object with the key `?1`: in the relationship's order, or
  /// in the order of keys. nil if the relationship is not stored.
  package func related(owner layout: EntityLayout, relationship: Int) -> String? { related(layout, relationship, nil) }

  /// The owner's key, Z_PK and Z_ENT of the members of a relationship of many objects, in the order of the owners' keys.
  package func related(owner layout: EntityLayout, relationship: Int, of owners: KeyTest) -> String? {
    related(layout, relationship, owners)
  }

  /// Whether the members of owners that follow each other come straight from an index, one after another.
  package func isReadInOrder(owner layout: EntityLayout, relationship: Int) -> Bool {
    guard let storage = schema.table(of: layout).toMany[relationship] else { return false }
    return storage.order == nil && !storage.isSymmetric
  }

  /// The number in the model of the entity that all members of a relationship are of; nil if each row says its own.
  package func memberEntity(owner layout: EntityLayout, relationship: Int) -> Int? {
    guard let destination = layout.toMany[relationship].relationship.destinationEntity?.layout,
      !schema.holdsOthers(than: [destination.number], inTableOf: destination)
    else { return nil }
    return destination.number
  }

  private func related(_ layout: EntityLayout, _ relationship: Int, _ owners: KeyTest?) -> String? {
    relatedTexts.value(RelatedKey(entity: layout.number, relationship: relationship, owners: owners)) {
      guard let storage = schema.table(of: layout).toMany[relationship],
        let destination = layout.toMany[relationship].relationship.destinationEntity?.layout
      else { return nil }
      return related(storage, destination, owners)
    }
  }

  private func related(_ storage: ToManyStorage, _ destination: EntityLayout, _ owners: KeyTest?) -> String {
    let (table, own, other): (String, String, String)
    switch storage {
    case .inverse(let name, let column, _), .ownerless(let name, let column, _):
      (table, own, other) = (name, column, "Z_PK")
    case .join(let name, let column, let otherColumn, _):
      let pairs =
        "(SELECT \(column), \(otherColumn) FROM \(name) UNION SELECT \(otherColumn), \(column) FROM \(name))"
      (table, own, other) = (storage.isSymmetric ? pairs : name, column, otherColumn)
    }
    let (entity, join) = entity(of: destination, other)
    // Members that nobody has placed yet come last.
    let place = storage.isSymmetric ? "" : storage.order.map { "t0.\($0) IS NULL, t0.\($0), " } ?? ""
    let isSeveral = owners != nil
    return "SELECT \(isSeveral ? "t0.\(own), " : "")t0.\(other), \(entity) FROM \(table) t0\(join)"
      + " WHERE t0.\(own) \((owners ?? .one).text) ORDER BY \(isSeveral ? "t0.\(own), " : "")\(place)t0.\(other)"
  }

  /// How the Z_ENT of a member is known: where a table holds one entity alone, without looking, so that the index on the
  /// owners' keys tells all that is asked.
  private func entity(of destination: EntityLayout, _ column: String) -> (String, join: String) {
    guard schema.holdsOthers(than: [destination.number], inTableOf: destination) else {
      return (String(schema.storedNumber(of: destination.number)), "")
    }
    if column == "Z_PK" { return ("t0.Z_ENT", "") }
    return ("t1.Z_ENT", " JOIN \(schema.table(of: destination).name) t1 ON t1.Z_PK = t0.\(column)")
  }
}

/// What a text about the members of a relationship depends on.
struct RelatedKey: Hashable {
  var entity, relationship: Int
  /// nil of the text for one owner, which does not tell the owner's key.
  var owners: KeyTest?
}
