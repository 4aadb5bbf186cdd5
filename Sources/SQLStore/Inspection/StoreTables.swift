import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// The location of a store's objects in its file, read in one transaction.
package struct StoreTables: Sendable {
  package struct Entity: Sendable {
    package var name: String
    /// Z_ENT.
    package var number: Int
    package var parent: String?
    package var isAbstract: Bool
    package var table: String
    /// Without those of its subentities.
    package var rows: Int
  }

  package struct Column: Sendable {
    package var name: String
    /// The declared type.
    package var type: String
    /// Its contents in terms of the model: "Book.title", or "Book.author, the Z_PK of ZAUTHOR". Entities of a hierarchy
    /// may share a column. Empty for a column that the model does not know.
    package var contents: [String]
  }

  package struct Index: Sendable {
    package var name: String
    package var isUnique: Bool
    /// Columns and expressions, a descending one with DESC.
    package var columns: [String]
    /// The condition of a partial index.
    package var condition: String?
  }

  package struct Table: Sendable {
    package var name: String
    /// The many-to-many relationships whose pairs it holds; empty for a table of objects.
    package var relationships: [String]
    package var rows: Int
    package var columns: [Column]
    package var indexes: [Index]
  }

  /// In the order of their numbers.
  package let entities: [Entity]
  /// Those of objects, then those of pairs. A table that the model has and the file lacks is left out.
  package let tables: [Table]

  /// - Parameter model: the model that the store was written with; nil uses the copy in the file.
  /// - Throws: a `StoreError` if the file is not a store, cannot be read, or belongs to another model.
  package init(of url: URL, model: NSManagedObjectModel) throws {
    self = try StoreInspector.at(url.storePath(isReadOnly: true)) { connection in
      try connection.reading { try StoreTables(connection, model: model) }
    }
  }

  private init(_ connection: Connection, model: NSManagedObjectModel) throws {
    let schema = try StoreOpening.schema(of: model, in: connection)
    let contents = TableContents(of: schema)
    entities = try schema.layouts.map { layout in
      let (table, number) = (schema.table(of: layout).name, schema.storedNumber(of: layout.number))
      let rows =
        try connection.hasTable(table.unquoted)
        ? connection.integer("SELECT count(*) FROM \(table) WHERE Z_ENT = \(number)") : 0
      return Entity(
        name: layout.name, number: number, parent: layout.parent?.name,
        isAbstract: layout.isAbstract, table: table.unquoted, rows: Int(rows ?? 0))
    }.sorted { $0.number < $1.number }
    tables = try (schema.tables.map(\.name) + schema.joins.map(\.name)).map(\.unquoted).filter(connection.hasTable)
      .map { name in
        Table(
          name: name, relationships: contents.relationships[name] ?? [],
          rows: Int(try connection.integer("SELECT count(*) FROM \(name.quoted(by: "\""))") ?? 0),
          columns: try connection.declaredColumns(of: name).map { column in
            Column(name: column.name, type: column.type, contents: contents.columns[name]?[column.name] ?? [])
          }, indexes: try connection.indexes(of: name))
      }
  }
}

extension StoreOpening {
  /// The schema of the model's configuration that a file holds.
  /// - Throws: `.incompatibleModel` if it holds none.
  static func schema(of model: NSManagedObjectModel, in connection: Connection) throws -> StoreSchema {
    guard try connection.hasTable("Z_METADATA"), let (_, metadata) = try SQLStore.metadata(connection) else {
      throw SQLStore.notAStore(connection)
    }
    model.freeze()
    let configuration = ([nil] + model.configurations).first {
      model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
    }
    let opening = StoreOpening(
      path: connection.path, model: model, configuration: configuration ?? nil, options: SQLStoreOptions())
    return try opening.read(connection).0
  }
}

/// The contents of the columns of each table.
private struct TableContents {
  /// By table and column.
  var columns: [String: [String: [String]]] = [:]
  /// By table of pairs.
  var relationships: [String: [String]] = [:]

