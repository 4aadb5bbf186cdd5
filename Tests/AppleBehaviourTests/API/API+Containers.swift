import CoreData
import Testing

/// Containers, store descriptions, and opening stores.
@Suite struct ContainersAPI {
  @Test func ofAContainerIsThere() {
    use(
      "type-method|NSPersistentContainer|defaultDirectoryURL()", NSPersistentContainer.defaultDirectoryURL as () -> URL)
    use(
      "init|NSPersistentContainer|init(name:)", NSPersistentContainer.init(name:) as (String) -> NSPersistentContainer)
    use(
      "init|NSPersistentContainer|init(name:managedObjectModel:)",
      NSPersistentContainer.init(name:managedObjectModel:) as (String, NSManagedObjectModel) -> NSPersistentContainer)
    use(
      "method|NSPersistentContainer|loadPersistentStores(completionHandler:)",
      NSPersistentContainer.loadPersistentStores(completionHandler:)
        as (NSPersistentContainer) -> (@escaping (NSPersistentStoreDescription, (any Error)?) -> Void) -> Void)
    use(
      "property|NSPersistentContainer|managedObjectModel",
      \NSPersistentContainer.managedObjectModel as KeyPath<NSPersistentContainer, NSManagedObjectModel>)
    use("property|NSPersistentContainer|name", \NSPersistentContainer.name as KeyPath<NSPersistentContainer, String>)
    use(
      "method|NSPersistentContainer|newBackgroundContext()",
      NSPersistentContainer.newBackgroundContext as (NSPersistentContainer) -> () -> NSManagedObjectContext)
    use(
      "method|NSPersistentContainer|performBackgroundTask(_:)",
      { (container: NSPersistentContainer) async in await container.performBackgroundTask { _ in 1 } })
    use(
      "method|NSPersistentContainer|performBackgroundTask(_:)",
      NSPersistentContainer.performBackgroundTask(_:)
        as (NSPersistentContainer) -> (@escaping (NSManagedObjectContext) -> Void) -> Void)
    use(
      "property|NSPersistentContainer|persistentStoreCoordinator",
      \NSPersistentContainer.persistentStoreCoordinator as KeyPath<NSPersistentContainer, NSPersistentStoreCoordinator>)
    use(
      "property|NSPersistentContainer|persistentStoreDescriptions",
      \NSPersistentContainer.persistentStoreDescriptions
        as ReferenceWritableKeyPath<NSPersistentContainer, [NSPersistentStoreDescription]>)
    use(
      "property|NSPersistentContainer|viewContext",
      \NSPersistentContainer.viewContext as KeyPath<NSPersistentContainer, NSManagedObjectContext>)
    use("conformance|NSPersistentContainer|Sendable", NSPersistentContainer.self as any Sendable.Type)
    use("class||NSPersistentContainer", NSPersistentContainer.self)
  }

  @Test func ofADescriptionIsThere() {
    use(
      "property|NSPersistentStoreDescription|configuration",
      \NSPersistentStoreDescription.configuration as ReferenceWritableKeyPath<NSPersistentStoreDescription, String?>)
    use(
      "init|NSPersistentStoreDescription|init(url:)",
      NSPersistentStoreDescription.init(url:) as (URL) -> NSPersistentStoreDescription)
    use(
      "property|NSPersistentStoreDescription|isReadOnly",
      \NSPersistentStoreDescription.isReadOnly as ReferenceWritableKeyPath<NSPersistentStoreDescription, Bool>)
    use(
      "property|NSPersistentStoreDescription|options",
      \NSPersistentStoreDescription.options as KeyPath<NSPersistentStoreDescription, [String: NSObject]>)
    use(
      "method|NSPersistentStoreDescription|setOption(_:forKey:)",
      NSPersistentStoreDescription.setOption(_:forKey:) as (NSPersistentStoreDescription) -> (NSObject?, String) -> Void
    )
    use(
      "method|NSPersistentStoreDescription|setValue(_:forPragmaNamed:)",
      NSPersistentStoreDescription.setValue(_:forPragmaNamed:)
        as (NSPersistentStoreDescription) -> (NSObject?, String) -> Void)
    use(
      "property|NSPersistentStoreDescription|shouldAddStoreAsynchronously",
      \NSPersistentStoreDescription.shouldAddStoreAsynchronously
        as ReferenceWritableKeyPath<NSPersistentStoreDescription, Bool>)
    use(
      "property|NSPersistentStoreDescription|shouldInferMappingModelAutomatically",
      \NSPersistentStoreDescription.shouldInferMappingModelAutomatically
        as ReferenceWritableKeyPath<NSPersistentStoreDescription, Bool>)
    use(
      "property|NSPersistentStoreDescription|shouldMigrateStoreAutomatically",
      \NSPersistentStoreDescription.shouldMigrateStoreAutomatically
        as ReferenceWritableKeyPath<NSPersistentStoreDescription, Bool>)
    use(
      "property|NSPersistentStoreDescription|sqlitePragmas",
      \NSPersistentStoreDescription.sqlitePragmas as KeyPath<NSPersistentStoreDescription, [String: NSObject]>)
    use(
      "property|NSPersistentStoreDescription|timeout",
      \NSPersistentStoreDescription.timeout as ReferenceWritableKeyPath<NSPersistentStoreDescription, TimeInterval>)
    use(
      "property|NSPersistentStoreDescription|type",
      \NSPersistentStoreDescription.type as ReferenceWritableKeyPath<NSPersistentStoreDescription, String>)
    use(
      "property|NSPersistentStoreDescription|url",
      \NSPersistentStoreDescription.url as ReferenceWritableKeyPath<NSPersistentStoreDescription, URL?>)
    use(
      "init|NSPersistentStoreDescription|init()",
      NSPersistentStoreDescription.init as () -> NSPersistentStoreDescription)
    use("conformance|NSPersistentStoreDescription|NSCopying", NSPersistentStoreDescription.self as any NSCopying.Type)
    use("class||NSPersistentStoreDescription", NSPersistentStoreDescription.self)
  }

