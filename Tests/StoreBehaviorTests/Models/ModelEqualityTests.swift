import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Models and their parts are equal by contents.
@MainActor @Suite struct ModelEqualityTests {
  private func copy(_ model: NSManagedObjectModel) throws -> NSManagedObjectModel {
    try #require(model.copy() as? NSManagedObjectModel)
  }

  @Test(arguments: [Quakes.model, People.model, Rules.model])
  func `copies equal their originals`(_ model: NSManagedObjectModel) throws {
    let copy = try copy(model)
    #expect(copy == model && model == copy && copy.hash == model.hash && copy !== model)
    #expect(Set([copy, model]).count == 1)
    for (name, entity) in model.entitiesByName {
      let twin = try #require(copy.entitiesByName[name])
      #expect(twin == entity && twin.hash == entity.hash && twin !== entity)
      #expect(entity.propertiesByName == twin.propertiesByName)
      for property in entity.properties {
        let alone = try #require(property.copy() as? NSPropertyDescription)
        #expect(alone == property && alone.hash == property.hash && [property].contains(alone))
      }
      let others = model.entities.filter { $0 !== entity }
      #expect(!others.contains(entity) && model.entities.firstIndex(of: twin) == model.entities.firstIndex(of: entity))
    }
  }

  @Test(arguments: [Quakes.model, People.model])
  func `unarchived models equal their originals`(_ model: NSManagedObjectModel) throws {
    let archived = try NSKeyedArchiver.archivedData(withRootObject: model, requiringSecureCoding: true)
    #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSManagedObjectModel.self, from: archived) == model)
  }

  /// Changes, each of which makes the model unequal.
  private static let changes: [@Sendable (NSManagedObjectModel) -> Void] = [
    { $0.entitiesByName["Team"]?.name = "Crew" }, { $0.entitiesByName["Person"]?.isAbstract = true },
    { $0.entitiesByName["Team"]?.managedObjectClassName = "Crew" },
    { $0.entitiesByName["Team"]?.userInfo = ["a": 1] }, { $0.entitiesByName["Team"]?.uniquenessConstraints = [] },
    { $0.entitiesByName["Team"]?.versionHashModifier = "x" }, { $0.entitiesByName["Team"]?.renamingIdentifier = "x" },
    { $0.entitiesByName["Person"]?.subentities = [] }, { $0.entitiesByName["Team"]?.properties = [] },
    { $0.entitiesByName["Team"]?.attributesByName["name"]?.isOptional = false },
    { $0.entitiesByName["Team"]?.attributesByName["name"]?.defaultValue = "x" },
    { $0.entitiesByName["Person"]?.attributesByName["age"]?.attributeType = .integer16AttributeType },
    { $0.entitiesByName["Person"]?.attributesByName["age"]?.isTransient = true },
    { model in
      model.entitiesByName["Person"]?.attributesByName["age"]?.setValidationPredicates(
        [NSPredicate(format: "SELF > 1")], withValidationWarnings: nil)
    },
    { $0.entitiesByName["Team"]?.relationshipsByName["members"]?.deleteRule = .cascadeDeleteRule },
    { $0.entitiesByName["Team"]?.relationshipsByName["members"]?.isOrdered = true },
    { $0.entitiesByName["Team"]?.relationshipsByName["members"]?.maxCount = 4 },
    { $0.entitiesByName["Team"]?.relationshipsByName["members"]?.destinationEntity = $0.entitiesByName["Group"] },
    { $0.setEntities([], forConfigurationName: "Teams") }, { $0.versionIdentifiers = ["2"] },
    { $0.setFetchRequestTemplate(NSFetchRequest(entityName: "Team"), forName: "All") },
    { $0.entities = $0.entities.filter { $0.name != "Group" } },
  ]

  @Test func `models that differ in any property are unequal`() throws {
    for (number, change) in Self.changes.enumerated() {
      let other = try copy(People.model)
      change(other)
      #expect(other != People.model && People.model != other, "change \(number)")
    }
  }

