import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Copies of models and of their parts.
@Suite struct ModelCopyTests {
  private func sample() -> NSManagedObjectModel {
    let quake = makeEntity("Quake", was: "Shock")
    quake.userInfo = ["a": 1]
    let region = makeEntity("Region")
    let code = attribute("code", optional: false, default: "?")
    let event = makeEntity("Event", abstract: true, modifier: "1", [code], subentities: [quake])
    code.setValidationPredicates([NSPredicate(format: "SELF != ''")], withValidationWarnings: ["empty"])
    event.uniquenessConstraints = [[code]]
    let element = NSFetchIndexElementDescription(property: code, collationType: .binary)
    element.isAscending = false
    event.indexes = [NSFetchIndexDescription(name: "byCode", elements: [element])]
    let model = makeModel(event, quake, region)
      .relate("Region", "quakes", .many, "Quake", "region", .one, rule: .cascadeDeleteRule)
    model.setEntities([region], forConfigurationName: "Places")
    model.versionIdentifiers = ["1"]
    model.localizationDictionary = ["Entity/Quake": "Erdbeben"]
    return model
  }

  @Test func `a copied model has the same version hashes and its own entities`() throws {
    let model = sample()
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
    #expect(copy.versionIdentifiers == ["1"] && copy.localizationDictionary == ["Entity/Quake": "Erdbeben"])
    for entity in copy.entities {
      #expect(entity.managedObjectModel === copy)
      #expect(!model.entities.contains { $0 === entity })
    }
    #expect(copy.entities(forConfigurationName: "Places")?.first === copy.entitiesByName["Region"])
  }

  @Test func `a copy refers to copies`() throws {
    let model = sample()
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    let event = try #require(copy.entitiesByName["Event"])
    let quake = try #require(copy.entitiesByName["Quake"])
    let region = try #require(copy.entitiesByName["Region"])
    #expect(quake.superentity === event && event.subentities == [quake])
    let home = try #require(quake.relationshipsByName["region"])
    #expect(home.destinationEntity === region)
    #expect(home.inverseRelationship === region.relationshipsByName["quakes"])
    #expect(home.inverseRelationship?.deleteRule == .cascadeDeleteRule)
    let code = try #require(event.attributesByName["code"])
    #expect(event.uniquenessConstraints[0][0] as? NSAttributeDescription === code)
    #expect(event.indexes[0].elements[0].property === code && !event.indexes[0].elements[0].isAscending)
    #expect(event.indexes[0].entity === event)
    #expect(code.defaultValue as? String == "?" && !code.isOptional)
    #expect(code.validationWarnings as? [String] == ["empty"])
    #expect(quake.renamingIdentifier == "Shock" && quake.userInfo?["a"] as? Int == 1)
  }

  @Test func `a copy of a model in use can be changed and used`() throws {
    let model = sample()
    _ = NSPersistentStoreCoordinator(managedObjectModel: model)
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    copy.entitiesByName["Region"]?.versionHashModifier = "2"
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: copy)
    _ = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = coordinator.context(.privateQueueConcurrencyType)
    try context.performAndWait {
      let quake = context.insert("Quake", ["code": "x", "region": context.insert("Region")])
      try context.save()
      #expect(quake.entity.managedObjectModel === copy)
    }
  }

  @Test func `a copy of an entity belongs to no model`() throws {
    let model = sample()
    let event = try #require(model.entitiesByName["Event"])
    let copy = try #require(event.copy() as? NSEntityDescription)
    #expect(copy.superentity == nil && copy.name == "Event")
    #expect(copy.subentities.map(\.name) == ["Quake"] && copy.subentities[0] !== model.entitiesByName["Quake"])
    let home = try #require(copy.subentities[0].relationshipsByName["region"])
    #expect(home.destinationEntity === model.entitiesByName["Region"] && home.inverseRelationship == nil)
    // The copy can go into another model.
    let other = NSManagedObjectModel()
    other.entities = [copy]
    #expect(copy.managedObjectModel === other && event.managedObjectModel === model)
  }

  @Test func `a copied property can be added to another entity`() throws {
    let model = sample()
    let quakes = try #require(model.entitiesByName["Region"]?.relationshipsByName["quakes"])
    let copy = try #require(quakes.copy() as? NSRelationshipDescription)
    #expect(copy.name == "quakes" && copy.deleteRule == .cascadeDeleteRule && copy !== quakes)
    let entity = NSEntityDescription()
    entity.properties = [copy]
    #expect(copy.entity === entity && quakes.entity === model.entitiesByName["Region"])
  }

  @Test func `a merged model contains the entities of all its models`() throws {
    let tag = makeEntity("Tag")
    let tags = makeModel(tag)
    tags.setEntities([tag], forConfigurationName: "Places")
    tags.versionIdentifiers = ["tags"]
    let merged = try #require(NSManagedObjectModel(byMerging: [sample(), tags, sample()]))
    #expect(Set(merged.entities.compactMap(\.name)) == ["Event", "Quake", "Region", "Tag"])
    #expect(merged.entities.count == 4)
    #expect(merged.versionIdentifiers == ["1", "tags"])
    #expect(Set(merged.entities(forConfigurationName: "Places")?.compactMap(\.name) ?? []) == ["Region", "Tag"])
    #expect(tag.managedObjectModel === tags)
  }

  @Test func `different entities with the same name cannot be merged`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let models = ["1", "2"].map { makeModel(makeEntity("Tag", modifier: $0)) }
      _ = NSManagedObjectModel(byMerging: models)
    }
    #expect(result.errorText.contains("Can't merge models with two different entities named 'Tag'"))
  }

  @Test func `merging for store metadata selects the matching entities`() throws {
    let old = sample()
    let new = try #require(old.copy() as? NSManagedObjectModel)
    new.entitiesByName["Region"]?.versionHashModifier = "2"
    let metadata: [String: Any] = [NSStoreModelVersionHashesKey: new.entityVersionHashesByName]
    let found = try #require(NSManagedObjectModel(byMerging: [old, new], forStoreMetadata: metadata))
    #expect(found.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    #expect(
      found.entitiesByName["Quake"]?.relationshipsByName["region"]?.destinationEntity?.managedObjectModel === found)
    #expect(NSManagedObjectModel(byMerging: [old], forStoreMetadata: metadata) == nil)
  }

  @Test func `a property without an entity returns an empty entity`() {
    let properties = [NSAttributeDescription(), NSRelationshipDescription(), NSFetchedPropertyDescription()]
    for property in properties {
      #expect(property.entity.name == nil && property.entity.uniquenessConstraints.isEmpty)
      #expect(property.entity.propertiesByName.isEmpty && property.entity.superentity == nil)
    }
    let entity = makeEntity("Quake", [properties[0]])
    #expect(properties[0].entity === entity)
    entity.properties = []
    #expect(properties[0].entity.name == nil)
  }
}