  @Test func keysOfStoresAreThere() {
    use("store-option-key||NSIgnorePersistentStoreVersioningOption", NSIgnorePersistentStoreVersioningOption as String)
    use(
      "store-option-key||NSPersistentStoreConnectionPoolMaxSizeKey", NSPersistentStoreConnectionPoolMaxSizeKey as String
    )
    use("store-option-key||NSInferMappingModelAutomaticallyOption", NSInferMappingModelAutomaticallyOption as String)
    use(
      "store-option-key||NSMigratePersistentStoresAutomaticallyOption",
      NSMigratePersistentStoresAutomaticallyOption as String)
    use("store-option-key||NSPersistentHistoryTrackingKey", NSPersistentHistoryTrackingKey as String)
    use(
      "store-option-key||NSPersistentStoreDeferredLightweightMigrationOptionKey",
      NSPersistentStoreDeferredLightweightMigrationOptionKey as String)
    use("store-option-key||NSPersistentStoreForceDestroyOption", NSPersistentStoreForceDestroyOption as String)
    use(
      "store-option-key||NSPersistentStoreRemoteChangeNotificationPostOptionKey",
      NSPersistentStoreRemoteChangeNotificationPostOptionKey as String)
    use(
      "store-option-key||NSPersistentStoreStagedMigrationManagerOptionKey",
      NSPersistentStoreStagedMigrationManagerOptionKey as String)
    use("store-option-key||NSPersistentStoreTimeoutOption", NSPersistentStoreTimeoutOption as String)
    use("store-option-key||NSReadOnlyPersistentStoreOption", NSReadOnlyPersistentStoreOption as String)
    use("store-option-key||NSSQLiteAnalyzeOption", NSSQLiteAnalyzeOption as String)
    use("store-option-key||NSSQLiteManualVacuumOption", NSSQLiteManualVacuumOption as String)
    use("store-option-key||NSSQLitePragmasOption", NSSQLitePragmasOption as String)
    use("store-option-key||NSValidateXMLStoreOption", NSValidateXMLStoreOption as String)
    use("store-option-key||NSBinaryStoreSecureDecodingClasses", NSBinaryStoreSecureDecodingClasses as String)
    use(
      "store-option-key||NSBinaryStoreInsecureDecodingCompatibilityOption",
      NSBinaryStoreInsecureDecodingCompatibilityOption as String)
    use("store-type||NSBinaryStoreType", NSBinaryStoreType as String)
    use("store-type||NSXMLStoreType", NSXMLStoreType as String)
    use("store-type||NSInMemoryStoreType", NSInMemoryStoreType as String)
    use("store-type||NSSQLiteStoreType", NSSQLiteStoreType as String)
    use("metadata-key||NSPersistentStoreModelVersionChecksumKey", NSPersistentStoreModelVersionChecksumKey as String)
    use("metadata-key||NSStoreModelVersionHashesKey", NSStoreModelVersionHashesKey as String)
    use("metadata-key||NSStoreModelVersionIdentifiersKey", NSStoreModelVersionIdentifiersKey as String)
    use("metadata-key||NSStoreTypeKey", NSStoreTypeKey as String)
    use("metadata-key||NSStoreUUIDKey", NSStoreUUIDKey as String)
  }
}
