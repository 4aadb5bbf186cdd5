import StrataManagedModel
import StrataRowStore

/// The origins of the values in the new tables.
struct MigrationOrigins {
  let source: StoreSchema
  let destination: StoreSchema
  let difference: ModelDifference

  /// The entity that an entity of the destination was before; nil if it is new.
  func layout(before layout: EntityLayout) -> EntityLayout? {
    difference.change(to: layout)?.before
  }

  /// The values of a column of an entity's rows.
  func value(of slot: Int, in layout: EntityLayout) -> ColumnValue {
    guard let before = self.layout(before: layout), let column = destination.table(of: layout).columns[slot] else {
      return .null
    }
    let property = layout.slots[slot]
    // An engine that casts decimals takes their texts, which are exact.
    let decimalsAreTexts = destination.dialect.placeholder(of: .decimal) != "?"
    let value =
      property.attribute?
      .storedDefault(of: property.kind, external: column.isExternal, decimalsAreTexts: decimalsAreTexts) ?? .null
    let origin = difference.change(to: layout)?.origin(of: property.name)
    guard let origin, let old = before.slot(named: origin.path).flatMap({ source.table(of: before).columns[$0] }) else {
      return value == .null ? .null : .constant(value, column.kind)
    }
    let needsValue = origin.isOptional && !property.isOptional && value != .null
    return .column(
      old.name, ifNull: needsValue ? value : .null, column.kind, marksInline: column.isExternal && !old.isExternal)
  }

  /// The old pairs of a relationship of the destination: its own or, failing that, its inverse's.
  func pairs(of relationship: RelationshipLayout) -> [LinkPairs] {
    let own = past(of: relationship)
    if !own.isEmpty { return own }
    return relationship.inverse.map { past(of: $0).map(\.turned) } ?? []
  }

  /// A property that moved to a new parent has several origins.
  private func past(of relationship: RelationshipLayout) -> [LinkPairs] {
    var found: [LinkPairs] = []
    for layout in destination.layouts where layout.isKind(of: destination.model.layout(number: relationship.declarer)) {
      guard let before = self.layout(before: layout),
        let old = difference.change(to: layout)?.change(to: relationship.name)?.source,
        let pairs = source.pairs(of: old.name, in: before), !found.contains(pairs)
      else { continue }
      found.append(pairs)
    }
    return found
  }
}

/// The origin of a column's values.
package enum ColumnValue: Hashable, Sendable {
  case null
  case constant(StoredValue, SlotKind)
  /// An old column, with a replacement for NULL, and with a byte in front of data that may now be in files.
  case column(String, ifNull: StoredValue, SlotKind, marksInline: Bool)

  /// The old column, if its values are copied unchanged.
  var plainColumn: String? {
    guard case .column(let name, .null, _, false) = self else { return nil }
    return name
  }

  var columnName: String? {
    guard case .column(let name, _, _, _) = self else { return nil }
    return name
  }

  /// - Parameter name: the old column's present name.
  func expression(_ name: String? = nil, in dialect: some SQLDialect) -> SQLStatement {
    switch self {
    case .null: "NULL"
    case .constant(let value, let kind): SQLStatement(dialect.placeholder(of: kind), [value])
    case .column(let column, .null, _, let marksInline): marked("\(name ?? column)", isInline: marksInline)
    case .column(let column, let value, let kind, let marksInline):
      marked(
        SQLStatement(dialect.ifNull(name ?? column, dialect.placeholder(of: kind)), [value]), isInline: marksInline)
    }
  }

  private func marked(_ value: SQLStatement, isInline: Bool) -> SQLStatement {
    isInline ? "CAST(X'01' || \(value) AS BLOB)" : value
  }
}

/// The pairs of a relationship in an old table.
struct LinkPairs: Hashable {
  var table: String
  var own: String
  var other: String
  /// The column with the position of `other` among the members of `own`.
  var order: String?

  /// The same pairs from the inverse's side.
  var turned: LinkPairs { LinkPairs(table: table, own: other, other: own, order: nil) }
}

extension StoreSchema {
  /// The storage of a relationship's pairs.
  func pairs(of name: String, in layout: EntityLayout) -> LinkPairs? {
    let (table, key) = (table(of: layout), rowColumns.key)
    if let slot = layout.slot(named: name) {
      return table.columns[slot].map { LinkPairs(table: table.name, own: key, other: $0.name, order: nil) }
    }
    switch layout.toMany(named: name).flatMap({ table.toMany[$0] }) {
    case .inverse(let name, let column, let order)?, .ownerless(let name, let column, let order)?:
      return LinkPairs(table: name, own: column, other: key, order: order)
    case .join(let name, let own, let other, let order, _)?:
      return LinkPairs(table: name, own: own, other: other, order: order)
    case nil: return nil
    }
  }
}
