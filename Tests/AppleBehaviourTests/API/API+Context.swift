import CoreData
import Foundation
import Testing

/// All symbols of contexts.
@Suite struct ContextAPI {
  @Test func isThere() {
    use(
      "method|NSManagedObjectContext|assign(_:to:)",
      NSManagedObjectContext.assign(_:to:) as (NSManagedObjectContext) -> (Any, NSPersistentStore) -> Void)
    use(
      "property|NSManagedObjectContext|automaticallyMergesChangesFromParent",
      \NSManagedObjectContext.automaticallyMergesChangesFromParent
        as ReferenceWritableKeyPath<NSManagedObjectContext, Bool>)
    use(
      "property|NSManagedObjectContext|concurrencyType",
      \NSManagedObjectContext.concurrencyType as KeyPath<NSManagedObjectContext, NSManagedObjectContextConcurrencyType>)
    use(
      "method|NSManagedObjectContext|count(for:)",
      { (context: NSManagedObjectContext, request: NSFetchRequest<NSManagedObject>) throws -> Int in
        try context.count(for: request)
      })
    use(
      "method|NSManagedObjectContext|count(for:)",
      { (context: NSManagedObjectContext, request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int in
        try context.count(for: request)
      })
    use(
      "method|NSManagedObjectContext|delete(_:)",
      NSManagedObjectContext.delete(_:) as (NSManagedObjectContext) -> (NSManagedObject) -> Void)
    use(
      "property|NSManagedObjectContext|deletedObjects",
      \NSManagedObjectContext.deletedObjects as KeyPath<NSManagedObjectContext, Set<NSManagedObject>>)
    use(
      "method|NSManagedObjectContext|detectConflicts(for:)",
      NSManagedObjectContext.detectConflicts(for:) as (NSManagedObjectContext) -> (NSManagedObject) -> Void)
    use(
      "notification|NSManagedObjectContext|didChangeObjectsNotification",
      NSManagedObjectContext.didChangeObjectsNotification as Notification.Name)
    use(
      "notification|NSManagedObjectContext|didMergeChangesObjectIDsNotification",
      NSManagedObjectContext.didMergeChangesObjectIDsNotification as Notification.Name)
    use(
      "notification|NSManagedObjectContext|didSaveObjectIDsNotification",
      NSManagedObjectContext.didSaveObjectIDsNotification as Notification.Name)
    use(
      "notification|NSManagedObjectContext|didSaveObjectsNotification",
      NSManagedObjectContext.didSaveObjectsNotification as Notification.Name)
    use(
      "method|NSManagedObjectContext|existingObject(with:)",
      NSManagedObjectContext.existingObject(with:)
        as (NSManagedObjectContext) -> (NSManagedObjectID) throws -> NSManagedObject)
    use(
      "method|NSManagedObjectContext|fetch(_:)",
      { (context: NSManagedObjectContext, request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] in
        try context.fetch(request)
      })
    use(
      "method|NSManagedObjectContext|fetch(_:)",
      { (context: NSManagedObjectContext, request: NSFetchRequest<NSManagedObject>) throws -> [NSManagedObject] in
        try context.fetch(request)
      })
    use(
      "property|NSManagedObjectContext|hasChanges",
      \NSManagedObjectContext.hasChanges as KeyPath<NSManagedObjectContext, Bool>)
    use("init|NSManagedObjectContext|init(_:)", { NSManagedObjectContext(.privateQueue) })
    use(
      "init|NSManagedObjectContext|init(concurrencyType:)",
      NSManagedObjectContext.init(concurrencyType:) as (NSManagedObjectContextConcurrencyType) -> NSManagedObjectContext
    )
    use(
      "method|NSManagedObjectContext|insert(_:)",
      NSManagedObjectContext.insert(_:) as (NSManagedObjectContext) -> (NSManagedObject) -> Void)
    use(
      "property|NSManagedObjectContext|insertedObjects",
      \NSManagedObjectContext.insertedObjects as KeyPath<NSManagedObjectContext, Set<NSManagedObject>>)
    use(
      "method|NSManagedObjectContext|mergeChanges(fromContextDidSave:)",
      NSManagedObjectContext.mergeChanges(fromContextDidSave:) as (NSManagedObjectContext) -> (Notification) -> Void)
    use(
      "type-method|NSManagedObjectContext|mergeChanges(fromRemoteContextSave:into:)",
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave:into:)
        as ([AnyHashable: Any], [NSManagedObjectContext]) -> Void)
    use(
      "property|NSManagedObjectContext|mergePolicy",
      \NSManagedObjectContext.mergePolicy as ReferenceWritableKeyPath<NSManagedObjectContext, Any>)
    use(
      "property|NSManagedObjectContext|name",
      \NSManagedObjectContext.name as ReferenceWritableKeyPath<NSManagedObjectContext, String?>)
    use(
      "struct|NSManagedObjectContext|NSManagedObjectContext.ConcurrencyType",
      NSManagedObjectContext.ConcurrencyType.self)
    use(
      "enum|NSManagedObjectContext|NSManagedObjectContext.NotificationKey", NSManagedObjectContext.NotificationKey.self)
    use(
      "enum|NSManagedObjectContext|NSManagedObjectContext.ScheduledTaskType",
      NSManagedObjectContext.ScheduledTaskType.self)
    use(
      "method|NSManagedObjectContext|object(with:)",
      NSManagedObjectContext.object(with:) as (NSManagedObjectContext) -> (NSManagedObjectID) -> NSManagedObject)
    use(
      "method|NSManagedObjectContext|obtainPermanentIDs(for:)",
      NSManagedObjectContext.obtainPermanentIDs(for:) as (NSManagedObjectContext) -> ([NSManagedObject]) throws -> Void)
    use(
      "property|NSManagedObjectContext|parent",
      \NSManagedObjectContext.parent as ReferenceWritableKeyPath<NSManagedObjectContext, NSManagedObjectContext?>)
    use(
      "method|NSManagedObjectContext|perform(_:)",
      { (context: NSManagedObjectContext) in context.perform { context.reset() } })
    use(
      "method|NSManagedObjectContext|perform(schedule:_:)",
      { (context: NSManagedObjectContext) async throws -> Int in
        try await context.perform(schedule: .enqueued) {
          try context.save()
          return 1
        }
      })
    use(
      "method|NSManagedObjectContext|performAndWait(_:)",
      { (context: NSManagedObjectContext) throws -> Int in
        try context.performAndWait {
          try context.save()
          return 1
        }
      })
    use(
      "method|NSManagedObjectContext|performAndWait(_:)",
      NSManagedObjectContext.performAndWait as (NSManagedObjectContext) -> (() -> Void) -> Void)
    use(
      "property|NSManagedObjectContext|persistentStoreCoordinator",
      \NSManagedObjectContext.persistentStoreCoordinator
        as ReferenceWritableKeyPath<NSManagedObjectContext, NSPersistentStoreCoordinator?>)
    use(
      "method|NSManagedObjectContext|processPendingChanges()",
      NSManagedObjectContext.processPendingChanges as (NSManagedObjectContext) -> () -> Void)
    use(
      "property|NSManagedObjectContext|propagatesDeletesAtEndOfEvent",
      \NSManagedObjectContext.propagatesDeletesAtEndOfEvent as ReferenceWritableKeyPath<NSManagedObjectContext, Bool>)
    use(
      "property|NSManagedObjectContext|queryGenerationToken",
      \NSManagedObjectContext.queryGenerationToken as KeyPath<NSManagedObjectContext, NSQueryGenerationToken?>)
    use("method|NSManagedObjectContext|redo()", NSManagedObjectContext.redo as (NSManagedObjectContext) -> () -> Void)
    use(
      "method|NSManagedObjectContext|refresh(_:mergeChanges:)",
      NSManagedObjectContext.refresh(_:mergeChanges:) as (NSManagedObjectContext) -> (NSManagedObject, Bool) -> Void)
    use(
      "method|NSManagedObjectContext|refreshAllObjects()",
      NSManagedObjectContext.refreshAllObjects as (NSManagedObjectContext) -> () -> Void)
    use(
      "method|NSManagedObjectContext|registeredObject(for:)",
      NSManagedObjectContext.registeredObject(for:)
        as (NSManagedObjectContext) -> (NSManagedObjectID) -> NSManagedObject?)
    use(
      "property|NSManagedObjectContext|registeredObjects",
      \NSManagedObjectContext.registeredObjects as KeyPath<NSManagedObjectContext, Set<NSManagedObject>>)
    use("method|NSManagedObjectContext|reset()", NSManagedObjectContext.reset as (NSManagedObjectContext) -> () -> Void)
    use(
      "property|NSManagedObjectContext|retainsRegisteredObjects",
      \NSManagedObjectContext.retainsRegisteredObjects as ReferenceWritableKeyPath<NSManagedObjectContext, Bool>)
    use(
      "method|NSManagedObjectContext|rollback()",
      NSManagedObjectContext.rollback as (NSManagedObjectContext) -> () -> Void)
    use(
      "method|NSManagedObjectContext|save()",
      NSManagedObjectContext.save as (NSManagedObjectContext) -> () throws -> Void)
    use(
      "method|NSManagedObjectContext|setQueryGenerationFrom(_:)",
      NSManagedObjectContext.setQueryGenerationFrom(_:)
        as (NSManagedObjectContext) -> (NSQueryGenerationToken?) throws -> Void)
    use(
      "property|NSManagedObjectContext|shouldDeleteInaccessibleFaults",
      \NSManagedObjectContext.shouldDeleteInaccessibleFaults as ReferenceWritableKeyPath<NSManagedObjectContext, Bool>)
    use(
      "method|NSManagedObjectContext|shouldHandleInaccessibleFault(_:for:triggeredByProperty:)",
      NSManagedObjectContext.shouldHandleInaccessibleFault(_:for:triggeredByProperty:)
        as (NSManagedObjectContext) -> (NSManagedObject, NSManagedObjectID, NSPropertyDescription?) -> Bool)
    use(
      "property|NSManagedObjectContext|stalenessInterval",
      \NSManagedObjectContext.stalenessInterval as ReferenceWritableKeyPath<NSManagedObjectContext, TimeInterval>)
    use(
      "property|NSManagedObjectContext|transactionAuthor",
      \NSManagedObjectContext.transactionAuthor as ReferenceWritableKeyPath<NSManagedObjectContext, String?>)
    use("method|NSManagedObjectContext|undo()", NSManagedObjectContext.undo as (NSManagedObjectContext) -> () -> Void)
    use(
      "property|NSManagedObjectContext|undoManager",
      \NSManagedObjectContext.undoManager as ReferenceWritableKeyPath<NSManagedObjectContext, UndoManager?>)
    use(
      "property|NSManagedObjectContext|updatedObjects",
      \NSManagedObjectContext.updatedObjects as KeyPath<NSManagedObjectContext, Set<NSManagedObject>>)
    use(
      "property|NSManagedObjectContext|userInfo",
      \NSManagedObjectContext.userInfo as KeyPath<NSManagedObjectContext, NSMutableDictionary>)
    use(
      "notification|NSManagedObjectContext|willSaveObjectsNotification",
      NSManagedObjectContext.willSaveObjectsNotification as Notification.Name)
    use("class||NSManagedObjectContext", NSManagedObjectContext.self)
    use("conformance|NSManagedObjectContext|NSLocking", NSManagedObjectContext.self as any NSLocking.Type)
    use(
      "type-property|NSManagedObjectContext.ConcurrencyType|mainQueue",
      NSManagedObjectContext.ConcurrencyType.mainQueue as NSManagedObjectContext.ConcurrencyType)
    use(
      "type-property|NSManagedObjectContext.ConcurrencyType|privateQueue",
      NSManagedObjectContext.ConcurrencyType.privateQueue as NSManagedObjectContext.ConcurrencyType)
    use(
      "init|NSManagedObjectContext.ConcurrencyType|init(rawValue:)",
      NSManagedObjectContext.ConcurrencyType.init(rawValue:)
        as (NSManagedObjectContextConcurrencyType) -> NSManagedObjectContext.ConcurrencyType)
    use(
      "property|NSManagedObjectContext.ConcurrencyType|rawValue",
      \NSManagedObjectContext.ConcurrencyType.rawValue
        as KeyPath<NSManagedObjectContext.ConcurrencyType, NSManagedObjectContextConcurrencyType>)
    use(
      "conformance|NSManagedObjectContext.ConcurrencyType|Hashable, RawRepresentable",
      NSManagedObjectContext.ConcurrencyType.self as any (Hashable & RawRepresentable).Type)
    use("case|NSManagedObjectContext.ScheduledTaskType|enqueued", NSManagedObjectContext.ScheduledTaskType.enqueued)
    use("case|NSManagedObjectContext.ScheduledTaskType|immediate", NSManagedObjectContext.ScheduledTaskType.immediate)
    use(
      "conformance|NSManagedObjectContext.ScheduledTaskType|Hashable",
      NSManagedObjectContext.ScheduledTaskType.self as any Hashable.Type)
    use(
      "init|NSManagedObjectContextConcurrencyType|init(rawValue:)",
      NSManagedObjectContextConcurrencyType.init(rawValue:) as (UInt) -> NSManagedObjectContextConcurrencyType?)
    use(
      "case|NSManagedObjectContextConcurrencyType|mainQueueConcurrencyType",
      NSManagedObjectContextConcurrencyType.mainQueueConcurrencyType.rawValue, 2)
    use(
      "case|NSManagedObjectContextConcurrencyType|privateQueueConcurrencyType",
      NSManagedObjectContextConcurrencyType.privateQueueConcurrencyType.rawValue, 1)
    use("enum||NSManagedObjectContextConcurrencyType", NSManagedObjectContextConcurrencyType.self)
    use("type-property|NSQueryGenerationToken|current", NSQueryGenerationToken.current as NSQueryGenerationToken)
    use("class||NSQueryGenerationToken", NSQueryGenerationToken.self)
    use("conformance|NSQueryGenerationToken|NSCopying", NSQueryGenerationToken.self as any NSCopying.Type)
    use("conformance|NSQueryGenerationToken|NSSecureCoding", NSQueryGenerationToken.self as any NSSecureCoding.Type)
  }

  @available(*, deprecated)
  @Test func isThereUnderItsOldNames() {
    use("method|NSManagedObjectContext|lock()", { (context: NSManagedObjectContext) in context.lock() })
    use("method|NSManagedObjectContext|tryLock()", { (context: NSManagedObjectContext) in context.tryLock() })
    use("method|NSManagedObjectContext|unlock()", { (context: NSManagedObjectContext) in context.unlock() })
  }
}
