import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Archiving and unarchiving a model.
@Suite struct ModelCodingTests {
  @Test func `an unarchived model has the same entities and defaults`() throws {
    let (model, copy) = (Library.model, try archived(Library.model))
    #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
    for (name, entity) in model.entitiesByName {
      let other = try #require(copy.entitiesByName[name])
      #expect(other.managedObjectClassName == entity.managedObjectClassName)
      #expect(other.propertiesByName.keys.sorted() == entity.propertiesByName.keys.sorted())
      for (key, attribute) in entity.attributesByName {
        #expect("\(other.attributesByName[key]?.defaultValue ?? "")" == "\(attribute.defaultValue ?? "")")
      }
    }
  }

  @Test func `an unarchived model opens a store`() throws {
    let model = try archived(Library.model)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let url = try TemporaryFolder.make().appendingPathComponent("Store.sqlite")
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    #expect(Library.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }

  @Test func `a keyed archive in a file can be loaded as a model`() throws {
    let folder = try TemporaryFolder.make()
    for secure in [true, false] {
      let file = folder.appendingPathComponent("Library.mom")
      try NSKeyedArchiver.archivedData(withRootObject: Library.model, requiringSecureCoding: secure).write(to: file)
      let model = try #require(NSManagedObjectModel(contentsOf: file))
      #expect(model.entityVersionHashesByName == Library.model.entityVersionHashesByName)
      #expect(
        NSManagedObjectModel.mergedModel(from: [try #require(Bundle(url: folder))])?.entities.count
          == Library.model.entities.count)
    }
  }

  @Test func `an archive of another class is not a model`() throws {
    let data = try NSKeyedArchiver.archivedData(withRootObject: "text" as NSString, requiringSecureCoding: true)
    let model = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSManagedObjectModel.self, from: data)
    #expect(model == nil)
  }

  @Test(arguments: [true, false])
  func `archived entities and properties are equal`(_ isSecure: Bool) throws {
    for model in [Library.model, Cards.model, Quakes.model] {
      let copy = NSManagedObjectModel()
      copy.entities = try model.entities.map { try archived($0, isSecure) }
      #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
      for entity in model.entities {
        let copy = try archived(entity, isSecure)
        #expect(copy == entity && copy !== entity && copy.superentity?.name == entity.superentity?.name)
        #expect(copy.properties == entity.properties && copy.indexes == entity.indexes)
        for property in entity.properties {
          let copy = try archived(property, isSecure)
          #expect(copy == property && type(of: copy) == type(of: property))
          let destination = (copy as? NSRelationshipDescription)?.destinationEntity
          #expect(destination == (property as? NSRelationshipDescription)?.destinationEntity)
        }
        for index in entity.indexes { #expect(try archived(index, isSecure) == index) }
      }
    }
  }

  @Test(arguments: [true, false])
  func `entities without a model are archived with what they refer to`(_ isSecure: Bool) throws {
    let (star, giant, mass) = (makeEntity("Star"), makeEntity("Giant"), attribute("mass", .double, default: 1.5))
    let planet = makeEntity("Planet", unique: [["mass"]], [mass], subentities: [giant])
    let (planets, home) = (relationship("planets", to: planet, max: 0), relationship("star", to: star))
    join(planets, home)
    (star.properties, planet.properties) = ([planets], [home, mass])
    let element = NSFetchIndexElementDescription(property: mass, collationType: .binary)
    planet.indexes = [NSFetchIndexDescription(name: "byMass", elements: [element])]
    let copies: [NSEntityDescription] = try [
      archived(star, isSecure), archived(planet, isSecure), archived(giant, isSecure),
    ]
    #expect(copies == [star, planet, giant] && copies[2].propertiesByName["mass"] == mass)
    let copy = try archived(home, isSecure)
    #expect(copy == home && copy.destinationEntity == star && copy.inverseRelationship == planets)
    // The copies form their own model.
    let model = NSManagedObjectModel()
    model.entities = copies
    let context = try Store.memory.people(model).viewContext
    try context.performAndWait {
      let sun = context.insert("Star")
      context.insert("Giant").setValue(sun, forKey: "star")
      #expect((sun.value(forKey: "planets") as? NSSet)?.count == 1)
      try context.save()
    }
  }

  @Test func `properties without an entity are archived`() throws {
    let (price, link, column) = (NSAttributeDescription(), NSRelationshipDescription(), NSExpressionDescription())
    (price.name, price.type, price.isOptional) = ("price", .decimal, false)
    (link.name, link.isOrdered, link.deleteRule) = ("link", true, .denyDeleteRule)
    (column.name, column.resultType) = ("total", .double)
    column.expression = NSExpression(format: "sum:(price)")
    #expect(try archived(price) == price && archived(link) == link && archived(column) == column)
    #expect(try archived(link).destinationEntity == nil)
    let composite = NSCompositeAttributeDescription()
    (composite.name, composite.elements) = ("cost", [price])
    #expect(try archived(composite) == composite && archived(composite.elements[0]) == price)
    let pair = try archived(NSArray(array: [price, link, price]))
    #expect(pair == [price, link, price] as NSArray)
  }

  private func archived<Object: NSObject & NSSecureCoding>(_ object: Object, _ isSecure: Bool = true) throws -> Object {
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: isSecure)
    let classes: [AnyClass] = [Object.self, NSPropertyDescription.self]
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? Object)
  }

  private func archived(_ model: NSManagedObjectModel) throws -> NSManagedObjectModel {
    let data = try NSKeyedArchiver.archivedData(withRootObject: model, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSManagedObjectModel.self, from: data))
  }
}
