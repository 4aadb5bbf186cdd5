import Foundation
import StrataFoundationGaps
import StrataManagedModel
import StrataObjectGraph
import StrataPredicates

/// Converts the objects of one entity mapping. Subclasses override the steps that they change.
///
/// ```swift
/// final class PersonPolicy: NSEntityMigrationPolicy {
///   override func createDestinationInstances(
///     forSource sInstance: NSManagedObject, in mapping: NSEntityMapping,
///     manager: NSMigrationManager
///   ) throws {
///     try super.createDestinationInstances(
///       forSource: sInstance, in: mapping, manager: manager)
///     let people = manager.destinationInstances(
///       forEntityMappingName: mapping.name, sourceInstances: [sInstance])
///     let age = (sInstance.value(forKey: "age") as? String).flatMap(Int.init)
///     people.first?.setValue(age, forKey: "age")
///   }
/// }
///
/// entityMapping.entityMigrationPolicyClassName =
///   NSStringFromClass(PersonPolicy.self)
/// ```
///
/// `NSEntityMapping.entityMigrationPolicyClassName` names the class, with its module: "Program.PersonPolicy".
///
/// See <doc:MigratingAStore> and <https://developer.apple.com/documentation/coredata/nsentitymigrationpolicy>
open class NSEntityMigrationPolicy: NSObject {
  /// Creates a policy. The migration manager does this.
  public required override init() { super.init() }

  /// Called first, before any object of the mapping is created.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

  /// Creates the destination objects for a source object, sets their attributes, and associates them with it.
  /// Relationships follow when all objects exist.
  open func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard let entity = manager.destinationEntity(for: mapping), let name = entity.name else { return }
    let object = NSEntityDescription.insertNewObject(forEntityName: name, into: manager.destinationContext)
    for property in mapping.attributeMappings ?? [] {
      try manager.setAttribute(property, of: object, from: sInstance, in: mapping, policy: self)
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: object, for: mapping)
  }

  /// Called after the objects of the mapping were created.
  open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Sets the relationships of a destination object. Source objects in the value of an expression are replaced by the
  /// objects that they became.
  open func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let source = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [dInstance]).first
    for property in mapping.relationshipMappings ?? [] {
      try manager.setRelationship(property, of: dInstance, from: source, in: mapping, policy: self)
    }
  }

  /// Called after the relationships of the mapping were set.
  open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Called before the destination objects are validated and saved.
  open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Called last for the mapping.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Returns the result of a message that a mapping model's expression sends to the policy: `FUNCTION($entityPolicy,
  /// "name:", $source.age)`.
  ///
  /// This is an addition for Linux: Objective-C calls the method with that selector, which Swift cannot do. Override
  /// it, and call the right method.
  /// - Parameters:
  ///   - name: the message with its colons.
  ///   - arguments: the values of the arguments; numbers are `NSNumber`.
  /// - Throws: `CocoaError` 134170 if the policy does not know the message, which ends the migration.
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

/// Returns the name of a migration policy class, for an entity mapping's `entityMigrationPolicyClassName`:
/// `Books.PersonPolicy`.
///
/// Foundation's function on Linux stops the program for nested and private classes. This one names them too:
/// `Books.Shelf.PersonPolicy`.
public func NSStringFromClass(_ aClass: NSEntityMigrationPolicy.Type) -> String {
  aClass == NSEntityMigrationPolicy.self ? "NSEntityMigrationPolicy" : ProgramClasses.name(of: aClass)
}

/// The name of the variable for the migration manager.
public let NSMigrationManagerKey = "manager"
/// The name of the variable for the source object.
public let NSMigrationSourceObjectKey = "source"
/// The name of the variable for the destination object.
public let NSMigrationDestinationObjectKey = "destination"
/// The name of the variable for the entity mapping.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The name of the variable for the property mapping.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The name of the variable for the migration policy.
public let NSMigrationEntityPolicyKey = "entityPolicy"
