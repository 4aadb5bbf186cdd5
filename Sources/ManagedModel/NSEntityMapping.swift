import Foundation
import Predicates

/// What becomes of the objects of one entity in a migration.
/// See https://developer.apple.com/documentation/coredata/nsentitymapping
open class NSEntityMapping: NSObject, @unchecked Sendable {
  // Sendable: a program makes it on one thread and changes it no more once a migration uses it.

  /// What the mapping is called; unique in its model.
  public var name: String!
  /// What kind of change it is.
  public var mappingType = NSEntityMappingType.undefinedEntityMappingType
  /// The entity that the objects are of; nil for an entity that is new.
  public var sourceEntityName: String?
  /// The version hash of the source entity.
  public var sourceEntityVersionHash: Data?
  /// The entity that they become objects of; nil for one that is gone.
  public var destinationEntityName: String?
  /// The version hash of the destination entity.
  public var destinationEntityVersionHash: Data?
  /// How each attribute gets its value.
  public var attributeMappings: [NSPropertyMapping]?
  /// How each relationship gets its members.
  public var relationshipMappings: [NSPropertyMapping]?
  /// Which objects are migrated: an array of them, or a fetch request; all of the source entity's if it is nil.
  public var sourceExpression: Predicates.NSExpression?
  /// Whatever a policy needs to know.
  public var userInfo: [AnyHashable: Any]?
  /// The class of the policy, as "Module.Class"; nil is `NSEntityMigrationPolicy`.
  public var entityMigrationPolicyClassName: String?

  public override init() { super.init() }
}

/// The kinds of entity mappings, with Apple's numbers.
/// See https://developer.apple.com/documentation/coredata/nsentitymappingtype
public enum NSEntityMappingType: UInt, Sendable {
  /// The developer has to say what becomes of the objects.
  case undefinedEntityMappingType = 0
  /// A policy says what becomes of the objects.
  case customEntityMappingType = 1
  /// The entity is new.
  case addEntityMappingType = 2
  /// The entity is gone, and so are its objects.
  case removeEntityMappingType = 3
  /// The entity is the same in both models.
  case copyEntityMappingType = 4
  /// The entity is in both models, but not the same.
  case transformEntityMappingType = 5
}

/// How a property of migrated objects gets its value.
/// See https://developer.apple.com/documentation/coredata/nspropertymapping
open class NSPropertyMapping: NSObject, @unchecked Sendable {
  // Sendable: as of the entity mapping.

  /// The property of the destination entity.
  public var name: String?
  /// The value; `$source`, `$destination`, `$manager`, `$entityMapping`, `$propertyMapping` and `$entityPolicy` are the
  /// variables that it may use.
  public var valueExpression: Predicates.NSExpression?
  /// Whatever a policy needs to know.
  public var userInfo: [AnyHashable: Any]?

  public override init() { super.init() }
}
