import Foundation
import StrataPredicates

/// The migration of a store from one version of a model to another.
///
/// ```swift
/// let mapping = try NSMappingModel.inferredMappingModel(
///   forSourceModel: oldModel, destinationModel: newModel)
/// for entity in mapping.entityMappings {
///   print(entity.name ?? "", entity.mappingType)
/// }
/// ```
///
/// See <doc:MigratingAStore> and <https://developer.apple.com/documentation/coredata/nsmappingmodel>
open class NSMappingModel: NSObject, @unchecked Sendable {
  // Sendable: a program builds it on one thread, and does not change it once a migration uses it.

  /// The entity mappings, in the order in which they run.
  public var entityMappings: [NSEntityMapping]! = []

  /// The entity mappings by name.
  public var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary((entityMappings ?? []).map { ($0.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Creates an empty mapping model.
  public override init() { super.init() }

  /// Returns whether another mapping model has the same content.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSMappingModel else { return false }
    return self === other || entityMappings == other.entityMappings
  }

  /// A hash that is equal for equal mapping models.
  open override var hash: Int { entityMappings?.count ?? 0 }

  /// Returns the mapping model that can be inferred from two models.
  /// - Throws: `CocoaError` 134190 if a difference cannot be resolved without help. Its user info names the entity, the
  ///   property and the reason under `entity`, `property` and `reason`.
  public class func inferredMappingModel(
    forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    let model = NSMappingModel()
    let difference = try ModelDifference(from: sourceModel.entities, to: destinationModel.entities)
    model.entityMappings = difference.entities.map(\.mapping)
    return model
  }
}

extension ModelDifference.EntityChange {
  private var type: NSEntityMappingType {
    switch (source, destination) {
    case (nil, _): .addEntityMappingType
    case (_, nil): .removeEntityMappingType
    case (let source?, let destination?):
      source.versionHash == destination.versionHash ? .copyEntityMappingType : .transformEntityMappingType
    }
  }

  /// The name that Apple's framework gives inferred entity mappings.
  fileprivate var mappingName: String {
    let name = destination?.sortName ?? source?.sortName ?? ""
    return switch type {
    case .addEntityMappingType: "IEM_Add_\(name)"
    case .removeEntityMappingType: "IEM_Remove_\(name)"
    case .copyEntityMappingType: "IEM_Copy_\(name)"
    default: "IEM_Transform_\(name)"
    }
  }

  fileprivate var mapping: NSEntityMapping {
    let mapping = NSEntityMapping()
    mapping.name = mappingName
    mapping.mappingType = type
    mapping.sourceEntityName = source?.name
    mapping.sourceEntityVersionHash = source?.versionHash
    mapping.destinationEntityName = destination?.name
    mapping.destinationEntityVersionHash = destination?.versionHash
    guard destination != nil else { return mapping }
    mapping.attributeMappings = properties.filter { $0.destination is NSAttributeDescription }.flatMap { $0.mappings() }
    mapping.relationshipMappings = properties.filter { $0.destination is NSRelationshipDescription }.flatMap {
      $0.mappings()
    }
    if mapping.mappingType == .transformEntityMappingType { mapping.userInfo = changedNames }
    return mapping
  }

  /// The changed properties, by the keys of Apple's framework: sets of names; for deleted properties, the old ones.
  private var changedNames: [AnyHashable: Any] {
    let kept = properties.compactMap { $0.source?.name }
    let gone = (source?.properties ?? []).filter { !($0 is NSFetchedPropertyDescription) && !kept.contains($0.name) }
    return [
      "mappedProperties": Set(properties.filter { $0.source != nil }.map(\.destination.name)),
      "addedProperties": Set(properties.filter { $0.source == nil }.map(\.destination.name)),
      "removedProperties": Set(gone.map(\.name)),
    ]
  }
}

extension ModelDifference.PropertyChange {
  /// A property without an expression keeps the value of a new object. A composite attribute whose elements changed is
  /// mapped element by element.
  /// - Parameters:
  ///   - outer: the path of the enclosing composite attribute, with a trailing dot.
  ///   - past: its former path.
  fileprivate func mappings(in outer: String = "", was past: String = "") -> [NSPropertyMapping] {
    let name = outer + destination.name
    if let source, !hasSameElements {
      return elements.flatMap { $0.mappings(in: name + ".", was: past + source.name + ".") }
    }
    let mapping = NSPropertyMapping()
    mapping.name = name
    mapping.valueExpression = source.map { StrataPredicates.NSExpression(format: "$source.\(past)\($0.name)") }
    return [mapping]
  }

  private var hasSameElements: Bool {
    guard let composite = source as? NSCompositeAttributeDescription else { return true }
    return elements.count == composite.elements.count
      && elements.allSatisfy { $0.source?.name == $0.destination.name && $0.hasSameElements }
  }
}
