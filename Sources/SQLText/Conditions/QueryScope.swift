import StrataManagedModel
import StrataRowStore

/// The FROM of a query or subquery while its conditions are written: tables join in as key paths ask for them.
final class QueryScope {
  let layout: EntityLayout
  /// The text of the key of the scope's objects: `t0.Z_PK`.
  let key: String
  /// What the variables of subqueries stand for while their predicates are written.
  var variables: [String: Variable] = [:]
  /// Whether what is written stands for several rows, so that functions over rows have a meaning.
  var gathersRows = false
  private let aliases: AliasCounter
  private var source: String
  private var aliasByKey: [String: String] = [:]
  private let baseAlias: String?
  /// Whether anything but the scope's own table is asked along with its rows.
  private(set) var isJoined = false

  /// A scope of an entity's table.
  /// - Parameter isNamed: whether columns are written with the table's alias.
  init(of layout: EntityLayout, table: String, isNamed: Bool = true) {
    aliases = AliasCounter()
    let alias = isNamed ? aliases.next() : ""
    self.layout = layout
    source = isNamed ? "\(table) \(alias)" : table
    key = isNamed ? "\(alias).Z_PK" : "Z_PK"
    baseAlias = alias
  }

  private init(members: MemberTable, aliases: AliasCounter) {
    self.aliases = aliases
    layout = members.layout
    source = members.source
    key = members.key
    baseAlias = members.alias
  }

  private init(_ layout: EntityLayout, table: String, aliases: AliasCounter) {
    let alias = aliases.next()
    self.aliases = aliases
    self.layout = layout
    source = "\(table) \(alias)"
    key = "\(alias).Z_PK"
    baseAlias = alias
  }

  /// What stands behind FROM.
  var from: String { source }

  /// The members of a relationship, for a subquery.
  func members(of storage: ToManyStorage, to destination: EntityLayout, owner: String) -> MemberQuery {
    isJoined = true
    let members = MemberTable(storage, destination, owner: owner, alias: aliases.next())
    return MemberQuery(
      scope: QueryScope(members: members, aliases: aliases), link: SQLStatement(members.link),
      member: .object(key: members.key, destination), place: members.place)
  }

  /// The rows that a to-one relationship can lead to, for a subquery that names no column of this scope.
  func destinations(_ layout: EntityLayout, in table: String) -> QueryScope {
    QueryScope(layout, table: table, aliases: aliases)
  }

  /// Joins the members of a relationship of an object in a scope of members: members of members are one list.
  /// - Returns: their key.
  func join(_ storage: ToManyStorage, to destination: EntityLayout, owner: String) -> String {
    isJoined = true
    let members = MemberTable(storage, destination, owner: owner, alias: aliases.next())
    source += " JOIN \(members.source) ON \(members.link)"
    aliasByKey[members.key] = members.alias
    return members.key
  }

  /// A column of the object whose key has this text.
  func column(_ name: String, ofObject key: String, in table: String) -> String {
    let alias = alias(ofObject: key, in: table)
    return alias.isEmpty ? name : "\(alias).\(name)"
  }

  private func alias(ofObject key: String, in table: String) -> String {
    if key == self.key, let baseAlias { return baseAlias }
    if let known = aliasByKey[key] { return known }
    isJoined = true
    let alias = aliases.next()
    let kind = key == self.key ? "JOIN" : "LEFT JOIN"
    source += " \(kind) \(table) \(alias) ON \(alias).Z_PK = \(key)"
    aliasByKey[key] = alias
    return alias
  }
}

/// A member of the collection that a subquery goes through.
struct Variable {
  /// Where the member's columns are.
  let scope: QueryScope
  let key: String
  let layout: EntityLayout
}

private final class AliasCounter {
  private var count = 0

  func next() -> String {
    defer { count += 1 }
    return "t\(count)"
  }
}

/// The table that tells the members of a to-many relationship.
private struct MemberTable {
  let layout: EntityLayout
  let source: String
  /// The text of the members' key.
  let key: String
  /// What the relationship's own order goes by; nil if it has none.
  let place: String?
  /// The alias under which the members' own columns are; nil if only pairs of keys are there.
  let alias: String?
  let link: String

  init(_ storage: ToManyStorage, _ layout: EntityLayout, owner: String, alias: String) {
    self.layout = layout
    place = storage.isSymmetric ? nil : storage.order.map { "\(alias).\($0)" }
    switch storage {
    case .inverse(let table, let column, _), .ownerless(let table, let column, _):
      source = "\(table) \(alias)"
      key = "\(alias).Z_PK"
      self.alias = alias
      link = "\(alias).\(column) = \(owner)"
    case .join(let table, let own, let other, _):
      let pairs =
        storage.isSymmetric
        ? "(SELECT \(own), \(other) FROM \(table) UNION SELECT \(other), \(own) FROM \(table))" : table
      source = "\(pairs) \(alias)"
      key = "\(alias).\(other)"
      self.alias = nil
      link = "\(alias).\(own) = \(owner)"
    }
  }
}
