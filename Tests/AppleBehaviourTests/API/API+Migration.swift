import CoreData
import Foundation
import Testing

/// All symbols for migrating, moving, destroying and describing stores.
@Suite struct MigrationAPI {
  @Test func ofACoordinatorIsThere() {
    use(
      "method|NSPersistentStoreCoordinator|destroyPersistentStore(at:ofType:options:)",
      NSPersistentStoreCoordinator.destroyPersistentStore(at:ofType:options:)
        as (NSPersistentStoreCoordinator) -> (URL, String, [AnyHashable: Any]?) throws -> Void)
    use(
      "method|NSPersistentStoreCoordinator|destroyPersistentStore(at:type:options:)",
      NSPersistentStoreCoordinator.destroyPersistentStore(at:type:options:)
        as (NSPersistentStoreCoordinator) -> (URL, NSPersistentStore.StoreType, [AnyHashable: Any]?) throws -> Void)
    use(
      "type-method|NSPersistentStoreCoordinator|metadataForPersistentStore(ofType:at:options:)",
      NSPersistentStoreCoordinator.metadataForPersistentStore(ofType:at:options:)
        as (String, URL, [AnyHashable: Any]?) throws -> [String: Any])
    use(
      "type-method|NSPersistentStoreCoordinator|metadataForPersistentStore(type:at:options:)",
      NSPersistentStoreCoordinator.metadataForPersistentStore(type:at:options:)
        as (NSPersistentStore.StoreType, URL, [AnyHashable: Any]?) throws -> [String: Any])
    use(
      "method|NSPersistentStoreCoordinator|finishDeferredLightweightMigration()",
      NSPersistentStoreCoordinator.finishDeferredLightweightMigration
        as (NSPersistentStoreCoordinator) -> () throws -> Void)
    use(
      "method|NSPersistentStoreCoordinator|finishDeferredLightweightMigrationTask()",
      NSPersistentStoreCoordinator.finishDeferredLightweightMigrationTask
        as (NSPersistentStoreCoordinator) -> () throws -> Void)
    use(
      "method|NSPersistentStoreCoordinator|migratePersistentStore(_:to:options:type:)",
      NSPersistentStoreCoordinator.migratePersistentStore(_:to:options:type:)
        as (NSPersistentStoreCoordinator) -> (NSPersistentStore, URL, [AnyHashable: Any]?, NSPersistentStore.StoreType)
        throws -> NSPersistentStore)
    use(
      "method|NSPersistentStoreCoordinator|migratePersistentStore(_:to:options:withType:)",
      NSPersistentStoreCoordinator.migratePersistentStore(_:to:options:withType:)
        as (NSPersistentStoreCoordinator) -> (NSPersistentStore, URL, [AnyHashable: Any]?, String) throws ->
        NSPersistentStore)
    use(
      "method|NSPersistentStoreCoordinator|replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)",
      NSPersistentStoreCoordinator.replacePersistentStore(
        at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)
        as (NSPersistentStoreCoordinator) -> (URL, [AnyHashable: Any]?, URL, [AnyHashable: Any]?, String) throws -> Void
    )
    use(
      "method|NSPersistentStoreCoordinator|replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)",
      NSPersistentStoreCoordinator.replacePersistentStore(
        at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)
        as (NSPersistentStoreCoordinator) -> (
          URL, [AnyHashable: Any]?, URL, [AnyHashable: Any]?, NSPersistentStore.StoreType
        ) throws -> Void)
    use(
      "type-method|NSPersistentStoreCoordinator|setMetadata(_:forPersistentStoreOfType:at:options:)",
      NSPersistentStoreCoordinator.setMetadata(_:forPersistentStoreOfType:at:options:)
        as ([String: Any]?, String, URL, [AnyHashable: Any]?) throws -> Void)
    use(
      "type-method|NSPersistentStoreCoordinator|setMetadata(_:type:at:options:)",
      NSPersistentStoreCoordinator.setMetadata(_:type:at:options:)
        as ([String: Any]?, NSPersistentStore.StoreType, URL, [AnyHashable: Any]?) throws -> Void)
    use(
      "method|NSPersistentStoreCoordinator|setMetadata(_:for:)",
      NSPersistentStoreCoordinator.setMetadata(_:for:)
        as (NSPersistentStoreCoordinator) -> ([String: Any]?, NSPersistentStore) -> Void)
  }

