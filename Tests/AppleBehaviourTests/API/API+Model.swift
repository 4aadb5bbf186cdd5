import CoreData
import Foundation
import Testing

/// All symbols of models and entities.
@Suite struct ModelAPI {
  @Test func isThere() {
    use(
      "property|NSManagedObjectModel|configurations",
      \NSManagedObjectModel.configurations as KeyPath<NSManagedObjectModel, [String]>)
    use(
      "method|NSManagedObjectModel|entities(forConfigurationName:)",
      NSManagedObjectModel.entities(forConfigurationName:)
        as (NSManagedObjectModel) -> (String?) -> [NSEntityDescription]?)
    use(
      "property|NSManagedObjectModel|entities",
      \NSManagedObjectModel.entities as ReferenceWritableKeyPath<NSManagedObjectModel, [NSEntityDescription]>)
    use(
      "property|NSManagedObjectModel|entitiesByName",
      \NSManagedObjectModel.entitiesByName as KeyPath<NSManagedObjectModel, [String: NSEntityDescription]>)
    use(
      "property|NSManagedObjectModel|entityVersionHashesByName",
      \NSManagedObjectModel.entityVersionHashesByName as KeyPath<NSManagedObjectModel, [String: Data]>)
    use("init|NSManagedObjectModel|init()", NSManagedObjectModel.init as () -> NSManagedObjectModel)
    use(
      "init|NSManagedObjectModel|init(byMerging:)",
      NSManagedObjectModel.init(byMerging:) as ([NSManagedObjectModel]?) -> NSManagedObjectModel?)
    use(
      "init|NSManagedObjectModel|init(byMerging:forStoreMetadata:)",
      NSManagedObjectModel.init(byMerging:forStoreMetadata:)
        as ([NSManagedObjectModel], [String: Any]) -> NSManagedObjectModel?)
    use(
      "init|NSManagedObjectModel|init(contentsOf:)",
      NSManagedObjectModel.init(contentsOf:) as (URL) -> NSManagedObjectModel?)
    use(
      "type-method|NSManagedObjectModel|mergedModel(from:)",
      NSManagedObjectModel.mergedModel(from:) as ([Bundle]?) -> NSManagedObjectModel?)
    use(
      "type-method|NSManagedObjectModel|mergedModel(from:forStoreMetadata:)",
      NSManagedObjectModel.mergedModel(from:forStoreMetadata:) as ([Bundle]?, [String: Any]) -> NSManagedObjectModel?)
    use(
      "type-method|NSManagedObjectModel|__checksumsForVersionedModel(at:)",
      NSManagedObjectModel.__checksumsForVersionedModel(at:) as (URL) throws -> [String: String])
    use(
      "method|NSManagedObjectModel|isConfiguration(withName:compatibleWithStoreMetadata:)",
      NSManagedObjectModel.isConfiguration(withName:compatibleWithStoreMetadata:)
        as (NSManagedObjectModel) -> (String?, [String: Any]) -> Bool)
    use(
      "property|NSManagedObjectModel|localizationDictionary",
      \NSManagedObjectModel.localizationDictionary as ReferenceWritableKeyPath<NSManagedObjectModel, [String: String]?>)
    use(
      "method|NSManagedObjectModel|setEntities(_:forConfigurationName:)",
      NSManagedObjectModel.setEntities(_:forConfigurationName:)
        as (NSManagedObjectModel) -> ([NSEntityDescription], String) -> Void)
    use(
      "property|NSManagedObjectModel|versionChecksum",
      \NSManagedObjectModel.versionChecksum as KeyPath<NSManagedObjectModel, String>)
    use(
      "property|NSManagedObjectModel|versionIdentifiers",
      \NSManagedObjectModel.versionIdentifiers as ReferenceWritableKeyPath<NSManagedObjectModel, Set<AnyHashable>>)
    use("class||NSManagedObjectModel", NSManagedObjectModel.self)
    use("conformance|NSManagedObjectModel|NSCoding", NSManagedObjectModel.self as any NSCoding.Type)
    use("conformance|NSManagedObjectModel|NSCopying", NSManagedObjectModel.self as any NSCopying.Type)
    use(
      "property|NSEntityDescription|attributesByName",
      \NSEntityDescription.attributesByName as KeyPath<NSEntityDescription, [String: NSAttributeDescription]>)
    use(
      "type-method|NSEntityDescription|entity(forEntityName:in:)",
      NSEntityDescription.entity(forEntityName:in:) as (String, NSManagedObjectContext) -> NSEntityDescription?)
    use(
      "property|NSEntityDescription|indexes",
      \NSEntityDescription.indexes as ReferenceWritableKeyPath<NSEntityDescription, [NSFetchIndexDescription]>)
    use(
      "type-method|NSEntityDescription|insertNewObject(forEntityName:into:)",
      NSEntityDescription.insertNewObject(forEntityName:into:) as (String, NSManagedObjectContext) -> NSManagedObject)
    use(
      "property|NSEntityDescription|isAbstract",
      \NSEntityDescription.isAbstract as ReferenceWritableKeyPath<NSEntityDescription, Bool>)
    use(
      "method|NSEntityDescription|isKindOf(entity:)",
      NSEntityDescription.isKindOf(entity:) as (NSEntityDescription) -> (NSEntityDescription) -> Bool)
    use(
      "property|NSEntityDescription|managedObjectClassName",
      \NSEntityDescription.managedObjectClassName as ReferenceWritableKeyPath<NSEntityDescription, String?>)
    use(
      "property|NSEntityDescription|managedObjectModel",
      \NSEntityDescription.managedObjectModel as KeyPath<NSEntityDescription, NSManagedObjectModel>)
    use(
      "property|NSEntityDescription|name",
      \NSEntityDescription.name as ReferenceWritableKeyPath<NSEntityDescription, String?>)
    use(
      "property|NSEntityDescription|properties",
      \NSEntityDescription.properties as ReferenceWritableKeyPath<NSEntityDescription, [NSPropertyDescription]>)
    use(
      "property|NSEntityDescription|propertiesByName",
      \NSEntityDescription.propertiesByName as KeyPath<NSEntityDescription, [String: NSPropertyDescription]>)
    use(
      "method|NSEntityDescription|relationships(forDestination:)",
      NSEntityDescription.relationships(forDestination:)
        as (NSEntityDescription) -> (NSEntityDescription) -> [NSRelationshipDescription])
    use(
      "property|NSEntityDescription|relationshipsByName",
      \NSEntityDescription.relationshipsByName as KeyPath<NSEntityDescription, [String: NSRelationshipDescription]>)
    use(
      "property|NSEntityDescription|renamingIdentifier",
      \NSEntityDescription.renamingIdentifier as ReferenceWritableKeyPath<NSEntityDescription, String?>)
    use(
      "property|NSEntityDescription|subentities",
      \NSEntityDescription.subentities as ReferenceWritableKeyPath<NSEntityDescription, [NSEntityDescription]>)
    use(
      "property|NSEntityDescription|subentitiesByName",
      \NSEntityDescription.subentitiesByName as KeyPath<NSEntityDescription, [String: NSEntityDescription]>)
    use(
      "property|NSEntityDescription|superentity",
      \NSEntityDescription.superentity as KeyPath<NSEntityDescription, NSEntityDescription?>)
    use(
      "property|NSEntityDescription|uniquenessConstraints",
      \NSEntityDescription.uniquenessConstraints as ReferenceWritableKeyPath<NSEntityDescription, [[Any]]>)
    use(
      "property|NSEntityDescription|userInfo",
      \NSEntityDescription.userInfo as ReferenceWritableKeyPath<NSEntityDescription, [AnyHashable: Any]?>)
    use(
      "property|NSEntityDescription|versionHash", \NSEntityDescription.versionHash as KeyPath<NSEntityDescription, Data>
    )
    use(
      "property|NSEntityDescription|versionHashModifier",
      \NSEntityDescription.versionHashModifier as ReferenceWritableKeyPath<NSEntityDescription, String?>)
    use("class||NSEntityDescription", NSEntityDescription.self)
    use("init|NSEntityDescription|init()", NSEntityDescription.init as () -> NSEntityDescription)
    use("conformance|NSEntityDescription|NSCoding", NSEntityDescription.self as any NSCoding.Type)
    use("conformance|NSEntityDescription|NSCopying", NSEntityDescription.self as any NSCopying.Type)
  }
}
