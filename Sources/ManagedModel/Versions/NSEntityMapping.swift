import Foundation
import StrataPredicates

/// What becomes of the objects of one entity in a migration.
/// See https://developer.apple.com/documentation/coredata/nsentitymapping
open class NSEntityMapping: NSObject, @unchecked Sendable {
  // Sendable: a program makes it on one thread and changes it no more once a migration uses it.

  /// What the mapping is called; unique in its model. Without a name of its own it is called after its entities:
  /// `Source->Destination`.
  public var name: String! {
    get { givenName ?? "\(sourceEntityName ?? "")->\(destinationEntityName ?? "")" }
    set { givenName = newValue }
  }
  private var givenName: String?
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
  public var sourceExpression: StrataPredicates.NSExpression?
  /// Whatever a policy needs to know.
  public var userInfo: [AnyHashable: Any]?
  /// The class of the policy, as "Module.Class"; nil is `NSEntityMigrationPolicy`.
  public var entityMigrationPolicyClassName: String?

  public override init() { super.init() }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSEntityMapping else { return false }
    return self === other
      || (name, mappingType, entityMigrationPolicyClassName)
        == (other.name, other.mappingType, other.entityMigrationPolicyClassName)
        && (sourceEntityName, sourceEntityVersionHash) == (other.sourceEntityName, other.sourceEntityVersionHash)
        && (destinationEntityName, destinationEntityVersionHash)
          == (other.destinationEntityName, other.destinationEntityVersionHash)
        && attributeMappings == other.attributeMappings && relationshipMappings == other.relationshipMappings
        && sourceExpression == other.sourceExpression && isSame(userInfo, other.userInfo)
  }

  open override var hash: Int { name?.hashValue ?? 0 }
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
  public var valueExpression: StrataPredicates.NSExpression?
  /// Whatever a policy needs to know.
  public var userInfo: [AnyHashable: Any]?

  public override init() { super.init() }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyMapping else { return false }
    return self === other
      || name == other.name && valueExpression == other.valueExpression && isSame(userInfo, other.userInfo)
  }

  open override var hash: Int { name?.hashValue ?? 0 }
}
