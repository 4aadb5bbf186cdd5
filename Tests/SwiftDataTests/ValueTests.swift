import Foundation
import StrataTestSupport
import SwiftData
import Testing

/// Attributes of types that have no column of their own.
@Suite struct ValueTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func container() throws -> ModelContainer {
    try ModelContainer(for: Recipe.self, configurations: ModelConfiguration(url: folder.url("Recipes.store")))
  }

  private func recipe() throws -> Recipe {
    try #require(try ModelContext(container()).fetch(FetchDescriptor<Recipe>()).first)
  }

  private func save(_ change: (Recipe) -> Void) throws {
    let (context, recipe) = (ModelContext(try container()), Recipe())
    change(recipe)
    context.insert(recipe)
    try context.save()
  }

  /// Changes the recipe with Core Data.
  private func editStore(_ change: (NSManagedObject) throws -> Void) throws {
    let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: Recipe.self))
    for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url("Recipes.store"),
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      try change(#require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Recipe")).first))
      try context.save()
    }
  }

  @Test func `lists, dictionaries, sets and structures are kept`() throws {
    try save {
      $0.tags = ["soup", "böse", ""]
      $0.amounts = ["salt": 1.5]
      $0.allergens = [.nuts, .milk]
      $0.size = Recipe.Size(width: 2, unit: .inch)
      $0.notes = ["hot"]
      $0.step = .bake(degrees: 200, minutes: 30)
      $0.initial = "R"
      $0.count = .max
    }
    let recipe = try recipe()
    #expect(recipe.tags == ["soup", "böse", ""] && recipe.amounts == ["salt": 1.5] && recipe.count == .max)
    #expect(recipe.allergens == [.nuts, .milk] && recipe.size.width == 2 && recipe.size.unit == .inch)
    #expect(recipe.notes == ["hot"] && recipe.step == .bake(degrees: 200, minutes: 30) && recipe.initial == "R")
  }

  @Test func `values that are not set are the initial ones`() throws {
    try save { _ in }
    let recipe = try recipe()
    #expect(recipe.tags == [] && recipe.amounts == [:] && recipe.notes == nil && recipe.otherSize == nil)
    #expect(recipe.step == .wait && recipe.initial == nil && recipe.size.width == 1 && recipe.color == nil)
  }

  @Test func `a value is changed in place and removed`() throws {
    try save { $0.notes = ["hot"] }
    let context = ModelContext(try container())
    let recipe = try #require(try context.fetch(FetchDescriptor<Recipe>()).first)
    recipe.tags.append("soup")
    recipe.notes = nil
    recipe.size.width += 1
    try context.save()
    let saved = try self.recipe()
    #expect(saved.tags == ["soup"] && saved.notes == nil && saved.size.width == 2)
  }

  @Test func `no value is NULL in the store`() throws {
    try save { $0.notes = nil }
    try editStore { recipe in
      for name in ["notes", "otherSize", "color", "initial"] { #expect(recipe.value(forKey: name) == nil, "\(name)") }
      #expect(recipe.value(forKey: "tags") is Data)
    }
  }

  @Test(arguments: [
    Recipe.Node.text("a"), .list([.text("a")]), .list([.list([]), .text("")]), .list([]), .number(1.5),
  ])
  func `a value that encodes itself in different ways is kept`(node: Recipe.Node) throws {
    try save { $0.node = node }
    #expect(try recipe().node == node)
  }

  @Test func `a value transformer turns values into those of the store`() throws {
    try save { $0.color = Recipe.Color(red: 7) }
    #expect(try recipe().color == Recipe.Color(red: 7))
    let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: Recipe.self))
    let attribute = try #require(model.entitiesByName["Recipe"]?.attributesByName["color"])
    #expect(attribute.attributeType == .transformableAttributeType && attribute.valueTransformerName != nil)
  }

  @Test func `damaged values read as the initial ones, or as nil`() throws {
    try save {
      $0.tags = ["soup"]
      $0.notes = ["hot"]
    }
    try editStore { recipe in
      for name in ["tags", "notes"] { recipe.setValue(Data("damaged".utf8), forKey: name) }
    }
    let recipe = try recipe()
    #expect(recipe.tags == [] && recipe.notes == nil)
  }

  @Test func `a predicate cannot look into such values`() throws {
    let context = ModelContext(try container())
    #expect(throws: SwiftDataError.unsupportedPredicate) {
      try context.fetch(FetchDescriptor<Recipe>(predicate: #Predicate { $0.tags.contains("soup") }))
    }
  }
}

@Model final class Recipe {
  var tags: [String] = []
  var amounts: [String: Double] = [:]
  var allergens: Set<Allergen> = []
  var size: Size = Size(width: 1, unit: .metre)
  var otherSize: Size?
  var notes: [String]?
  var step: Step = Step.wait
  var initial: String?
  var count: UInt64 = 0
  var node: Node = Node.list([])
  @Attribute(.transformable(by: RecipeColorTransformer.self)) var color: Color?

  init() {}

  enum Allergen: String, Codable { case nuts, milk }

  struct Size: Codable {
    var width: Int
    var unit: Unit

    enum Unit: String, Codable { case metre, inch }
  }

  enum Step: Codable, Equatable {
    case wait
    case bake(degrees: Int, minutes: Int)
  }

  /// Encodes itself as a text, a number or a list.
  indirect enum Node: Codable, Equatable {
    case text(String)
    case number(Double)
    case list([Node])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let list = try? container.decode([Node].self) {
        self = .list(list)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else {
        self = .number(try container.decode(Double.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      case .list(let list): try container.encode(list)
      }
    }
  }

  struct Color: Equatable { var red: Int }
}

final class RecipeColorTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Recipe.Color).map { Data([UInt8($0.red)]) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data)?.first.map { Recipe.Color(red: Int($0)) }
  }
}
