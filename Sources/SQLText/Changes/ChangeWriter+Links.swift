import StrataManagedModel
import StrataRowStore

/// The statements that change a to-many relationship that no to-one slot stores. Parameter 1 is the owner's key, 2 the
/// member's.
package struct LinkStatements: Hashable, Sendable {
  /// Adds a member, at the end of an ordered relationship. Does nothing if it is a member already.
  package let add: String
  /// Removes a member. Does nothing if the row is not a member.
  package let remove: String
  /// Removes all members, before the owner's row is deleted.
  package let removeAll: String
  /// Adds the owner to its member, to be run after `add`; nil unless the relationship is its own inverse, whose pairs
  /// are stored in both directions.
  package let addInverse: String?
  /// Likewise for `remove`.
  package let removeInverse: String?
}

extension ChangeWriter {
  /// The statements for a relationship; nil if to-one slots store it, or nothing does.
  package func links(of layout: EntityLayout, relationship: Int) -> LinkStatements? {
    guard let storage = schema.table(of: layout).toMany[relationship] else { return nil }
    switch storage {
    case .join:
      return PairWriter(storage, inverseOrder: inverseOrder(of: layout, relationship: relationship), writer: self)?
        .statements
    case .ownerless(let table, let column, let order): return columnLinks(in: table, column: column, order: order)
    case .inverse: return nil
    }
  }

  /// Moves a member to the position in parameter 3, which is 2048 or more, with gaps between positions; nil without an order.
  package func moveToPosition(_ layout: EntityLayout, relationship: Int) -> String? {
    order(of: schema.table(of: layout).toMany[relationship]) { _, _, _ in dialect.placeholder(3) }
  }

  /// Moves a member to the end; nil without an order.
  package func moveToEnd(_ layout: EntityLayout, relationship: Int) -> String? {
    order(of: schema.table(of: layout).toMany[relationship]) { order, table, owner in
      endPosition(order, in: table, where: "\(owner) = \(dialect.placeholder(1))")
    }
  }

  /// - Parameter position: the new position, by the column of positions, the table and the column of the owner's key.
  private func order(
    of storage: ToManyStorage?, position: (_ order: String, _ table: String, _ owner: String) -> String
  ) -> String? {
    let (owner, member) = (dialect.placeholder(1), dialect.placeholder(2))
    switch storage {
    case .inverse(let table, let column, let order?), .ownerless(let table, let column, let order?):
      // The index on the column would visit all members of the owner.
      return
        "UPDATE \(table) SET \(order) = \(position(order, table, column)) WHERE \(dialect.unindexed(column)) = \(owner)"
        + " AND \(schema.rowColumns.key) = \(member)"
    case .join(let table, let own, let other, let order?, _):
      return
        "UPDATE \(table) SET \(order) = \(position(order, table, own)) WHERE \(own) = \(owner) AND \(other) = \(member)"
    default: return nil
    }
  }

  /// The statements that remove a row's key, parameter 1, from all tables of pairs and all to-many relationships
  /// without an inverse, at whichever end it is. To be run when the row is deleted.
  package func unlink(_ layout: EntityLayout) -> [String] {
    unlink(layout) { "\($0) = \(dialect.placeholder(1))" }
  }

  /// The same for rows whose keys are a list in the parameter.
  package func unlinkMany(_ layout: EntityLayout) -> [String] {
    unlink(layout) { dialect.isMember($0, ofKeys: nil) }.map(dialect.finished)
  }

  /// - Parameter isGone: a condition: whether a column holds the key of a deleted row.
  package func unlink(_ layout: EntityLayout, where isGone: (_ column: String) -> String) -> [String] {
    schema.table(of: layout).toMany.flatMap { storage -> [String] in
      switch storage {
      case .inverse, nil: return []
      case .ownerless(let table, let column, let order):
        return [emptied(column, order: order, in: table, where: isGone(column))]
      case .join(let table, let own, let other, _, let isSymmetric):
        return (isSymmetric ? [own, other] : [own]).map { "DELETE FROM \(table) WHERE \(isGone($0))" }
      }
    }
  }

  private func emptied(_ column: String, order: String?, in table: String, where condition: String) -> String {
    "UPDATE \(table) SET \(column) = NULL\(order.map { ", \($0) = NULL" } ?? "") WHERE \(condition)"
  }

  private func inverseOrder(of layout: EntityLayout, relationship number: Int) -> String? {
    guard let inverse = layout.toMany[number].relationship.inverse, inverse.isOrdered,
      case let owner = schema.model.layout(number: inverse.declarer),
      let inverseNumber = owner.toMany(named: inverse.name)
    else { return nil }
    return schema.table(of: owner).toMany[inverseNumber]?.order
  }

  private func columnLinks(in table: String, column: String, order: String?) -> LinkStatements {
    let (owner, member) = (dialect.placeholder(1), dialect.placeholder(2))
    let isOwn = "\(column) = \(owner)"
    let isMember = "\(schema.rowColumns.key) = \(member)"
    let isNew = dialect.isSame(SQLStatement(column), as: SQLStatement(owner), holds: false).text
    let position = order.map { ", \($0) = \(endPosition($0, in: table, where: isOwn))" } ?? ""
    return LinkStatements(
      add: "UPDATE \(table) SET \(column) = \(owner)\(position) WHERE \(isMember) AND \(isNew)",
      remove: emptied(column, order: order, in: table, where: "\(isOwn) AND \(isMember)"),
      removeAll: emptied(column, order: order, in: table, where: isOwn), addInverse: nil, removeInverse: nil)
  }
}

/// Writes the pairs of a many-to-many relationship.
private struct PairWriter {
  private let table, own, other: String
  private let isSymmetric: Bool
  /// The columns of positions, and their values in a new pair.
  private let positions: [(column: String, value: String)]
  private let dialect: any SQLDialect

  /// - Parameter inverseOrder: the column of the positions of `own` among the members of `other`.
  init?(_ storage: ToManyStorage, inverseOrder: String?, writer: ChangeWriter) {
    guard case .join(let table, let own, let other, let order, let isSymmetric) = storage else { return nil }
    (self.table, self.own, self.other, self.isSymmetric) = (table, own, other, isSymmetric)
    let dialect = writer.dialect
    self.dialect = dialect
    positions = [(order, own, 1), (isSymmetric ? nil : inverseOrder, other, 2)].compactMap { order, column, number in
      order.map {
        ($0, writer.endPosition($0, in: table, where: "\(column) = \(dialect.placeholder(number))"))
      }
    }
  }

  var statements: LinkStatements {
    LinkStatements(
      add: insert(own, with: other), remove: delete(own, with: other),
      removeAll: "DELETE FROM \(table) WHERE \(own) = \(dialect.placeholder(1))",
      addInverse: isSymmetric ? insert(other, with: own) : nil,
      removeInverse: isSymmetric ? delete(other, with: own) : nil)
  }

  private func insert(_ first: String, with second: String) -> String {
    let names = ([first, second] + positions.map(\.column)).joined(separator: ", ")
    let values = ([1, 2].map(dialect.placeholder) + positions.map(\.value)).joined(separator: ", ")
    return dialect.insertOrKeep("INTO \(table) (\(names)) VALUES (\(values))")
  }

  private func delete(_ first: String, with second: String) -> String {
    "DELETE FROM \(table) WHERE \(first) = \(dialect.placeholder(1)) AND \(second) = \(dialect.placeholder(2))"
  }
}
