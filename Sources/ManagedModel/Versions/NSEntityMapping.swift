import Foundation
import StrataPredicates

/// The conversion of the objects of one entity in a migration.
///
/// See <https://developer.apple.com/documentation/coredata/nsentitymapping>
open class NSEntityMapping: NSObject, @unchecked Sendable {
  // Sendable: a program builds it on one thread, and does not change it once a migration uses it.

  /// The name of the mapping, unique in its mapping model. Default: the names of its entities, `Source->Destination`.
  public var name: String! {
    get { givenName ?? "\(sourceEntityName ?? "")->\(destinationEntityName ?? "")" }
    set { givenName = newValue }
  }
  private var givenName: String?
  /// The kind of mapping.
  public var mappingType = NSEntityMappingType.undefinedEntityMappingType
  /// The name of the source entity; nil if the mapping adds an entity.
  public var sourceEntityName: String?
  /// The version hash of the source entity.
  public var sourceEntityVersionHash: Data?
  /// The name of the destination entity; nil if the mapping removes an entity.
  public var destinationEntityName: String?
  /// The version hash of the destination entity.
  public var destinationEntityVersionHash: Data?
  /// The mappings of the attributes.
  public var attributeMappings: [NSPropertyMapping]?
  /// The mappings of the relationships.
  public var relationshipMappings: [NSPropertyMapping]?
  /// An expression for the objects to migrate: an array of objects or a fetch request. Nil for all objects of the
  /// source entity.
  public var sourceExpression: StrataPredicates.NSExpression?
  /// Information for the migration policy.
  public var userInfo: [AnyHashable: Any]?
  /// The class name of the migration policy, as "Module.Class"; nil for `NSEntityMigrationPolicy`.
  public var entityMigrationPolicyClassName: String?

  /// Creates an empty mapping.
  public override init() { super.init() }

  /// Returns whether another mapping has the same content.
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

  /// A hash of the name.
  open override var hash: Int { name?.hashValue ?? 0 }

  /// Returns a mapping with copies of the property mappings.
  package func makeCopy() -> NSEntityMapping {
    let copy = NSEntityMapping()
    copy.givenName = givenName
    copy.mappingType = mappingType
    (copy.sourceEntityName, copy.sourceEntityVersionHash) = (sourceEntityName, sourceEntityVersionHash)
    (copy.destinationEntityName, copy.destinationEntityVersionHash) = (
      destinationEntityName, destinationEntityVersionHash
    )
    copy.attributeMappings = attributeMappings?.map { $0.makeCopy() }
    copy.relationshipMappings = relationshipMappings?.map { $0.makeCopy() }
    copy.sourceExpression = sourceExpression
    copy.userInfo = userInfo
    copy.entityMigrationPolicyClassName = entityMigrationPolicyClassName
    return copy
  }
}

/// The kinds of entity mapping, with Apple's raw values.
///
/// See <https://developer.apple.com/documentation/coredata/nsentitymappingtype>
public enum NSEntityMappingType: UInt, Sendable {
  /// The mapping does not say what happens to the objects.
  case undefinedEntityMappingType = 0
  /// A migration policy converts the objects.
  case customEntityMappingType = 1
  /// The entity is new.
  case addEntityMappingType = 2
  /// The entity is removed, along with its objects.
  case removeEntityMappingType = 3
  /// The entity is the same in both models.
  case copyEntityMappingType = 4
  /// The entity is in both models, with differences.
  case transformEntityMappingType = 5
}

/// The source of the value of a migrated object's property.
///
/// See <https://developer.apple.com/documentation/coredata/nspropertymapping>
open class NSPropertyMapping: NSObject, @unchecked Sendable {
  // Sendable: as the entity mapping.

  /// The name of the destination property.
  public var name: String?
  /// The expression for the value. It can use the variables `$source`, `$destination`, `$manager`, `$entityMapping`,
  /// `$propertyMapping` and `$entityPolicy`.
  public var valueExpression: StrataPredicates.NSExpression?
  /// Information for the migration policy.
  public var userInfo: [AnyHashable: Any]?

  /// Creates an empty mapping.
  public override init() { super.init() }

  /// Returns whether another mapping has the same content.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyMapping else { return false }
    return self === other
      || name == other.name && valueExpression == other.valueExpression && isSame(userInfo, other.userInfo)
  }

  /// A hash of the name.
  open override var hash: Int { name?.hashValue ?? 0 }

  fileprivate func makeCopy() -> NSPropertyMapping {
    let copy = NSPropertyMapping()
    (copy.name, copy.valueExpression, copy.userInfo) = (name, valueExpression, userInfo)
    return copy
  }
}
