import StrataManagedModel
import StrataRowStore

/// The other ends of to-many relationships.
extension SelectWriter {
  /// Z_PK and Z_ENT of the members of a relationship of the object with the key `?1`: in the relationship's order, or
  /// in the order of keys. nil if the relationship is not stored.
  package func related(owner layout: EntityLayout, relationship: Int) -> String? {
    related(layout, relationship, nil, isTaken: false)
  }

  /// The owner's key, Z_PK and Z_ENT of the members of a relationship of many objects, in the order of the owners' keys.
  /// - Parameter isTaken: whether `SQLDialect.taking` gets them, without Z_ENT if `memberEntity` says it; true only where
  ///   the engine finds the rows in their order.
  package func related(
    owner layout: EntityLayout, relationship: Int, of owners: KeyPredicate, isTaken: Bool = false
  ) -> String? {
    related(layout, relationship, owners, isTaken: isTaken)
  }

  /// Whether the members of owners that follow each other come straight from an index, one after another.
  package func isReadInOrder(owner layout: EntityLayout, relationship: Int) -> Bool {
    guard let storage = schema.table(of: layout).toMany[relationship] else { return false }
    return storage.order == nil && !storage.isSymmetric
  }

  /// The number in the model of the entity that all members of a relationship are of; nil if each row says its own.
  package func memberEntity(owner layout: EntityLayout, relationship: Int) -> Int? {
    guard let destination = layout.toMany[relationship].relationship.destinationEntity?.layout,
      !schema.tellsEntities(of: destination)
    else { return nil }
    return destination.number
  }

  private func related(
    _ layout: EntityLayout, _ relationship: Int, _ owners: KeyPredicate?, isTaken: Bool
  ) -> String? {
    let key = RelatedKey(entity: layout.number, relationship: relationship, owners: owners, isTaken: isTaken)
    return relatedTexts.value(key) {
      guard let storage = schema.table(of: layout).toMany[relationship],
        let destination = layout.toMany[relationship].relationship.destinationEntity?.layout
      else { return nil }
      return related(storage, destination, owners, isTaken)
    }
  }

  private func related(
    _ storage: ToManyStorage, _ destination: EntityLayout, _ owners: KeyPredicate?, _ isTaken: Bool
  ) -> String {
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
    let order = "ORDER BY \(owners == nil ? "" : "t0.\(own), ")\(place)t0.\(other)"
    let test = "t0.\(own) \((owners ?? .one).text)"
    if isTaken {
      let columns = "t0.\(own), t0.\(other)" + (schema.tellsEntities(of: destination) ? ", \(entity)" : "")
      return "SELECT 1 FROM \(table) t0\(join) WHERE \(test) AND \(SQLDialect.taking)(\(columns)) \(order)"
    }
    let columns = "\(owners == nil ? "" : "t0.\(own), ")t0.\(other), \(entity)"
    return "SELECT \(columns) FROM \(table) t0\(join) WHERE \(test) \(order)"
  }

  /// How the Z_ENT of a member is known: where a table holds one entity alone, without looking, so that the index on the
  /// owners' keys tells all that is asked.
  private func entity(of destination: EntityLayout, _ column: String) -> (String, join: String) {
    guard schema.tellsEntities(of: destination) else {
      return (String(schema.storedNumber(of: destination.number)), "")
    }
    if column == "Z_PK" { return ("t0.Z_ENT", "") }
    return ("t1.Z_ENT", " JOIN \(schema.table(of: destination).name) t1 ON t1.Z_PK = t0.\(column)")
  }
}

extension StoreSchema {
  /// Whether the members of a relationship to an entity may be of several, so that each row says its own.
  fileprivate func tellsEntities(of destination: EntityLayout) -> Bool {
    holdsOthers(than: [destination.number], inTableOf: destination)
  }
}

/// What a text about the members of a relationship depends on.
struct RelatedKey: Hashable {
  var entity, relationship: Int
  /// nil of the text for one owner, which does not tell the owner's key.
  var owners: KeyPredicate?
  var isTaken: Bool
}
