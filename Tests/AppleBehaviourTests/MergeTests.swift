import CoreData
import Foundation
import Testing

/// What a context posted, in the order in which it did.
private final class Notices: @unchecked Sendable {
  // Sendable: the notes are taken and read under the lock.
  private let lock = NSLock()
  private var taken: [(NSNotification.Name, [AnyHashable: Any])] = []
  private var observers: [any NSObjectProtocol] = []

  init(of context: NSManagedObjectContext, _ names: NSNotification.Name...) {
    observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] note in
        self?.lock.withLock { self?.taken.append((note.name, note.userInfo ?? [:])) }
      }
    }
  }

  deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

  func all(_ name: NSNotification.Name) -> [[AnyHashable: Any]] {
    lock.withLock { taken.filter { $0.0 == name }.map(\.1) }
  }

  func keys(_ name: NSNotification.Name) -> [Set<String>] {
    all(name).map { Set($0.keys.compactMap { $0.base as? String }) }
  }
}

@MainActor @Suite struct MergeTests {
  private typealias IDs = Set<NSManagedObjectID>

  /// A container with the quakes "a" to "d", and what another context saved of them: "a" changed, "b" gone, "e" new.
  private func world(_ store: Store) throws -> (NSPersistentContainer, [NSManagedObject]) {
    let container = try store.container()
    let quakes = ["a", "b", "c", "d"].map { container.viewContext.insert("Quake", ["code": $0, "place": "old"]) }
    try container.viewContext.save()
    return (container, quakes)
  }

