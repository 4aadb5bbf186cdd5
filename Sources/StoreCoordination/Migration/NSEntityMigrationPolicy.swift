import Foundation
import StrataCoreDataErrors
import StrataManagedModel
import StrataObjectGraph
import StrataPredicates

/// Says what becomes of the objects of one entity mapping; subclasses override what they do in another way.
///
/// `NSEntityMapping.entityMigrationPolicyClassName` names the class, with its module: "Program.QuakePolicy".
/// See https://developer.apple.com/documentation/coredata/nsentitymigrationpolicy
open class NSEntityMigrationPolicy: NSObject {
  public required override init() { super.init() }

  /// Called first of all, before any object of the mapping is made.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

  /// Makes the new objects for an old one, gives them the values of the attribute mappings, and associates them with it.
  /// Relationships come later, when all objects are there.
  open func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard let entity = manager.destinationEntity(for: mapping), let name = entity.name else { return }
    let object = NSEntityDescription.insertNewObject(forEntityName: name, into: manager.destinationContext)
    for property in mapping.attributeMappings ?? [] {
      try manager.setAttribute(property, of: object, from: sInstance, in: mapping, self)
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: object, for: mapping)
  }

  /// Called when the objects of the mapping are made.
  open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Gives a new object the members of the relationship mappings: where an expression comes to objects of the old store,
  /// those that they became.
  open func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let source = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [dInstance]).first
    for property in mapping.relationshipMappings ?? [] {
      try manager.setRelationship(property, of: dInstance, from: source, in: mapping, self)
    }
  }

  /// Called when the relationships of the mapping are made.
  open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Called before the new objects are validated and saved.
  open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Called last of all for the mapping.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Answers what an expression of the mapping model sends to the policy: `FUNCTION($entityPolicy, "name:", $source.age)`.
  ///
  /// A Linux addition: Objective-C calls the method with that selector, and Swift on Linux finds no method by its name.
  /// Override it, and call the method that is meant.
  /// - Parameters:
  ///   - name: as the expression has it, with its colons.
  ///   - arguments: the values; numbers are `NSNumber`.
  /// - Throws: 134170 if the policy does not know the message; the migration ends with it.
  open func answer(toMessage name: String, arguments: [Any?]) throws -> Any? {
    switch (name, arguments.count) {
    case ("defaultValueForKey:propertyMapping:entityMapping:manager:", 4):
      let entity = (arguments[2] as? NSEntityMapping).flatMap {
        (arguments[3] as? NSMigrationManager)?.destinationEntity(for: $0)
      }
      return (arguments[0] as? String).flatMap { entity?.attributesByName[$0]?.defaultValue }
    case ("attributeMappingOfPropertyMapping:entityMapping:manager:sourceValue:", 4): return arguments[3]
    default:
      throw CocoaError.coreData(
        .entityPolicy,
        "The policy \(type(of: self)) does not know the message '\(name)'. Override answer(toMessage:arguments:) in it."
      )
    }
  }
}

/// Name of the variable with the migration manager.
public let NSMigrationManagerKey = "manager"
/// Name of the variable with the object of the old store.
public let NSMigrationSourceObjectKey = "source"
/// Name of the variable with the object of the new store.
public let NSMigrationDestinationObjectKey = "destination"
/// Name of the variable with the entity mapping.
public let NSMigrationEntityMappingKey = "entityMapping"
/// Name of the variable with the property mapping.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// Name of the variable with the policy.
public let NSMigrationEntityPolicyKey = "entityPolicy"