  @Test func `equality compares the kinds and the contents of properties and indexes`() throws {
    let (derived, attribute, column) = (
      NSDerivedAttributeDescription(), NSAttributeDescription(), NSExpressionDescription()
    )
    for property in [derived, attribute, column] as [NSPropertyDescription] { property.name = "size" }
    #expect(derived != attribute && attribute != column && attribute == NSAttributeDescription.named("size"))
    let other = try #require(derived.copy() as? NSDerivedAttributeDescription)
    derived.derivationExpression = NSExpression(format: "now()")
    #expect(other != derived)
    other.derivationExpression = NSExpression(format: "now()")
    #expect(other == derived)
    column.expression = NSExpression(format: "sum:(felt)")
    let twin = try #require(column.copy() as? NSExpressionDescription)
    #expect(twin == column)
    twin.expressionResultType = .doubleAttributeType
    #expect(twin != column)
    let (fetched, same) = (NSFetchedPropertyDescription(), NSFetchedPropertyDescription())
    fetched.fetchRequest = NSFetchRequest(entityName: "Quake")
    #expect(fetched != same)
    same.fetchRequest = NSFetchRequest(entityName: "Quake")
    #expect(fetched == same)
    let index = NSFetchIndexDescription(
      name: "i", elements: [NSFetchIndexElementDescription(property: attribute, collationType: .binary)])
    let indexCopy = try #require(index.copy() as? NSFetchIndexDescription)
    #expect(indexCopy == index && indexCopy.hash == index.hash)
    indexCopy.elements[0].isAscending = false
    #expect(indexCopy != index)
  }

  @Test func `mapping models are equal by contents`() throws {
    let other = try copy(People.model)
    other.entitiesByName["Team"]?.attributesByName["name"]?.isOptional = true
    other.entitiesByName["Team"]?.properties.append(NSAttributeDescription.named("motto"))
    let (first, second) = try (
      NSMappingModel.inferredMappingModel(forSourceModel: People.model, destinationModel: other),
      NSMappingModel.inferredMappingModel(forSourceModel: People.model, destinationModel: other)
    )
    #expect(first == second && first.hash == second.hash && first.entityMappings == second.entityMappings)
    second.entityMappingsByName["IEM_Transform_Team"]?.attributeMappings?.last?.valueExpression = NSExpression(
      forConstantValue: 1)
    #expect(first != second)
  }

  @Test func `a fetch resolves the property names of its request`() throws {
    let context = try Store.memory.container().viewContext
    func request() -> NSFetchRequest<NSDictionary> {
      let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["code", "region.name", column()]
      request.propertiesToGroupBy = ["code", "region.name"]
      return request
    }
    func column() -> NSExpressionDescription {
      let column = NSExpressionDescription()
      column.name = "most"
      column.expression = NSExpression(format: "max:(felt)")
      return column
    }
    let (original, other) = (request(), request())
    #expect(original == other && original.hash == other.hash && original.entity == nil)
    #expect(original.propertiesToFetch?.first as? String == "code")
    _ = context.insert("Quake", ["code": "a", "felt": 3])
    try context.save()
    #expect(try context.fetch(original).first?["most"] as? Int == 3)
    let quake = try #require(NSEntityDescription.entity(forEntityName: "Quake", in: context))
    #expect(original.entity === quake && original.entityName == "Quake" && original == other)
    #expect(original.propertiesToFetch?.first as? NSAttributeDescription === quake.attributesByName["code"])
    #expect(original.propertiesToGroupBy?.first as? NSAttributeDescription === quake.attributesByName["code"])
    #expect(original.propertiesToGroupBy?.last as? String == "region.name")
    #expect(try context.fetch(original).count == 1, "The request can be executed again.")
    let counted = NSFetchRequest<NSManagedObject>(entityName: "Region")
    #expect(try context.count(for: counted) == 0 && counted.entity?.name == "Region")
  }
}

extension NSAttributeDescription {
  fileprivate static func named(_ name: String) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    return attribute
  }
}