  private func saveElsewhere(
    _ container: NSPersistentContainer, changing: [NSManagedObject] = [], deleting: [NSManagedObject] = [],
    inserting: [String] = []
  ) throws -> (objects: Notification, ids: Notification) {
    let other = container.newBackgroundContext()
    let (changed, deleted) = (changing.map(\.objectID), deleting.map(\.objectID))
    nonisolated(unsafe) var saved: [NSNotification.Name: Notification] = [:]
    let names: [NSNotification.Name] = [.NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs]
    let observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: other, queue: nil) { saved[$0.name] = $0 }
    }
    defer { observers.forEach(NotificationCenter.default.removeObserver) }
    try other.performAndWait {
      for id in changed { try other.existingObject(with: id).setValue("new", forKey: "place") }
      for id in deleted { other.delete(try other.existingObject(with: id)) }
      for code in inserting { _ = other.insert("Quake", ["code": code]) }
      try other.save()
    }
    return (
      try #require(saved[.NSManagedObjectContextDidSave]), try #require(saved[.NSManagedObjectContextDidSaveObjectIDs])
    )
  }

  @Test(arguments: Store.every, [false, true])
  func mergeSaysWhatItDid(_ store: Store, byIDs: Bool) throws {
    let (container, quakes) = try world(store)
    let context = container.viewContext
    quakes[2].setValue(9, forKey: "felt")
    context.processPendingChanges()
    let save = try saveElsewhere(
      container, changing: [quakes[0], quakes[2]], deleting: [quakes[1]], inserting: ["e"])
    let gone = quakes[1].objectID
    let notices = Notices(
      of: context, .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidMergeChangesObjectIDs)
    context.mergeChanges(fromContextDidSave: byIDs ? save.ids : save.objects)

    let changes = notices.all(.NSManagedObjectContextObjectsDidChange)
    #expect(changes.count == 1)
    let new = try #require(changes[0][NSInsertedObjectsKey] as? Set<NSManagedObject>)
    #expect(new.map { $0.value(forKey: "code") as? String } == ["e"] && new.first?.managedObjectContext === context)
    #expect(changes[0][NSRefreshedObjectsKey] as? Set<NSManagedObject> == [quakes[0]])
    #expect(changes[0][NSUpdatedObjectsKey] as? Set<NSManagedObject> == [quakes[2]])
    #expect(changes[0][NSDeletedObjectsKey] as? Set<NSManagedObject> == [quakes[1]])
    let merges = notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs)
    #expect(merges.count == 1)
    #expect(merges[0][NSInsertedObjectIDsKey] as? IDs == Set(new.map(\.objectID)))
    #expect(merges[0][NSUpdatedObjectIDsKey] as? IDs == [quakes[0].objectID, quakes[2].objectID])
    #expect(merges[0][NSRefreshedObjectIDsKey] as? IDs == [quakes[0].objectID])
    #expect(merges[0][NSDeletedObjectIDsKey] as? IDs == [gone])
    #expect(
      merges[0][NSManagedObjectContext.NotificationKey.sourceContext.rawValue] as? NSManagedObjectContext === context)
    #expect(quakes[0].value(forKey: "place") as? String == "new" && !quakes[0].hasChanges)
    #expect(quakes[2].value(forKey: "place") as? String == "new" && quakes[2].value(forKey: "felt") as? Int == 9)
    #expect(quakes[1].managedObjectContext == nil)
    #expect(context.updatedObjects == [quakes[2]] && context.deletedObjects.isEmpty && context.insertedObjects.isEmpty)
    try context.save()
  }

  @Test(arguments: Store.every)
  func keysOfWhatDidNotHappenAreAbsent(_ store: Store) throws {
    let (container, quakes) = try world(store)
    let context = container.viewContext
    let save = try saveElsewhere(container, changing: [quakes[0]])
    let notices = Notices(
      of: context, .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidMergeChangesObjectIDs)
    context.mergeChanges(fromContextDidSave: save.ids)
    #expect(notices.keys(.NSManagedObjectContextObjectsDidChange) == [[NSRefreshedObjectsKey]])
    #expect(
      notices.keys(.NSManagedObjectContextDidMergeChangesObjectIDs)
        == [[NSUpdatedObjectIDsKey, NSRefreshedObjectIDsKey, "managedObjectContext"]])
    context.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave, object: nil))
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [:], into: [context])
    #expect(notices.all(.NSManagedObjectContextObjectsDidChange).count == 1)
    #expect(notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs).count == 1)
    // A context forgets objects that nobody holds.
    withExtendedLifetime(quakes) {}
  }

  @Test(arguments: Store.every)
  func unknownObjectsStayUnknown(_ store: Store) throws {
    let (container, quakes) = try world(store)
    let context = container.newBackgroundContext()
    let save = try saveElsewhere(container, changing: [quakes[0]], deleting: [quakes[1]])
    let id = quakes[0].objectID
    let notices = Notices(of: context, .NSManagedObjectContextObjectsDidChange)
    context.performAndWait {
      context.mergeChanges(fromContextDidSave: save.ids)
      #expect(context.registeredObjects.isEmpty && context.registeredObject(for: id) == nil && !context.hasChanges)
    }
    #expect(notices.all(.NSManagedObjectContextObjectsDidChange).isEmpty)
  }

  enum Form: CaseIterable { case ids, uris, setOfIDs, setOfURIs, foundationSet, foundationArray, orderedSet }

  @Test(arguments: Store.every, Form.allCases)
  func remoteChangesComeInManyForms(_ store: Store, _ form: Form) throws {
    let (container, quakes) = try world(store)
    let save = try saveElsewhere(container, changing: [quakes[0]], deleting: [quakes[1]], inserting: ["e"])
    func given(_ key: String) -> Any {
      let ids = Array(save.ids.userInfo?[key] as? IDs ?? [])
      return switch form {
      case .ids: ids
      case .uris: ids.map { $0.uriRepresentation() }
      case .setOfIDs: Set(ids)
      case .setOfURIs: Set(ids.map { $0.uriRepresentation() })
      case .foundationSet: NSSet(array: ids)
      case .foundationArray: NSArray(array: ids.map { $0.uriRepresentation() })
      case .orderedSet: NSOrderedSet(array: ids)
      }
    }
    for (inserted, updated, deleted) in [
      (NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey),
      (NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey),
    ] {
      let context = container.newBackgroundContext()
      let ids = quakes.map(\.objectID)
      let notices = Notices(of: context, .NSManagedObjectContextDidMergeChangesObjectIDs)
      try context.performAndWait {
        let known = ids.map(context.object)
        let changes = [
          inserted: given(NSInsertedObjectIDsKey), updated: given(NSUpdatedObjectIDsKey),
          deleted: given(NSDeletedObjectIDsKey),
        ]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
        #expect(known[0].value(forKey: "place") as? String == "new" && known[1].managedObjectContext == nil)
        try context.save()
      }
      let merge = try #require(notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs).first)
      #expect((merge[NSInsertedObjectIDsKey] as? IDs)?.count == 1)
    }
  }

  @Test(arguments: Store.every)
  func remoteChangesReachParentsBeforeChildren(_ store: Store) throws {
    let (container, quakes) = try world(store)
    let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    child.parent = container.viewContext
    let grandchild = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    grandchild.parent = child
    let objects = try [child, grandchild].map { try $0.existingObject(with: quakes[0].objectID) }
    let doomed = try [child, grandchild].map { try $0.existingObject(with: quakes[1].objectID) }
    let save = try saveElsewhere(container, changing: [quakes[0]], deleting: [quakes[1]])
    let changes = [
      NSUpdatedObjectsKey: Array(save.ids.userInfo?[NSUpdatedObjectIDsKey] as? IDs ?? []),
      NSDeletedObjectsKey: Array(save.ids.userInfo?[NSDeletedObjectIDsKey] as? IDs ?? []),
    ]
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: changes, into: [grandchild, container.viewContext, child])
    #expect(objects.map { $0.value(forKey: "place") as? String } == ["new", "new"])
    #expect(doomed.allSatisfy { $0.managedObjectContext == nil })
    try grandchild.save()
    try child.save()
    try container.viewContext.save()
  }

  @Test(arguments: Store.every)
  func deletedHereAndChangedThereCanBeSaved(_ store: Store) throws {
    let (container, quakes) = try world(store)
    let context = container.viewContext
    context.delete(quakes[0])
    context.processPendingChanges()
    let save = try saveElsewhere(container, changing: [quakes[0]])
    context.mergeChanges(fromContextDidSave: save.ids)
    #expect(quakes[0].isDeleted && context.deletedObjects == [quakes[0]])
    try context.save()
    #expect(try context.fetch("Quake").count == 3)
  }

  @Test(arguments: Store.every)
  func changedOrDeletedHereAndDeletedThereIsGone(_ store: Store) throws {
    let (container, quakes) = try world(store)
    let context = container.viewContext
    let region = context.insert("Region", ["name": "Tonga"])
    quakes[0].setValue("mine", forKey: "place")
    quakes[0].setValue(region, forKey: "region")
    context.delete(quakes[1])
    context.processPendingChanges()
    let save = try saveElsewhere(container, deleting: [quakes[0], quakes[1]])
    context.mergeChanges(fromContextDidSave: save.objects)
    #expect(quakes[0].managedObjectContext == nil && quakes[1].managedObjectContext == nil)
    #expect(context.updatedObjects.isEmpty && context.deletedObjects.isEmpty)
    #expect((region.value(forKey: "quakes") as? Set<NSManagedObject>)?.isEmpty == true)
    try context.save()
    #expect(try context.fetch("Quake").count == 2)
  }

  @Test(arguments: Store.every)
  func relationshipsFollowWhatOthersDid(_ store: Store) throws {
    let container = try store.container()
    let context = container.viewContext
    let (tonga, chile) = (context.insert("Region"), context.insert("Region"))
    let red = context.insert("Tag")
    let quakes = (0..<3).map {
      context.insert("Quake", ["code": "\($0)", "region": tonga, "tags": NSSet(object: red)])
    }
    let unsaved = context.insert("Quake", ["code": "mine"])
    try context.save()
    unsaved.setValue(tonga, forKey: "region")
    let ids = (quakes.map(\.objectID), tonga.objectID, chile.objectID)
    let other = container.newBackgroundContext()
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSaveObjectIDs, object: other, queue: nil
    ) { context.mergeChanges(fromContextDidSave: $0) }
    defer { NotificationCenter.default.removeObserver(observer) }
    func members(_ object: NSManagedObject) -> Set<NSManagedObject> {
      object.value(forKey: "quakes") as? Set<NSManagedObject> ?? []
    }
    #expect(members(tonga) == Set(quakes + [unsaved]) && members(red) == Set(quakes))
    try other.performAndWait {
      try other.existingObject(with: ids.0[0]).setValue(try other.existingObject(with: ids.2), forKey: "region")
      other.delete(try other.existingObject(with: ids.0[1]))
      _ = other.insert("Quake", ["code": "new", "region": try other.existingObject(with: ids.1)])
      try other.save()
    }
    #expect(Set(members(tonga).map { $0.value(forKey: "code") as? String }) == ["2", "mine", "new"])
    #expect(members(chile) == [quakes[0]] && members(red) == [quakes[0], quakes[2]])
    #expect(context.hasChanges)
    try context.save()
    #expect(members(tonga).count == 3)
  }

  @Test(arguments: Store.every)
  func deletionsAloneLeaveNoLinksBehind(_ store: Store) throws {
    let container = try store.container()
    let context = container.viewContext
    let region = context.insert("Region", ["name": "Tonga"])
    let quakes = (0..<2).map { context.insert("Quake", ["code": "\($0)", "region": region]) }
    try context.save()
    #expect((region.value(forKey: "quakes") as? Set<NSManagedObject>)?.count == 2)
    let save = try saveElsewhere(container, deleting: [quakes[0]])
    // As after a batch request, which names the deleted rows alone.
    let deleted = Array(save.ids.userInfo?[NSDeletedObjectIDsKey] as? IDs ?? [])
    let notices = Notices(of: context, .NSManagedObjectContextObjectsDidChange)
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: deleted], into: [context])
    #expect(region.value(forKey: "quakes") as? Set<NSManagedObject> == [quakes[1]])
    let change = try #require(notices.all(.NSManagedObjectContextObjectsDidChange).first)
    #expect(change[NSRefreshedObjectsKey] as? Set<NSManagedObject> == [region])
    #expect(!context.hasChanges)
  }

  @Test(arguments: Store.every)
  func insertedRowThatIsGoneAgainIsNotMadeKnown(_ store: Store) throws {
    let (container, _) = try world(store)
    let context = container.viewContext
    let save = try saveElsewhere(container, inserting: ["e"])
    let id = try #require((save.ids.userInfo?[NSInsertedObjectIDsKey] as? IDs)?.first)
    let other = container.newBackgroundContext()
    try other.performAndWait {
      other.delete(try other.existingObject(with: id))
      try other.save()
    }
    let notices = Notices(of: context, .NSManagedObjectContextObjectsDidChange)
    context.mergeChanges(fromContextDidSave: save.ids)
    #expect(notices.all(.NSManagedObjectContextObjectsDidChange).isEmpty && !context.hasChanges)
  }

  @Test(arguments: Store.every, [false, true])
  func ownSavesAreNotMergedBack(_ store: Store, history: Bool) async throws {
    let container = try store.container(history: history)
    let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    context.automaticallyMergesChangesFromParent = true
    let notices = Notices(of: context, .NSManagedObjectContextDidMergeChangesObjectIDs)
    try await context.perform { [unowned context] in
      _ = context.insert("Quake", ["code": "own"])
      try context.save()
    }
    try await other.perform { [unowned other] in
      _ = other.insert("Quake", ["code": "other"])
      try other.save()
    }
    try await eventually { notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs).count == 1 }
    let merge = notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs)[0]
    #expect((merge[NSInsertedObjectIDsKey] as? IDs)?.count == 1)
  }

  @Test(arguments: Store.every, [false, true])
  func commitsAreMergedInTheirOrder(_ store: Store, history: Bool) async throws {
    let container = try store.container(history: history)
    let reader = container.newBackgroundContext()
    reader.automaticallyMergesChangesFromParent = true
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for round in 0..<10 {
            await container.performBackgroundTask { context in
              let quake = context.insert("Quake", ["code": "\(writer)-\(round)"])
              do {
                try context.save()
                quake.setValue("changed", forKey: "place")
                try context.save()
                guard round % 2 == 0 else { return }
                context.delete(quake)
                try context.save()
              } catch { Issue.record(error) }
            }
          }
        }
      }
    }
    try await eventually {
      await reader.perform { [unowned reader] in
        let known = reader.registeredObjects.filter { !$0.isDeleted }
        return known.allSatisfy { $0.value(forKey: "place") as? String == "changed" }
      }
    }
    let left = try await reader.perform { [unowned reader] in try reader.fetch("Quake").count }
    #expect(left == 20)
  }

  @Test(arguments: Store.every)
  func childrenMergeWhatTheirSiblingsSaveIntoTheParent(_ store: Store) async throws {
    let (container, quakes) = try world(store)
    let parent = container.newBackgroundContext()
    let (first, second) = (
      NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType),
      NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    )
    (first.parent, second.parent) = (parent, parent)
    second.automaticallyMergesChangesFromParent = true
    let id = quakes[0].objectID
    let known = try await second.perform { [unowned second] in
      nonisolated(unsafe) let object = try second.existingObject(with: id)
      return object
    }
    nonisolated(unsafe) let object = known
    let notices = Notices(of: second, .NSManagedObjectContextDidMergeChangesObjectIDs)
    try await first.perform { [unowned first] in
      try first.existingObject(with: id).setValue("sibling", forKey: "place")
      _ = first.insert("Quake", ["code": "new"])
      try first.save()
    }
    try await eventually { notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs).count == 1 }
    await second.perform { #expect(object.value(forKey: "place") as? String == "sibling") }
    let new = try await second.perform { [unowned second] in
      nonisolated(unsafe) let object = try #require(try second.fetch("Quake", "code == 'new'").first)
      #expect(object.objectID.isTemporaryID)
      return object
    }
    nonisolated(unsafe) let fresh = new
    try await parent.perform { [unowned parent] in try parent.save() }
    try await eventually { await second.perform { !fresh.objectID.isTemporaryID } }
    let again = try await second.perform { [unowned second] in
      try second.fetch("Quake", "code == 'new'").first === fresh
    }
    #expect(again)
  }

  @Test(arguments: Store.every)
  func backgroundContextsHangOnTheCoordinator(_ store: Store) async throws {
    let container = try store.container()
    let (first, second) = (container.newBackgroundContext(), container.newBackgroundContext())
    #expect(first !== second && first.concurrencyType == .privateQueueConcurrencyType)
    #expect(first.parent == nil && first.persistentStoreCoordinator === container.persistentStoreCoordinator)
    #expect(first.undoManager == nil && !first.automaticallyMergesChangesFromParent)
    nonisolated(unsafe) weak var gone: NSManagedObjectContext?
    let count = try await container.performBackgroundTask { context in
      gone = context
      #expect(context.persistentStoreCoordinator === container.persistentStoreCoordinator && context.parent == nil)
      _ = context.insert("Quake", ["code": "a"])
      try context.save()
      _ = context.insert("Quake", ["code": "never saved"])
      return try context.fetch("Quake").count
    }
    #expect(count == 2)
    await #expect(throws: CancellationError.self) {
      try await container.performBackgroundTask { _ in throw CancellationError() }
    }
    try await eventually { gone == nil }
    #expect(try container.viewContext.fetch("Quake").count == 1)
    let called = await withCheckedContinuation { continuation in
      container.performBackgroundTask { context in
        continuation.resume(returning: context.concurrencyType == .privateQueueConcurrencyType && !Thread.isMainThread)
      }
    }
    #expect(called)
  }
}

/// Waits for what happens on another queue; fails after ten seconds.
@MainActor func eventually(
  _ location: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
  for _ in 0..<2_000 {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(5))
  }
  Issue.record("It did not happen within ten seconds.", sourceLocation: location)
}
