import StrataManagedModel
import StrataRowStore

/// The tables of a model, with the names that Apple's framework gives them, in an engine's dialect. Made once for a
/// store.
package final class StoreSchema: Sendable {
  /// The layout of the model.
  package let model: ModelLayout
  /// The dialect of all statements about these tables.
  package let dialect: any SQLDialect
  /// The columns that every table of rows has.
  package let rowColumns: RowColumns
  /// The entities of the configuration, parents before their children.
  package let layouts: [EntityLayout]
  /// The tables of the configuration's hierarchies, by the Z_ENT of their roots.
  package let tables: [RootTable]
  /// The tables of many-to-many relationships.
  package let joins: [JoinTable]

  /// By the entity's number in the model, from 1.
  private let entityTables: [EntityTable]
  /// By the entity's number in the model, from 1.
  private let indexedNames: [Set<String>]
  /// By the entity's number in the model.
  private let storedNumbers: [Int]
  /// The numbers in the model by Z_ENT; 0 for entities that are not in it.
  @usableFromInline let modelNumbers: [Int]

  /// - Parameters:
  ///   - configuration: the one whose entities the store holds; nil for all entities.
  ///   - numbers: Z_ENT by entity name, where the file's numbers differ from the model's.
  ///   - model: frozen if it was not yet.
  ///   - declared: the file's tables, whose names win where they differ from the rules: a many-to-many relationship may
  ///     be stored under the name of either side, and numbers in names vary.
  /// - Throws: `.incompatibleModel` for an unknown configuration, an attribute that cannot be stored, and ambiguous
  ///   columns.
  package init(
    model: NSManagedObjectModel, configuration: String? = nil, numbers: [String: Int]? = nil,
    declared: DeclaredTables = DeclaredTables(), dialect: some SQLDialect
  ) throws {
    let model = model.freeze()
    self.model = model
    self.dialect = dialect
    rowColumns = RowColumns(dialect)
    layouts = try Self.layouts(of: configuration, in: model)
    storedNumbers = [0] + model.layouts.map { numbers?[$0.name] ?? $0.number }
    var modelNumbers = [Int](repeating: 0, count: (storedNumbers.max() ?? 0) + 1)
    for layout in model.layouts { modelNumbers[storedNumbers[layout.number]] = layout.number }
    self.modelNumbers = modelNumbers

    let names = try TableNames(
      layouts: model.layouts, held: layouts, numbers: storedNumbers, declared: declared, dialect: dialect)
    entityTables = model.layouts.map(names.entityTable)
    let held = Set(layouts.map(\.number))
    indexedNames = model.layouts.map { held.contains($0.number) ? $0.indexedNames : [] }
    tables = names.roots.filter { held.contains($0.root.number) }
    joins = names.joins.filter { held.contains($0.owner) && held.contains($0.destination) }
  }

  private static func layouts(of configuration: String?, in model: ModelLayout) throws -> [EntityLayout] {
    guard let given = model.layouts(ofConfiguration: configuration) else {
      throw StoreError(
        .incompatibleModel,
        "The model has no configuration '\(configuration ?? "")', only \(model.configurations): name one of these.")
    }
    let held = Set(given.flatMap(\.lineage).map(\.number))
    return model.layouts.filter { held.contains($0.number) }
  }

  package func table(of layout: EntityLayout) -> EntityTable { entityTables[layout.number - 1] }

  /// The properties by which an index finds rows of an entity.
  func indexedNames(of layout: EntityLayout) -> Set<String> { indexedNames[layout.number - 1] }

  /// The Z_ENT of an entity that has a number in the model.
  package func storedNumber(of number: Int) -> Int { storedNumbers[number] }

  /// The number in the model of the entity with a Z_ENT in the file; nil if the model has no such entity.
  @inlinable package func number(ofStored stored: Int) -> Int? {
    guard modelNumbers.indices.contains(stored), modelNumbers[stored] != 0 else { return nil }
    return modelNumbers[stored]
  }

  /// Whether the table of an entity can hold rows of entities other than those with these numbers.
  package func holdsOthers(than family: [Int], inTableOf layout: EntityLayout) -> Bool {
    layouts.contains { $0.rootNumber == layout.rootNumber && !family.contains($0.number) }
  }

  /// The last of a family's columns in the rows of its table; nil if it has no columns.
  func lastColumn(of family: [EntityLayout]) -> String? {
    guard let name = family.first.map({ table(of: $0).name }) else { return nil }
    for table in tables where table.name == name {
      for column in table.columns.reversed() where isColumn(column.name, of: family) { return column.name }
    }
    return nil
  }

  private func isColumn(_ name: String, of family: [EntityLayout]) -> Bool {
    for layout in family {
      for case let column? in table(of: layout).columns where column.name == name || column.entityColumn == name {
        return true
      }
    }
    return false
  }

  /// The Z_ENT of a family's rows: a constant where their table holds a single entity, so that an index may cover the
  /// query. Apple's statements have a constant there too.
  func entityColumn(of family: [Int]) -> String {
    guard family.count == 1, !holdsOthers(than: family, inTableOf: model.layout(number: family[0])) else {
      return "t0.\(rowColumns.entity)"
    }
    return String(storedNumber(of: family[0]))
  }
}

/// The columns that every table of rows has, spelled as in statements.
package struct RowColumns: Sendable {
  /// Z_PK.
  package let key: String
  /// Z_ENT.
  package let entity: String
  /// Z_OPT.
  package let version: String

  package init(_ dialect: some SQLDialect) {
    key = dialect.name("Z_PK")
    entity = dialect.name("Z_ENT")
    version = dialect.name("Z_OPT")
  }

  package var names: [String] { [key, entity, version] }
}
