import StrataManagedModel
import StrataRowStore

/// The migration of the table of a many-to-many relationship.
package struct JoinChange: Sendable {
  package let join: JoinTable
  private let links: [Filling]
  package let isKept: Bool
  private let dialect: any SQLDialect

  /// The old table that the first pairs come from; nil for a new relationship.
  var origin: String? { links.first?.pairs.table }

  /// Pairs to copy from one of the old tables.
  struct Filling: Sendable {
    var own: String
    var other: String
    var order: String?
    var orderOfOwn: String?
    var pairs: LinkPairs
    /// The column of `pairs` with the positions of the inverse.
    var inverseOrder: String?
  }

  init(to join: JoinTable, _ origins: MigrationOrigins) {
    self.join = join
    dialect = origins.destination.dialect
    let links = origins.fillings(of: join)
    self.links = links
    let past = origins.source.joins.first { $0.name == join.name }
    isKept =
      past?.own == join.own && past?.other == join.other && past?.orders == join.orders && links.count == 1
      && links[0].pairs.table == join.name && links[0].own == links[0].pairs.own
      && links[0].order == links[0].pairs.order
  }

  /// Fills the new table.
  /// - Parameter location: where an old table and column are now.
  func rows(_ location: (String, String) -> (table: String, column: String)) -> [SQLStatement] {
    links.map { fill($0, at: location) }
  }

  private func fill(_ link: Filling, at location: (String, String) -> (table: String, column: String)) -> SQLStatement {
    let (table, own) = location(link.pairs.table, link.pairs.own)
    let other = location(link.pairs.table, link.pairs.other).column
    var names = "\(link.own), \(link.other)"
    var values = "\(own), \(other)"
    if let order = link.order {
      let column = link.pairs.order.map { location(link.pairs.table, $0).column } ?? other
      names += ", \(order)"
      values += ", 1024 + 1024 * row_number() OVER (PARTITION BY \(own) ORDER BY \(column), \(other))"
    }
    if let order = link.orderOfOwn {
      let column = link.inverseOrder.map { location(link.pairs.table, $0).column } ?? own
      names += ", \(order)"
      values += ", 1024 + 1024 * row_number() OVER (PARTITION BY \(other) ORDER BY \(column), \(own))"
    }
    return SQLStatement(
      dialect.insertOrKeep(
        "INTO \(join.name) (\(names)) SELECT \(values) FROM \(table) "
          + "WHERE \(own) IS NOT NULL AND \(other) IS NOT NULL"))
  }
}

extension MigrationOrigins {
  fileprivate func fillings(of join: JoinTable) -> [JoinChange.Filling] {
    for layout in destination.layouts {
      for (number, property) in layout.toMany.enumerated() where layout.declares(property.relationship) {
        guard case .join(join.name, let own, let other, let order, _)? = destination.table(of: layout).toMany[number]
        else { continue }
        let inverse = property.relationship.inverse
        let orderOfOwn = inverse.flatMap { orderColumn(of: $0) }
        return pairs(of: property.relationship).map { pairs in
          let back = inverse.map { self.pairs(of: $0) }?.first { $0.table == pairs.table }
          return JoinChange.Filling(
            own: own, other: other, order: order, orderOfOwn: inverse === property.relationship ? nil : orderOfOwn,
            pairs: pairs, inverseOrder: back?.order)
        }
      }
    }
    return []
  }

  private func orderColumn(of relationship: RelationshipLayout) -> String? {
    let layout = destination.model.layout(number: relationship.declarer)
    return layout.toMany(named: relationship.name).flatMap { destination.table(of: layout).toMany[$0]?.order }
  }
}
