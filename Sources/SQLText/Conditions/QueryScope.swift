import StrataManagedModel
import StrataRowStore

/// The FROM clause of a query or subquery, which grows while its conditions are written: key paths join tables as they
/// need them.
package final class QueryScope {
  let layout: EntityLayout
  /// The text of the key of the scope's objects: `t0.Z_PK`.
  let key: String
  /// The variables of the subqueries around the predicate that is being written.
  var variables: [String: Variable] = [:]
  /// Whether the expressions being written are over groups of rows, so that aggregates are allowed.
  var gathersRows = false
  private let schema: StoreSchema
  private let aliases: AliasCounter
  private(set) var fromClause: String
  private var aliasByKey: [String: String] = [:]
  private let baseAlias: String?
  /// Whether other tables are joined or members are queried.
  package private(set) var isJoined = false

  /// - Parameter isNamed: whether the table has an alias, with which columns are written.
  package convenience init(of layout: EntityLayout, in schema: StoreSchema, isNamed: Bool = true) {
    self.init(of: layout, in: schema, aliases: AliasCounter(), isNamed: isNamed)
  }

  private init(of layout: EntityLayout, in schema: StoreSchema, aliases: AliasCounter, isNamed: Bool = true) {
    let alias = isNamed ? aliases.make() : ""
    let table = schema.table(of: layout).name
    self.schema = schema
    self.aliases = aliases
    self.layout = layout
    fromClause = isNamed ? "\(table) \(alias)" : table
    key = isNamed ? "\(alias).\(schema.rowColumns.key)" : schema.rowColumns.key
    baseAlias = alias
  }

  private init(members: MemberTable, in schema: StoreSchema, aliases: AliasCounter) {
    self.schema = schema
    self.aliases = aliases
    layout = members.layout
    fromClause = members.clause
    key = members.key
    baseAlias = members.alias
  }

  /// The members of a relationship, for a subquery.
  func members(of storage: ToManyStorage, to destination: EntityLayout, owner: String) -> MemberQuery {
    let members = memberTable(of: storage, to: destination, owner: owner)
    return MemberQuery(
      scope: QueryScope(members: members, in: schema, aliases: aliases), link: SQLStatement(members.link),
      member: .object(key: members.key, destination), position: members.position)
  }

  /// The possible destinations of a to-one relationship, for a subquery that is not correlated with this scope.
  func destinations(_ layout: EntityLayout) -> QueryScope { QueryScope(of: layout, in: schema, aliases: aliases) }

  /// Joins the members of a relationship of an object in a scope of members, so that members of members are one list.
  /// - Returns: their key.
  func join(_ storage: ToManyStorage, to destination: EntityLayout, owner: String) -> String {
    let members = memberTable(of: storage, to: destination, owner: owner)
    fromClause += " JOIN \(members.clause) ON \(members.link)"
    aliasByKey[members.key] = members.alias
    return members.key
  }

  private func memberTable(of storage: ToManyStorage, to destination: EntityLayout, owner: String) -> MemberTable {
    isJoined = true
    return MemberTable(storage, to: destination, key: schema.rowColumns.key, owner: owner, alias: aliases.make())
  }

  /// A column of the object whose key has this text.
  func column(_ name: String, ofObject key: String, entity layout: EntityLayout) -> String {
    let alias = alias(ofObject: key, entity: layout)
    return alias.isEmpty ? name : "\(alias).\(name)"
  }

  private func alias(ofObject key: String, entity layout: EntityLayout) -> String {
    if key == self.key, let baseAlias { return baseAlias }
    if let known = aliasByKey[key] { return known }
    isJoined = true
    let alias = aliases.make()
    let kind = key == self.key ? "JOIN" : "LEFT JOIN"
    fromClause += " \(kind) \(schema.table(of: layout).name) \(alias) ON \(alias).\(schema.rowColumns.key) = \(key)"
    aliasByKey[key] = alias
    return alias
  }
}

/// A member of the collection that a subquery goes through.
struct Variable {
  /// The location of the member's columns.
  let scope: QueryScope
  let key: String
  let layout: EntityLayout
}

private final class AliasCounter {
  private var count = 0

  func make() -> String {
    defer { count += 1 }
    return "t\(count)"
  }
}

/// The table in which the members of a to-many relationship are found.
private struct MemberTable {
  let layout: EntityLayout
  let clause: String
  /// The text of the members' key.
  let key: String
  /// The column that orders the members; nil if they have no order.
  let position: String?
  /// The alias of the members' own table; nil for a table of pairs of keys.
  let alias: String?
  let link: String

  /// - Parameter key: the column with the key of a row.
  init(_ storage: ToManyStorage, to layout: EntityLayout, key: String, owner: String, alias: String) {
    self.layout = layout
    position = storage.isSymmetric ? nil : storage.order.map { "\(alias).\($0)" }
    switch storage {
    case .inverse(let table, let column, _), .ownerless(let table, let column, _):
      clause = "\(table) \(alias)"
      self.key = "\(alias).\(key)"
      self.alias = alias
      link = "\(alias).\(column) = \(owner)"
    case .join(let table, let own, let other, _, _):
      clause = "\(storage.pairs ?? table) \(alias)"
      self.key = "\(alias).\(other)"
      self.alias = nil
      link = "\(alias).\(own) = \(owner)"
    }
  }
}
