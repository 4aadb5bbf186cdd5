import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

@MainActor @Suite struct FaultTests {
  /// Ada with two pets, saved.
  private func filled(_ store: Store) throws -> (NSPersistentContainer, ada: NSManagedObject) {
    let container = try store.people()
    let context = container.viewContext
    let ada = context.insert("Person", ["name": "Ada", "age": 30])
    for name in ["Rex", "Tom"] { _ = context.insert("Pet", ["name": name, "owner": ada]) }
    try context.save()
    return (container, ada)
  }

  private func delete(_ object: NSManagedObject) throws {
    object.managedObjectContext?.delete(object)
    try object.managedObjectContext?.save()
  }

  /// The allocator's blocks are multiples of 16 bytes and have a header of 8 bytes.
  @Test func `an object occupies a block of 64 bytes`() throws {
    let symbol = try #require(dlsym(nil, "malloc_usable_size"))
    let size = unsafeBitCast(symbol, to: (@convention(c) (UnsafeMutableRawPointer?) -> Int).self)
    let (container, ada) = try filled(.sqlite)
    // The allocator uses a free block of 80 bytes as it is, because the rest would be too small for another.
    let contexts = (0..<100).map { _ in container.persistentStoreCoordinator.context() }
    let objects = contexts.map { $0.object(with: ada.objectID) }
    func minimumBlock() -> Int? { objects.map { size(Unmanaged.passUnretained($0).toOpaque()) }.min() }
    #expect(minimumBlock() == 56)
    for object in objects { #expect(object.value(forKey: "age") as? Int == 30) }
    #expect(minimumBlock() == 56)
  }

  // MARK: Firing

  @Test(arguments: Store.every)
  func `reading an object's identity does not fire its fault`(_ store: Store) throws {
    let (container, ada) = try filled(store)
    let context = container.persistentStoreCoordinator.context()
    let fault = context.object(with: ada.objectID)
    let same = context.object(with: ada.objectID)
    _ = (fault == same, fault.hash, fault.isEqual(same), Set([fault, same]))
    _ = (fault.objectID, fault.entity, fault.managedObjectContext, fault.description)
    _ = (fault.isInserted, fault.isUpdated, fault.isDeleted, fault.hasChanges, fault.hasPersistentChangedValues)
    _ = (fault.changedValues(), fault.hasFault(forRelationshipNamed: "pets"))
    #expect(fault.objectIDs(forRelationshipNamed: "pets").count == 2)
    #expect(fault.isFault && fault.faultingState != 0 && fault.description.contains("fault"))
    fault.willAccessValue(forKey: nil)
    #expect(!fault.isFault && fault.faultingState == 0)
  }

  @Test(arguments: Store.every)
  func `relationships fire separately from their object`(_ store: Store) throws {
    let (container, ada) = try filled(store)
    let context = container.persistentStoreCoordinator.context()
    let person = try context.existingObject(with: ada.objectID)
    #expect(person.hasFault(forRelationshipNamed: "pets"))
    let pets = try #require(person.value(forKey: "pets") as? Set<NSManagedObject>)
    #expect(!person.hasFault(forRelationshipNamed: "pets") && pets.allSatisfy(\.isFault))
    let pet = try #require(pets.first)
    #expect(pet.hasFault(forRelationshipNamed: "owner") && pet.isFault)
    #expect(pet.objectIDs(forRelationshipNamed: "owner") == [ada.objectID])
    #expect(!pet.hasFault(forRelationshipNamed: "owner"))
    context.refresh(person, mergeChanges: false)
    #expect(pet.hasFault(forRelationshipNamed: "owner") && person.hasFault(forRelationshipNamed: "pets"))
    let petWithoutOwner = context.insert("Pet")
    #expect(!petWithoutOwner.hasFault(forRelationshipNamed: "owner"))
    #expect(petWithoutOwner.objectIDs(forRelationshipNamed: "owner").isEmpty)
  }

  @Test(arguments: Store.every)
  func `a fetched fault fires without reading the store`(_ store: Store) throws {
    let (container, ada) = try filled(store)
    let context = container.persistentStoreCoordinator.context()
    let person = try #require(try context.fetch("Person").first)
    #expect(person.isFault)
    try delete(ada)
    #expect(person.value(forKey: "name") as? String == "Ada")
    let request = NSFetchRequest<NSManagedObject>(entityName: "Pet")
    request.returnsObjectsAsFaults = false
    #expect(try context.fetch(request).allSatisfy { !$0.isFault })
  }

  @Test(arguments: Store.every)
  func `firing a fault keeps its pending changes`(_ store: Store) throws {
    let (container, ada) = try filled(store)
    let context = container.persistentStoreCoordinator.context()
    let person = context.object(with: ada.objectID)
    let pet = context.insert("Pet", ["owner": person])
    #expect(person.isFault && person.isUpdated && person.hasChanges && context.updatedObjects == [person])
    #expect(person.value(forKey: "name") as? String == "Ada")
    #expect(!person.isFault && person.isUpdated && context.updatedObjects == [person])
    #expect((person.value(forKey: "pets") as? Set<NSManagedObject>)?.contains(pet) == true)
    try context.save()
    #expect(!person.hasChanges)
  }

  @Test(arguments: Store.every)
  func `a fetch refreshes registered objects only on request`(_ store: Store) throws {
    let (container, ada) = try filled(store)
    let context = container.persistentStoreCoordinator.context()
    let person = try context.existingObject(with: ada.objectID)
    person.setValue("mine", forKey: "name")
    let pet = try #require(try context.fetch("Pet", "name == 'Rex'").first)
    _ = pet.value(forKey: "name")
    let written = try container.viewContext.existingObject(with: pet.objectID)
    written.setValue("Max", forKey: "name")
    ada.setValue(31, forKey: "age")
    try container.viewContext.save()
    _ = try context.fetch("Pet") + context.fetch("Person")
    #expect(pet.value(forKey: "name") as? String == "Rex" && person.value(forKey: "age") as? Int == 30)
    for entity in ["Pet", "Person"] {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.shouldRefreshRefetchedObjects = true
      _ = try context.fetch(request)
    }
    #expect(pet.value(forKey: "name") as? String == "Max" && person.value(forKey: "age") as? Int == 31)
    #expect(person.value(forKey: "name") as? String == "mine" && person.isUpdated)
  }

  @Test(arguments: Store.every)
  func `the staleness interval decides whether a fault is read again`(_ store: Store) throws {
    let (container, ada) = try filled(store)
    for (interval, name) in [(-1.0, "Ada"), (3_600.0, "Ada"), (0.0, "Eve")] {
      let context = container.persistentStoreCoordinator.context()
      #expect(context.stalenessInterval < 0)
      context.stalenessInterval = interval
      let person = try #require(try context.fetch("Person").first)
      let pet = try #require(try context.fetch("Pet").first)
      let before = pet.value(forKey: "name") as? String
      ada.setValue("Eve", forKey: "name")
      try container.viewContext.existingObject(with: pet.objectID).setValue("\(interval)", forKey: "name")
      try container.viewContext.save()
      #expect(person.value(forKey: "name") as? String == name)
      #expect(pet.value(forKey: "name") as? String == before)
      ada.setValue("Ada", forKey: "name")
      try container.viewContext.save()
    }
  }

  // MARK: Refresh and reset

  @Test(arguments: Store.every)
  func `a refresh without merge discards all values`(_ store: Store) throws {
    let (container, ada) = try filled(store)
    let context = container.persistentStoreCoordinator.context()
    let person = try context.existingObject(with: ada.objectID)
    person.setValue("mine", forKey: "name")
    person.setValue("kept?", forKey: "nick")
    person.setValue([1, 2], forKey: "cache")
    context.delete(try #require(try context.fetch("Pet").first))
    ada.setValue(31, forKey: "age")
    try container.viewContext.save()
    context.refresh(person, mergeChanges: false)
    #expect(person.isFault && !person.hasChanges && !context.updatedObjects.contains(person))
    #expect(person.value(forKey: "name") as? String == "Ada" && person.value(forKey: "age") as? Int == 31)
    #expect(person.value(forKey: "nick") as? String == "awake" && person.value(forKey: "cache") == nil)
  }

  @Test(arguments: Store.every)
  func `a refresh without merge discards a new object`(_ store: Store) throws {
    let context = try store.container().viewContext
    let quake = context.insert("Quake", ["code": "a"])
    context.refresh(quake, mergeChanges: true)
    #expect(!quake.isFault && quake.isInserted)
    for _ in 0..<2 {
      context.refresh(quake, mergeChanges: false)
      #expect(quake.isFault && !quake.isInserted && !context.hasChanges && quake.objectID.isTemporaryID)
      quake.willAccessValue(forKey: nil)
      #expect(!quake.isFault && quake.value(forKey: "code") == nil && !context.hasChanges)
    }
    try context.save()
    #expect(try context.fetch("Quake").isEmpty)
  }

  /// A refresh without merge discards a new object, so an object that refers to it cannot be saved.
  @Test(arguments: Store.allCases)
  func `a reference to a refreshed new object cannot be saved`(_ store: Store) throws {
    let context = try store.container().viewContext
    let region = context.insert("Region", ["name": "Tonga"])
    let quake = context.insert("Quake", ["code": "a", "region": region])
    context.refresh(region, mergeChanges: false)
    #expect(throws: CocoaError.self) { try context.save() }
    quake.setValue(nil, forKey: "region")
    try context.save()
    #expect(try context.fetch("Region").isEmpty)
  }

  @Test(arguments: Store.every)
  func `a refresh of a fault discards its prefetched row`(_ store: Store) throws {
    let (container, ada) = try filled(store)
    for merges in [true, false] {
      let context = container.persistentStoreCoordinator.context()
      let person = try #require(try context.fetch("Person").first)
      ada.setValue("\(merges)", forKey: "name")
      try container.viewContext.save()
      context.refresh(person, mergeChanges: merges)
      #expect(person.isFault && person.value(forKey: "name") as? String == "\(merges)")
    }
  }

  @Test(arguments: Store.every)
  func `a merging refresh keeps local changes`(_ store: Store) throws {
    let (container, ada) = try filled(store)
    let context = container.persistentStoreCoordinator.context()
    let person = try context.existingObject(with: ada.objectID)
    let new = context.insert("Pet", ["owner": person])
    person.setValue("mine", forKey: "name")
    person.setValue("nick", forKey: "nick")
    person.setValue([1, 2], forKey: "cache")
    ada.setValue(31, forKey: "age")
    ada.setValue("theirs", forKey: "name")
    _ = container.viewContext.insert("Pet", ["owner": ada])
    try container.viewContext.save()
    context.refresh(person, mergeChanges: true)
    #expect(person.value(forKey: "name") as? String == "mine" && person.value(forKey: "age") as? Int == 31)
    #expect(person.value(forKey: "nick") as? String == "nick" && person.value(forKey: "cache") as? [Int] == [1, 2])
    let pets = try #require(person.value(forKey: "pets") as? Set<NSManagedObject>)
    #expect(pets.count == 4 && pets.contains(new))
    #expect(person.committedValues(forKeys: ["name"])["name"] as? String == "theirs")
    // The save compares with the merged version: no conflict.
    try context.save()
    #expect(person.value(forKey: "nick") as? String == "nick" && !person.hasChanges)
  }

  @Test(arguments: Store.every)
  func `refreshAllObjects keeps unsaved changes, and reset does not`(_ store: Store) throws {
    let (container, ada) = try filled(store)
    let context = container.persistentStoreCoordinator.context()
    let person = try context.existingObject(with: ada.objectID)
    let pets = try context.fetch("Pet")
    _ = pets.map { $0.value(forKey: "name") }
    let new = context.insert("Pet", ["name": "new"])
    person.setValue("mine", forKey: "name")
    for pet in try container.viewContext.fetch("Pet") { pet.setValue("theirs", forKey: "name") }
    try container.viewContext.save()
    context.refreshAllObjects()
    #expect(pets.allSatisfy { $0.value(forKey: "name") as? String == "theirs" })
    #expect(person.value(forKey: "name") as? String == "mine" && new.isInserted && context.hasChanges)
    let all = context.registeredObjects
    let posted = context.changes { context.reset() }
    #expect(posted.count == 1 && posted[0].count == 1)
    let ids = try #require(posted[0][NSInvalidatedAllObjectsKey] as? [NSManagedObjectID])
    #expect(ids.count == all.count)
    #expect(context.registeredObjects.isEmpty && !context.hasChanges && person.managedObjectContext == nil)
    #expect(try context.existingObject(with: ada.objectID).value(forKey: "name") as? String == "Ada")
  }

  // MARK: Deleted rows

  @Test(arguments: Store.every)
  func `an inaccessible fault is deleted and reads as nil`(_ store: Store) throws {
    let (container, ada) = try filled(store)
    let context = container.persistentStoreCoordinator.context()
    let fault = context.object(with: ada.objectID)
    let pet = try #require(try context.fetch("Pet").first)
    try delete(ada)
    #expect(context.shouldDeleteInaccessibleFaults)
    #expect(fault.value(forKey: "name") == nil && fault.value(forKey: "age") == nil && fault.isDeleted)
    #expect((fault.value(forKey: "pets") as? NSSet)?.count == 0 && context.deletedObjects == [fault])
    pet.setValue("Max", forKey: "name")
    #expect(context.hasChanges)
    context.refresh(pet, mergeChanges: true)
    try context.save()
    #expect(context.deletedObjects.isEmpty && fault.managedObjectContext == nil)
    #expect(context.registeredObject(for: ada.objectID) == nil)
  }

  @Test(arguments: Store.every)
  func `an inaccessible fault calls shouldHandleInaccessibleFault`(_ store: Store) throws {
    let (container, ada) = try filled(store)
    let pets = try container.viewContext.fetch("Pet").map(\.objectID)
    let context = FaultRecordingContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = container.persistentStoreCoordinator
    let (person, first, second) = (
      context.object(with: ada.objectID), context.object(with: pets[0]), context.object(with: pets[1])
    )
    try container.viewContext.fetch("Pet").forEach(container.viewContext.delete)
    try delete(ada)
    #expect(throws: CocoaError.self) { try context.existingObject(with: ada.objectID) }
    context.delete(first)
    #expect(context.recordedCalls.isEmpty)
    #expect(person.value(forKey: "age") == nil)
    second.willAccessValue(forKey: nil)
    #expect(context.recordedCalls == ["Person age", "Pet nil"])
    #expect(context.deletedObjects == [person, first, second])
    try context.save()
    #expect(!context.hasChanges)
  }

  @Test func `an inaccessible fault stops the program if the context asks for it`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        let context = try Store.memory.people().viewContext
        context.shouldDeleteInaccessibleFaults = false
        let person = context.insert("Person")
        try context.save()
        let id = person.objectID
        context.delete(person)
        try context.save()
        _ = context.object(with: id).value(forKey: "name")
      }
    }
    #expect(result.errorText.contains("CoreData could not fulfill a fault for 'x-coredata://"))
  }
}

/// A context that records the calls it receives.
private final class FaultRecordingContext: NSManagedObjectContext, @unchecked Sendable {
  var recordedCalls: [String] = []

  override func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
  ) -> Bool {
    recordedCalls.append("\(fault.entity.name ?? "") \(property?.name ?? "nil")")
    return true
  }
}