  init(of schema: StoreSchema) {
    for table in schema.tables {
      for (column, contents) in [("Z_PK", "key"), ("Z_ENT", "entity"), ("Z_OPT", "version")] {
        add(contents, to: column, of: table.name)
      }
    }
    for layout in schema.layouts { addSlots(of: layout, in: schema) }
    for layout in schema.layouts { addToMany(of: layout, in: schema) }
  }

  private mutating func addSlots(of layout: EntityLayout, in schema: StoreSchema) {
    let table = schema.table(of: layout)
    for (slot, column) in zip(layout.slots, table.columns) {
      guard let column, layout.declares(slot) else { continue }
      let name = "\(layout.name).\(slot.name)"
      guard column.kind == .toOne else {
        add(column.isDerived ? "\(name), derived" : name, to: column.name, of: table.name)
        continue
      }
      let destination = schema.table(of: schema.model.layout(number: column.destination)).name.unquoted
      add("\(name), the key in \(destination)", to: column.name, of: table.name)
      if let entity = column.entityColumn { add("\(name), the entity", to: entity, of: table.name) }
      if let order = column.orderColumn { add("\(name), the position there", to: order, of: table.name) }
    }
  }

  private mutating func addToMany(of layout: EntityLayout, in schema: StoreSchema) {
    for (property, storage) in zip(layout.toMany, schema.table(of: layout).toMany) {
      guard let storage, layout.declares(property.relationship) else { continue }
      let name = "\(layout.name).\(property.name)"
      switch storage {
      // The inverse's column has been named with the inverse.
      case .inverse: break
      case .ownerless(let table, let column, let order):
        add("a member of \(name): the key in \(schema.table(of: layout).name.unquoted)", to: column, of: table)
        if let order { add("\(name), the position", to: order, of: table) }
      case .join(let table, let own, let other, let order, _):
        relationships[table.unquoted, default: []].append(name)
        add("key in \(schema.table(of: layout).name.unquoted)", to: own, of: table)
        let destination = schema.table(of: property.relationship.destination).name.unquoted
        add("key in \(destination)", to: other, of: table)
        if let order { add("\(name), the position", to: order, of: table) }
      }
    }
  }

  private mutating func add(_ text: String, to column: String, of table: String) {
    let known = columns[table.unquoted]?[column.unquoted] ?? []
    guard !known.contains(text) else { return }
    columns[table.unquoted, default: [:]][column.unquoted] = known + [text]
  }
}

extension Connection {
  fileprivate func declaredColumns(of table: String) throws -> [(name: String, type: String)] {
    try rows("SELECT name, type FROM pragma_table_info(?)", bindings: [.text(table)]).compactMap {
      if case .text(let name) = $0[0], case .text(let type) = $0[1] { (name, type) } else { nil }
    }
  }

  /// Also those that a constraint in the table's declaration makes.
  fileprivate func indexes(of table: String) throws -> [StoreTables.Index] {
    let names = """
      SELECT l.name, l."unique", m.sql FROM pragma_index_list(?) l LEFT JOIN sqlite_master m ON m.name = l.name \
      ORDER BY l.name
      """
    return try rows(names, bindings: [.text(table)]).compactMap { row in
      guard case .text(let name) = row[0], case .integer(let unique) = row[1] else { return nil }
      let text: String? = if case .text(let text) = row[2] { text } else { nil }
      let condition = text?.range(of: " WHERE ", options: .caseInsensitive).map { text?[$0.upperBound...] ?? "" }
      return StoreTables.Index(
        name: name, isUnique: unique == 1, columns: try columns(ofIndex: name), condition: condition.map(String.init))
    }
  }

  private func columns(ofIndex name: String) throws -> [String] {
    let columns = "SELECT name, \"desc\" FROM pragma_index_xinfo(?) WHERE \"key\" ORDER BY seqno"
    return try rows(columns, bindings: [.text(name)]).map { row in
      guard case .text(let column) = row[0] else { return "an expression" }
      return row[1] == .integer(1) ? "\(column) DESC" : column
    }
  }
}
