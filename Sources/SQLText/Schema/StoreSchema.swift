import StrataManagedModel
import StrataRowStore

/// How the rows of a model lie in tables, with the names that Apple's framework gives them. Pure; made once for a
/// store.
package final class StoreSchema: Sendable {
  /// The frozen model.
  package let model: NSManagedObjectModel
  /// The entities of the configuration, parents before their children.
  package let layouts: [EntityLayout]
  /// The tables of the configuration's hierarchies, by the Z_ENT of their roots.
  let tables: [RootTable]
  /// The tables of many-to-many relationships.
  let joins: [JoinTable]

  /// By the entity's number in the model, from 1.
  private let entityTables: [EntityTable]
  /// By the entity's number in the model, from 1.
  private let indexedNames: [Set<String>]
  /// By the entity's number in the model.
  private let storedNumbers: [Int]
  /// By Z_ENT; 0 where there is none.
  @usableFromInline let modelNumbers: [Int]

  /// - Parameters:
  ///   - configuration: whose entities the store holds; nil is all of them.
  ///   - numbers: Z_ENT by entity name where the file has other numbers than the model.
  ///   - declared: the file's tables, whose names count where they differ from what the rules give: a many-to-many
  ///     relationship may be stored under the name of either side, and the numbers behind names differ.
  /// - Throws: `.incompatibleModel` for an unknown configuration, an attribute that cannot be stored, and columns of which
  ///   nothing tells which is which.
  package init(
    model: NSManagedObjectModel, configuration: String? = nil, numbers: [String: Int]? = nil,
    declared: DeclaredTables = DeclaredTables()
  ) throws {
    model.freeze()
    self.model = model
    layouts = try Self.layouts(of: configuration, in: model)
    storedNumbers = [0] + model.layouts.map { numbers?[$0.name] ?? $0.number }
    var modelNumbers = [Int](repeating: 0, count: (storedNumbers.max() ?? 0) + 1)
    for layout in model.layouts { modelNumbers[storedNumbers[layout.number]] = layout.number }
    self.modelNumbers = modelNumbers

    let names = try TableNames(layouts: model.layouts, numbers: storedNumbers, declared: declared)
    entityTables = model.layouts.map(names.entityTable)
    indexedNames = model.layouts.map(\.indexedNames)
    let held = Set(layouts.map(\.number))
    tables = names.roots.filter { held.contains($0.root.number) }
    joins = names.joins.filter { held.contains($0.owner) && held.contains($0.destination) }
  }

  private static func layouts(of configuration: String?, in model: NSManagedObjectModel) throws -> [EntityLayout] {
    guard let entities = model.entities(forConfigurationName: configuration) else {
      throw StoreError(
        .incompatibleModel,
        "The model has no configuration '\(configuration ?? "")', only \(model.configurations): name one of these.")
    }
    var held: Set<Int> = []
    for entity in entities {
      var next: NSEntityDescription? = entity
      while let ancestor = next {
        held.insert(ancestor.layout.number)
        next = ancestor.superentity
      }
    }
    return model.layouts.filter { held.contains($0.number) }
  }

  /// Where an entity's rows are stored.
  package func table(of layout: EntityLayout) -> EntityTable { entityTables[layout.number - 1] }

  /// The properties by which an index finds rows of an entity.
  func indexedNames(of layout: EntityLayout) -> Set<String> { indexedNames[layout.number - 1] }

  /// The Z_ENT of an entity that has a number in the model.
  package func storedNumber(of number: Int) -> Int { storedNumbers[number] }

  /// The number in the model of the entity that has a Z_ENT in the file; nil if the model has no such.
  @inlinable package func number(ofStored stored: Int) -> Int? {
    guard modelNumbers.indices.contains(stored), modelNumbers[stored] != 0 else { return nil }
    return modelNumbers[stored]
  }

  /// Whether a table can hold rows of other entities than those with these numbers in the model.
  func holdsOthers(than family: [Int], inTableOf layout: EntityLayout) -> Bool {
    layouts.contains { $0.rootNumber == layout.rootNumber && !family.contains($0.number) }
  }

  /// The column of a family that lies last in the rows of its table; nil if it has none.
  func lastColumn(of family: [EntityLayout]) -> String? {
    guard let name = family.first.map({ table(of: $0).name }) else { return nil }
    let columns = family.flatMap { table(of: $0).columns.compactMap(\.self) }
    let own = Set(columns.map(\.name)).union(columns.compactMap(\.entityColumn))
    return tables.first { $0.name == name }?.columns.last { own.contains($0.name) }?.name
  }

  /// How the Z_ENT of rows of a family is known: where their table holds one entity alone, without looking, so that an
  /// index may tell all that is asked. Apple's statements have a constant there too.
  func entityColumn(of family: [Int]) -> String {
    guard family.count == 1, !holdsOthers(than: family, inTableOf: model.layout(number: family[0])) else {
      return "t0.Z_ENT"
    }
    return String(storedNumber(of: family[0]))
  }
}