  @Test func ofMappingModelsIsThere() {
    use(
      "property|NSMappingModel|entityMappings",
      \NSMappingModel.entityMappings as ReferenceWritableKeyPath<NSMappingModel, [NSEntityMapping]?>)
    use(
      "property|NSMappingModel|entityMappingsByName",
      \NSMappingModel.entityMappingsByName as KeyPath<NSMappingModel, [String: NSEntityMapping]>)
    use(
      "type-method|NSMappingModel|inferredMappingModel(forSourceModel:destinationModel:)",
      NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:)
        as (NSManagedObjectModel, NSManagedObjectModel) throws -> NSMappingModel)
    use("init|NSMappingModel|init(contentsOf:)", NSMappingModel.init(contentsOf:) as (URL?) -> NSMappingModel?)
    use(
      "init|NSMappingModel|init(from:forSourceModel:destinationModel:)",
      NSMappingModel.init(from:forSourceModel:destinationModel:)
        as ([Bundle]?, NSManagedObjectModel?, NSManagedObjectModel?) -> NSMappingModel?)
    use("class||NSMappingModel", NSMappingModel.self)
    use("init|NSMappingModel|init()", NSMappingModel.init as () -> NSMappingModel)
    use(
      "property|NSEntityMapping|attributeMappings",
      \NSEntityMapping.attributeMappings as ReferenceWritableKeyPath<NSEntityMapping, [NSPropertyMapping]?>)
    use(
      "property|NSEntityMapping|destinationEntityName",
      \NSEntityMapping.destinationEntityName as ReferenceWritableKeyPath<NSEntityMapping, String?>)
    use(
      "property|NSEntityMapping|destinationEntityVersionHash",
      \NSEntityMapping.destinationEntityVersionHash as ReferenceWritableKeyPath<NSEntityMapping, Data?>)
    use(
      "property|NSEntityMapping|entityMigrationPolicyClassName",
      \NSEntityMapping.entityMigrationPolicyClassName as ReferenceWritableKeyPath<NSEntityMapping, String?>)
    use(
      "property|NSEntityMapping|mappingType",
      \NSEntityMapping.mappingType as ReferenceWritableKeyPath<NSEntityMapping, NSEntityMappingType>)
    use("property|NSEntityMapping|name", \NSEntityMapping.name as ReferenceWritableKeyPath<NSEntityMapping, String?>)
    use(
      "property|NSEntityMapping|relationshipMappings",
      \NSEntityMapping.relationshipMappings as ReferenceWritableKeyPath<NSEntityMapping, [NSPropertyMapping]?>)
    use(
      "property|NSEntityMapping|sourceEntityName",
      \NSEntityMapping.sourceEntityName as ReferenceWritableKeyPath<NSEntityMapping, String?>)
    use(
      "property|NSEntityMapping|sourceEntityVersionHash",
      \NSEntityMapping.sourceEntityVersionHash as ReferenceWritableKeyPath<NSEntityMapping, Data?>)
    use(
      "property|NSEntityMapping|sourceExpression",
      \NSEntityMapping.sourceExpression as ReferenceWritableKeyPath<NSEntityMapping, NSExpression?>)
    use(
      "property|NSEntityMapping|userInfo",
      \NSEntityMapping.userInfo as ReferenceWritableKeyPath<NSEntityMapping, [AnyHashable: Any]?>)
    use("class||NSEntityMapping", NSEntityMapping.self)
    use("init|NSEntityMapping|init()", NSEntityMapping.init as () -> NSEntityMapping)
    use(
      "init|NSEntityMappingType|init(rawValue:)", NSEntityMappingType.init(rawValue:) as (UInt) -> NSEntityMappingType?)
    use("case|NSEntityMappingType|addEntityMappingType", NSEntityMappingType.addEntityMappingType.rawValue, 2)
    use("case|NSEntityMappingType|copyEntityMappingType", NSEntityMappingType.copyEntityMappingType.rawValue, 4)
    use("case|NSEntityMappingType|customEntityMappingType", NSEntityMappingType.customEntityMappingType.rawValue, 1)
    use("case|NSEntityMappingType|removeEntityMappingType", NSEntityMappingType.removeEntityMappingType.rawValue, 3)
    use(
      "case|NSEntityMappingType|transformEntityMappingType", NSEntityMappingType.transformEntityMappingType.rawValue, 5)
    use(
      "case|NSEntityMappingType|undefinedEntityMappingType", NSEntityMappingType.undefinedEntityMappingType.rawValue, 0)
    use("enum||NSEntityMappingType", NSEntityMappingType.self)
    use(
      "property|NSPropertyMapping|name", \NSPropertyMapping.name as ReferenceWritableKeyPath<NSPropertyMapping, String?>
    )
    use(
      "property|NSPropertyMapping|userInfo",
      \NSPropertyMapping.userInfo as ReferenceWritableKeyPath<NSPropertyMapping, [AnyHashable: Any]?>)
    use(
      "property|NSPropertyMapping|valueExpression",
      \NSPropertyMapping.valueExpression as ReferenceWritableKeyPath<NSPropertyMapping, NSExpression?>)
    use("class||NSPropertyMapping", NSPropertyMapping.self)
    use("init|NSPropertyMapping|init()", NSPropertyMapping.init as () -> NSPropertyMapping)
  }

  @Test func ofManagersIsThere() {
    use(
      "method|NSEntityMigrationPolicy|begin(_:with:)",
      NSEntityMigrationPolicy.begin(_:with:)
        as (NSEntityMigrationPolicy) -> (NSEntityMapping, NSMigrationManager) throws -> Void)
    use(
      "method|NSEntityMigrationPolicy|createDestinationInstances(forSource:in:manager:)",
      NSEntityMigrationPolicy.createDestinationInstances(forSource:in:manager:)
        as (NSEntityMigrationPolicy) -> (NSManagedObject, NSEntityMapping, NSMigrationManager) throws -> Void)
    use(
      "method|NSEntityMigrationPolicy|createRelationships(forDestination:in:manager:)",
      NSEntityMigrationPolicy.createRelationships(forDestination:in:manager:)
        as (NSEntityMigrationPolicy) -> (NSManagedObject, NSEntityMapping, NSMigrationManager) throws -> Void)
    use(
      "method|NSEntityMigrationPolicy|end(_:manager:)",
      NSEntityMigrationPolicy.end(_:manager:)
        as (NSEntityMigrationPolicy) -> (NSEntityMapping, NSMigrationManager) throws -> Void)
    use(
      "method|NSEntityMigrationPolicy|endInstanceCreation(forMapping:manager:)",
      NSEntityMigrationPolicy.endInstanceCreation(forMapping:manager:)
        as (NSEntityMigrationPolicy) -> (NSEntityMapping, NSMigrationManager) throws -> Void)
    use(
      "method|NSEntityMigrationPolicy|endRelationshipCreation(forMapping:manager:)",
      NSEntityMigrationPolicy.endRelationshipCreation(forMapping:manager:)
        as (NSEntityMigrationPolicy) -> (NSEntityMapping, NSMigrationManager) throws -> Void)
    use(
      "method|NSEntityMigrationPolicy|performCustomValidation(forMapping:manager:)",
      NSEntityMigrationPolicy.performCustomValidation(forMapping:manager:)
        as (NSEntityMigrationPolicy) -> (NSEntityMapping, NSMigrationManager) throws -> Void)
    use("class||NSEntityMigrationPolicy", NSEntityMigrationPolicy.self)
    use("init|NSEntityMigrationPolicy|init()", NSEntityMigrationPolicy.init as () -> NSEntityMigrationPolicy)
    use(
      "method|NSMigrationManager|associate(sourceInstance:withDestinationInstance:for:)",
      NSMigrationManager.associate(sourceInstance:withDestinationInstance:for:)
        as (NSMigrationManager) -> (NSManagedObject, NSManagedObject, NSEntityMapping) -> Void)
    use(
      "method|NSMigrationManager|cancelMigrationWithError(_:)",
      NSMigrationManager.cancelMigrationWithError(_:) as (NSMigrationManager) -> (any Error) -> Void)
    use(
      "property|NSMigrationManager|currentEntityMapping",
      \NSMigrationManager.currentEntityMapping as KeyPath<NSMigrationManager, NSEntityMapping>)
    use(
      "property|NSMigrationManager|destinationContext",
      \NSMigrationManager.destinationContext as KeyPath<NSMigrationManager, NSManagedObjectContext>)
    use(
      "method|NSMigrationManager|destinationEntity(for:)",
      NSMigrationManager.destinationEntity(for:) as (NSMigrationManager) -> (NSEntityMapping) -> NSEntityDescription?)
    use(
      "method|NSMigrationManager|destinationInstances(forEntityMappingName:sourceInstances:)",
      NSMigrationManager.destinationInstances(forEntityMappingName:sourceInstances:)
        as (NSMigrationManager) -> (String, [NSManagedObject]?) -> [NSManagedObject])
    use(
      "property|NSMigrationManager|destinationModel",
      \NSMigrationManager.destinationModel as KeyPath<NSMigrationManager, NSManagedObjectModel>)
    use(
      "init|NSMigrationManager|init(sourceModel:destinationModel:)",
      NSMigrationManager.init(sourceModel:destinationModel:)
        as (NSManagedObjectModel, NSManagedObjectModel) -> NSMigrationManager)
    use(
      "property|NSMigrationManager|mappingModel",
      \NSMigrationManager.mappingModel as KeyPath<NSMigrationManager, NSMappingModel>)
    use(
      "method|NSMigrationManager|migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:)",
      NSMigrationManager.migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:)
        as (NSMigrationManager) -> (URL, String, [AnyHashable: Any]?, NSMappingModel?, URL, String, [AnyHashable: Any]?)
        throws -> Void)
    use(
      "method|NSMigrationManager|migrateStore(from:type:options:mapping:to:type:options:)",
      NSMigrationManager.migrateStore(from:type:options:mapping:to:type:options:)
        as (NSMigrationManager) -> (
          URL, NSPersistentStore.StoreType, [AnyHashable: Any]?, NSMappingModel, URL, NSPersistentStore.StoreType,
          [AnyHashable: Any]?
        ) throws -> Void)
    use(
      "property|NSMigrationManager|migrationProgress",
      \NSMigrationManager.migrationProgress as KeyPath<NSMigrationManager, Float>)
    use("method|NSMigrationManager|reset()", NSMigrationManager.reset as (NSMigrationManager) -> () -> Void)
    use(
      "property|NSMigrationManager|sourceContext",
      \NSMigrationManager.sourceContext as KeyPath<NSMigrationManager, NSManagedObjectContext>)
    use(
      "method|NSMigrationManager|sourceEntity(for:)",
      NSMigrationManager.sourceEntity(for:) as (NSMigrationManager) -> (NSEntityMapping) -> NSEntityDescription?)
    use(
      "method|NSMigrationManager|sourceInstances(forEntityMappingName:destinationInstances:)",
      NSMigrationManager.sourceInstances(forEntityMappingName:destinationInstances:)
        as (NSMigrationManager) -> (String, [NSManagedObject]?) -> [NSManagedObject])
    use(
      "property|NSMigrationManager|sourceModel",
      \NSMigrationManager.sourceModel as KeyPath<NSMigrationManager, NSManagedObjectModel>)
    use(
      "property|NSMigrationManager|userInfo",
      \NSMigrationManager.userInfo as ReferenceWritableKeyPath<NSMigrationManager, [AnyHashable: Any]?>)
    use(
      "property|NSMigrationManager|usesStoreSpecificMigrationManager",
      \NSMigrationManager.usesStoreSpecificMigrationManager as ReferenceWritableKeyPath<NSMigrationManager, Bool>)
    use("class||NSMigrationManager", NSMigrationManager.self)
  }

  @Test func ofStagesIsThere() {
    use(
      "property|NSStagedMigrationManager|container",
      \NSStagedMigrationManager.container as KeyPath<NSStagedMigrationManager, NSPersistentContainer?>)
    use(
      "init|NSStagedMigrationManager|init(_:)",
      NSStagedMigrationManager.init(_:) as ([NSMigrationStage]) -> NSStagedMigrationManager)
    use(
      "property|NSStagedMigrationManager|stages",
      \NSStagedMigrationManager.stages as KeyPath<NSStagedMigrationManager, [NSMigrationStage]>)
    use("class||NSStagedMigrationManager", NSStagedMigrationManager.self)
    use(
      "property|NSMigrationStage|label", \NSMigrationStage.label as ReferenceWritableKeyPath<NSMigrationStage, String?>)
    use("class||NSMigrationStage", NSMigrationStage.self)
    use(
      "init|NSLightweightMigrationStage|init(_:)",
      NSLightweightMigrationStage.init(_:) as ([String]) -> NSLightweightMigrationStage)
    use(
      "property|NSLightweightMigrationStage|versionChecksums",
      \NSLightweightMigrationStage.versionChecksums as KeyPath<NSLightweightMigrationStage, [String]>)
    use("class||NSLightweightMigrationStage", NSLightweightMigrationStage.self)
    use(
      "property|NSCustomMigrationStage|currentModel",
      \NSCustomMigrationStage.currentModel as KeyPath<NSCustomMigrationStage, NSManagedObjectModelReference>)
    use(
      "property|NSCustomMigrationStage|didMigrateHandler",
      \NSCustomMigrationStage.didMigrateHandler
        as ReferenceWritableKeyPath<
          NSCustomMigrationStage, ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
        >)
    use(
      "init|NSCustomMigrationStage|init(migratingFrom:to:)",
      NSCustomMigrationStage.init(migratingFrom:to:)
        as (NSManagedObjectModelReference, NSManagedObjectModelReference) -> NSCustomMigrationStage)
    use(
      "property|NSCustomMigrationStage|nextModel",
      \NSCustomMigrationStage.nextModel as KeyPath<NSCustomMigrationStage, NSManagedObjectModelReference>)
    use(
      "property|NSCustomMigrationStage|willMigrateHandler",
      \NSCustomMigrationStage.willMigrateHandler
        as ReferenceWritableKeyPath<
          NSCustomMigrationStage, ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
        >)
    use("class||NSCustomMigrationStage", NSCustomMigrationStage.self)
    use(
      "init|NSManagedObjectModelReference|init(entityVersionHashes:in:versionChecksum:)",
      NSManagedObjectModelReference.init(entityVersionHashes:in:versionChecksum:)
        as ([AnyHashable: Any], Bundle?, String) -> NSManagedObjectModelReference)
    use(
      "init|NSManagedObjectModelReference|init(fileURL:versionChecksum:)",
      NSManagedObjectModelReference.init(fileURL:versionChecksum:) as (URL, String) -> NSManagedObjectModelReference)
    use(
      "init|NSManagedObjectModelReference|init(model:versionChecksum:)",
      NSManagedObjectModelReference.init(model:versionChecksum:)
        as (NSManagedObjectModel, String) -> NSManagedObjectModelReference)
    use(
      "init|NSManagedObjectModelReference|init(name:in:versionChecksum:)",
      NSManagedObjectModelReference.init(name:in:versionChecksum:)
        as (String, Bundle?, String) -> NSManagedObjectModelReference)
    use(
      "property|NSManagedObjectModelReference|resolvedModel",
      \NSManagedObjectModelReference.resolvedModel as KeyPath<NSManagedObjectModelReference, NSManagedObjectModel>)
    use(
      "property|NSManagedObjectModelReference|versionChecksum",
      \NSManagedObjectModelReference.versionChecksum as KeyPath<NSManagedObjectModelReference, String>)
    use("class||NSManagedObjectModelReference", NSManagedObjectModelReference.self)
  }
}
