import StrataManagedModel
import StrataRowStore

/// The members of to-many relationships.
extension SelectWriter {
  /// Z_PK and Z_ENT of the members of the object whose key is parameter 1, in the relationship's order or in that of
  /// keys; nil if the relationship is not stored.
  package func related(owner layout: EntityLayout, relationship: Int) -> String? {
    text(of: layout, relationship: relationship, owners: nil, isTaken: false)
  }

  /// The owner's key, Z_PK and Z_ENT of the members of many objects, in the order of the owners' keys.
  /// - Parameter isTaken: whether a function of the engine takes the members, without Z_ENT if `memberEntity` is known.
  ///   Only where the engine finds the rows in order; ignored where it has no such function.
  package func related(
    owner layout: EntityLayout, relationship: Int, of owners: KeyPredicate, isTaken: Bool = false
  ) -> String? {
    text(of: layout, relationship: relationship, owners: owners, isTaken: isTaken)
  }

  /// Whether an index returns the members of consecutive owners in order.
  package func isReadInOrder(owner layout: EntityLayout, relationship: Int) -> Bool {
    guard let storage = schema.table(of: layout).toMany[relationship] else { return false }
    return storage.order == nil && !storage.isSymmetric
  }

  /// The number in the model of the entity of all members; nil if they may be of several.
  package func memberEntity(owner layout: EntityLayout, relationship: Int) -> Int? {
    let destination = layout.toMany[relationship].relationship.destination
    return schema.hasSeveralEntities(of: destination) ? nil : destination.number
  }

  private func text(
    of layout: EntityLayout, relationship: Int, owners: KeyPredicate?, isTaken: Bool
  ) -> String? {
    // Without owners, the text is about one owner and does not return its key.
    relatedTexts.value(SelectKey.number(layout, relationship: relationship, owners, isTaken)) {
      guard let storage = schema.table(of: layout).toMany[relationship] else { return nil }
      let destination = layout.toMany[relationship].relationship.destination
      return dialect.finished(members(storage, of: destination, owners: owners, isTaken: isTaken))
    }
  }

  private func members(
    _ storage: ToManyStorage, of destination: EntityLayout, owners: KeyPredicate?, isTaken: Bool
  ) -> String {
    let (table, own, other): (String, String, String)
    switch storage {
    case .inverse(let name, let column, _), .ownerless(let name, let column, _):
      (table, own, other) = (name, column, schema.rowColumns.key)
    case .join(let name, let column, let otherColumn, _, _):
      (table, own, other) = (storage.pairs ?? name, column, otherColumn)
    }
    let (entity, join) = entity(of: destination, keyColumn: other)
    // Members without a position come last.
    let memberOrder = storage.isSymmetric ? "" : storage.order.map { "t0.\($0) IS NULL, t0.\($0), " } ?? ""
    let order = "ORDER BY \(owners == nil ? "" : "t0.\(own), ")\(memberOrder)t0.\(other)"
    let test = (owners ?? .one).condition(on: "t0.\(own)", in: dialect)
    let taken = ["t0.\(own)", "t0.\(other)"] + (schema.hasSeveralEntities(of: destination) ? [entity] : [])
    if isTaken, let taking = dialect.packed(taken, by: .pairs) {
      return "SELECT 1 FROM \(table) t0\(join) WHERE \(test) AND \(taking) \(order)"
    }
    let columns = "\(owners == nil ? "" : "t0.\(own), ")t0.\(other), \(entity)"
    return "SELECT \(columns) FROM \(table) t0\(join) WHERE \(test) \(order)"
  }

  /// The Z_ENT of a member: a constant where its table holds a single entity, so that the index on the owners' keys
  /// covers the query.
  private func entity(of destination: EntityLayout, keyColumn column: String) -> (String, join: String) {
    guard schema.hasSeveralEntities(of: destination) else {
      return (String(schema.storedNumber(of: destination.number)), "")
    }
    let names = schema.rowColumns
    if column == names.key { return ("t0.\(names.entity)", "") }
    let table = schema.table(of: destination).name
    return ("t1.\(names.entity)", " JOIN \(table) t1 ON t1.\(names.key) = t0.\(column)")
  }
}

extension StoreSchema {
  /// Whether the destinations may be of several entities, so that each row includes its entity.
  fileprivate func hasSeveralEntities(of destination: EntityLayout) -> Bool {
    holdsOthers(than: [destination.number], inTableOf: destination)
  }
}
