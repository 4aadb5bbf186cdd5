import StrataManagedModel
import StrataRowStore

/// What changes a to-many relationship that no to-one slot stores. `?1` is the owner's key, `?2` a member's.
package struct LinkStatements: Hashable, Sendable {
  /// Adds a member, last where there is an order; nothing happens if it is one already.
  package let add: String
  /// Takes a member out; nothing happens if it is none.
  package let remove: String
  /// Removes all members of `?1`, as its row goes.
  package let removeAll: String
  /// Says the same from the other end, where that is a statement of its own: with a relationship that is its own
  /// inverse each pair is stored in both directions. To be run after `add` and `remove`.
  package let addInverse: String?
  /// As `addInverse`, for `remove`.
  package let removeInverse: String?
}

extension ChangeWriter {
  /// The statements for a relationship; nil if to-one slots store it, or nothing does.
  package func links(of layout: EntityLayout, relationship: Int) -> LinkStatements? {
    switch schema.table(of: layout).toMany[relationship] {
    case .join(let table, let own, let other, let order):
      join(table, own, other, order, inverseOrder(of: layout, relationship))
    case .ownerless(let table, let column, let order): ownerless(table, column, order)
    case .inverse, nil: nil
    }
  }

  /// Puts the member `?2` of the owner `?1` at the place `?3`: 2048 and up, with room between. nil without an order.
  package func place(_ layout: EntityLayout, relationship: Int) -> String? {
    switch schema.table(of: layout).toMany[relationship] {
    case .inverse(let table, let column, let order?), .ownerless(let table, let column, let order?):
      // The plus keeps SQLite from the column's index, behind which all members of the owner would be searched.
      "UPDATE \(table) SET \(order) = ?3 WHERE +\(column) = ?1 AND Z_PK = ?2"
    case .join(let table, let own, let other, let order?):
      "UPDATE \(table) SET \(order) = ?3 WHERE \(own) = ?1 AND \(other) = ?2"
    default: nil
    }
  }

  /// Puts the member `?2` of the owner `?1` behind all others; nil without an order.
  package func placeLast(_ layout: EntityLayout, relationship: Int) -> String? {
    switch schema.table(of: layout).toMany[relationship] {
    case .inverse(let table, let column, let order?), .ownerless(let table, let column, let order?):
      "UPDATE \(table) SET \(order) = \(Self.lastPlace(order, in: table, where: "\(column) = ?1"))"
        + " WHERE +\(column) = ?1 AND Z_PK = ?2"
    case .join(let table, let own, let other, let order?):
      "UPDATE \(table) SET \(order) = \(Self.lastPlace(order, in: table, where: "\(own) = ?1"))"
        + " WHERE \(own) = ?1 AND \(other) = ?2"
    default: nil
    }
  }

  /// What takes a row's key out of all tables of pairs and all inverse-less to-many relationships, whichever end it was
  /// at; to be run with the key as `?1` when the row is removed.
  package func unlink(_ layout: EntityLayout) -> [String] {
    var statements: [String] = []
    for number in layout.toMany.indices {
      guard let links = links(of: layout, relationship: number) else { continue }
      statements.append(links.removeAll)
      if case .join(let table, let own, let other, _) = schema.table(of: layout).toMany[number],
        own == ToManyStorage.reflexive || other == ToManyStorage.reflexive
      {
        statements.append("DELETE FROM \(table) WHERE \(other) = ?1")
      }
    }
    return statements
  }

  /// The same for rows whose keys are a list in the parameter.
  package func unlinkMany(_ layout: EntityLayout) -> [String] {
    schema.table(of: layout).toMany.flatMap { storage -> [String] in
      switch storage {
      case .inverse, nil: []
      case .ownerless(let table, let column, let order):
        [
          "UPDATE \(table) SET \(column) = NULL\(order.map { ", \($0) = NULL" } ?? "")"
            + " WHERE \(column) IN (\(SQLDialect.members))"
        ]
      case .join(let table, let own, let other, _):
        (storage?.isSymmetric == true ? [own, other] : [own]).map {
          "DELETE FROM \(table) WHERE \($0) IN (\(SQLDialect.members))"
        }
      }
    }
  }

  private func join(
    _ table: String, _ own: String, _ other: String, _ order: String?, _ inverseOrder: String?
  ) -> LinkStatements {
    let isSymmetric = own == ToManyStorage.reflexive || other == ToManyStorage.reflexive
    let orders = [(order, own, 1), (isSymmetric ? nil : inverseOrder, other, 2)].compactMap { order, column, number in
      order.map { ($0, Self.lastPlace($0, in: table, where: "\(column) = ?\(number)")) }
    }
    func insert(_ first: String, _ second: String) -> String {
      "\(dialect.insertOrKeep) \(table) (\(([first, second] + orders.map(\.0)).joined(separator: ", ")))"
        + " VALUES (\((["?1", "?2"] + orders.map(\.1)).joined(separator: ", ")))\(dialect.insertOrKeepEnd)"
    }
    func delete(_ first: String, _ second: String) -> String {
      "DELETE FROM \(table) WHERE \(first) = ?1 AND \(second) = ?2"
    }
    return LinkStatements(
      add: insert(own, other), remove: delete(own, other), removeAll: "DELETE FROM \(table) WHERE \(own) = ?1",
      addInverse: isSymmetric ? insert(other, own) : nil, removeInverse: isSymmetric ? delete(other, own) : nil)
  }

  private func inverseOrder(of layout: EntityLayout, _ number: Int) -> String? {
    guard let inverse = layout.toMany[number].relationship.inverseRelationship, inverse.isOrdered,
      let owner = inverse.entity.layout, let inverseNumber = owner.toMany(named: inverse.name)
    else { return nil }
    return schema.table(of: owner).toMany[inverseNumber]?.order
  }

  private func ownerless(_ table: String, _ column: String, _ order: String?) -> LinkStatements {
    let place = order.map { ", \($0) = " + Self.lastPlace($0, in: table, where: "\(column) = ?1") } ?? ""
    let noPlace = order.map { ", \($0) = NULL" } ?? ""
    return LinkStatements(
      add: "UPDATE \(table) SET \(column) = ?1\(place) WHERE Z_PK = ?2 AND \(column) IS NOT ?1",
      remove: "UPDATE \(table) SET \(column) = NULL\(noPlace) WHERE \(column) = ?1 AND Z_PK = ?2",
      removeAll: "UPDATE \(table) SET \(column) = NULL\(noPlace) WHERE \(column) = ?1", addInverse: nil,
      removeInverse: nil)
  }
}
