import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

@MainActor @Suite struct IdentityTests {
  @Test(arguments: Store.every)
  func `a save replaces the temporary ID with a permanent one`(_ store: Store) throws {
    let container = try store.people()
    let context = container.viewContext
    let person = context.insert("Employee", ["name": "Ada"])
    let temporary = person.objectID
    #expect(temporary.isTemporaryID && temporary.persistentStore == nil)
    #expect(temporary == person.objectID && temporary.hash == person.objectID.hash)
    try context.save()
    let permanent = person.objectID
    #expect(!permanent.isTemporaryID && permanent != temporary && temporary.isTemporaryID)
    #expect(permanent.persistentStore === container.persistentStoreCoordinator.persistentStores.first)
    #expect(permanent.entity.name == "Employee")
    #expect(context.registeredObject(for: permanent) === person)
  }

  @Test(arguments: Store.every)
  func `an object without a context has a temporary ID and keeps it on insertion`(_ store: Store) throws {
    let context = try store.people().viewContext
    let entity = try #require(NSEntityDescription.entity(forEntityName: "Person", in: context))
    let (ada, bob) = (
      NSManagedObject(entity: entity, insertInto: nil), NSManagedObject(entity: entity, insertInto: nil)
    )
    let id = ada.objectID
    #expect(id.isTemporaryID && id.persistentStore == nil && id.entity === entity && id != bob.objectID)
    #expect(id.uriRepresentation().path.hasPrefix("/Person/t") && id.uriRepresentation().host ?? "" == "")
    context.insert(ada)
    #expect(ada.objectID == id && context.registeredObject(for: id) === ada)
    ada.setValue("Ada", forKey: "name")
    try context.save()
    #expect(!ada.objectID.isTemporaryID && bob.objectID.isTemporaryID)
  }

  @Test(arguments: Store.every)
  func `obtainPermanentIDs assigns permanent IDs before the save`(_ store: Store) throws {
    let context = try store.people().viewContext
    let (ada, bob) = (context.insert("Person"), context.insert("Pet"))
    bob.setValue(ada, forKey: "owner")
    try context.obtainPermanentIDs(for: [ada, bob])
    let id = ada.objectID
    #expect(!id.isTemporaryID && ada.isInserted && bob.isInserted)
    try context.obtainPermanentIDs(for: [ada])
    #expect(ada.objectID == id && bob.value(forKey: "owner") as? NSManagedObject === ada)
    try context.save()
    #expect(ada.objectID == id && !ada.isInserted)
    context.reset()
    #expect(try context.existingObject(with: id).value(forKey: "age") as? Int == 7)
  }

  @Test(arguments: Store.every)
  func `a permanent ID obtained in a child reaches the store`(_ store: Store) throws {
    let parent = try store.people().viewContext
    let child = parent.child()
    let person = child.insert("Person", ["name": "Ada"])
    try child.obtainPermanentIDs(for: [person])
    let id = person.objectID
    try child.save()
    #expect(parent.registeredObject(for: id)?.isInserted == true)
    try parent.save()
    parent.reset()
    #expect(try parent.existingObject(with: id).value(forKey: "name") as? String == "Ada")
    #expect(person.objectID == id)
  }

  @Test(arguments: Store.every)
  func `a URI identifies the object and converts back`(_ store: Store) throws {
    let container = try store.people()
    let (context, coordinator) = (container.viewContext, container.persistentStoreCoordinator)
    let person = context.insert("Employee")
    let temporary = person.objectID.uriRepresentation()
    #expect(temporary.absoluteString.hasPrefix("x-coredata:///Employee/t"))
    #expect(coordinator.managedObjectID(forURIRepresentation: temporary) == person.objectID)
    try context.save()
    let uuid = try #require(coordinator.persistentStores[0].identifier)
    let uri = person.objectID.uriRepresentation()
    #expect(uri.absoluteString == "x-coredata://\(uuid)/Employee/p1")
    #expect(coordinator.managedObjectID(forURIRepresentation: uri) == person.objectID)
    let missing = try #require(URL(string: "x-coredata://\(uuid)/Pet/p99"))
    #expect(coordinator.managedObjectID(forURIRepresentation: missing)?.uriRepresentation() == missing)
    for text in ["x-coredata://\(UUID().uuidString)/Pet/p1", "x-coredata://\(uuid)/Nobody/p1", "x-coredata:///Pet/tx1"]
    {
      #expect(coordinator.managedObjectID(forURIRepresentation: try #require(URL(string: text))) == nil)
    }
  }

  @Test(arguments: Store.every)
  func `registeredObject, object and existingObject find an object by its ID`(_ store: Store) throws {
    let container = try store.people()
    let writer = container.viewContext
    let person = writer.insert("Person", ["name": "Ada"])
    try writer.save()
    let context = container.persistentStoreCoordinator.context()
    let id = person.objectID
    #expect(context.registeredObject(for: id) == nil)
    let fault = context.object(with: id)
    #expect(fault.isFault && context.registeredObject(for: id) === fault && fault.isFault)
    let existing = try context.existingObject(with: id)
    #expect(existing === fault && !existing.isFault)
    #expect(try context.fetch("Person").first === fault)
    writer.delete(person)
    try writer.save()
    #expect(context.object(with: id) === fault)
    context.reset()
    #expect(context.object(with: id).isFault)
    let error = #expect(throws: CocoaError.self) { try context.existingObject(with: id) }
    #expect(error?.code.rawValue == NSManagedObjectReferentialIntegrityError)
  }

  @Test(arguments: Store.every)
  func `existingObject returns new and deleted objects`(_ store: Store) throws {
    let context = try store.people().viewContext
    let new = context.insert("Person")
    #expect(try context.existingObject(with: new.objectID) === new)
    try context.save()
    context.delete(new)
    #expect(try context.existingObject(with: new.objectID) === new && new.isDeleted)
  }

  @Test(arguments: Store.every)
  func `a context retains only changed objects`(_ store: Store) throws {
    let context = try store.people().viewContext
    let ids = try ["a", "b"].map { name in
      let person = context.insert("Person", ["name": name])
      try context.save()
      return person.objectID
    }
    #expect(context.registeredObjects.isEmpty)
    context.object(with: ids[0]).setValue("changed", forKey: "name")
    _ = context.object(with: ids[1]).value(forKey: "name")
    #expect(context.registeredObjects.map(\.objectID) == [ids[0]])
    #expect(context.object(with: ids[0]).value(forKey: "name") as? String == "changed")
    try context.save()
    #expect(context.registeredObjects.isEmpty)
  }

  @Test(arguments: Store.every)
  func `retainsRegisteredObjects retains all objects`(_ store: Store) throws {
    let context = try store.people().viewContext
    #expect(!context.retainsRegisteredObjects)
    for name in ["a", "b"] { _ = context.insert("Person", ["name": name]) }
    try context.save()
    var early: [NSManagedObject] = try context.fetch("Person", "name == 'a'")
    context.retainsRegisteredObjects = true
    early = []
    #expect(try context.fetch("Person").count == 2 && early.isEmpty)
    #expect(context.registeredObjects.count == 2)
    try context.fetch("Person").forEach(context.delete)
    try context.save()
    #expect(context.registeredObjects.isEmpty)
    _ = context.insert("Person")
    try context.save()
    #expect(context.registeredObjects.count == 1)
    context.retainsRegisteredObjects = false
    #expect(context.registeredObjects.isEmpty)
  }

  @Test(arguments: Store.every)
  func `objects outlive their context, store and model`(_ store: Store) throws {
    var read: NSManagedObject?
    var fault: NSManagedObject?
    var new: NSManagedObject?
    var id: NSManagedObjectID?
    func use() throws {
      let context = try store.people(PetOwners.freshModel()).persistentStoreCoordinator.context()
      let ada = context.insert("Person", ["name": "Ada"])
      let pet = context.insert("Pet", ["name": "Rex", "owner": ada])
      try context.save()
      id = pet.objectID
      context.refresh(ada, mergeChanges: false)
      (read, fault, new) = (pet, ada, context.insert("Employee", ["name": "Eve"]))
      context.retainsRegisteredObjects = true
    }
    try use()
    let gone = try #require(read)
    #expect(gone.managedObjectContext == nil && gone.objectID == id && gone.entity.name == "Pet")
    #expect(gone.value(forKey: "name") as? String == "Rex" && gone.value(forKey: "owner") == nil)
    #expect(fault?.value(forKey: "name") == nil && (fault?.value(forKey: "pets") as? NSSet)?.count == 0)
    #expect(new?.isInserted == false && new?.value(forKey: "name") as? String == "Eve")
    gone.setValue("Max", forKey: "name")
    fault?.setValue("Bob", forKey: "name")
    #expect(gone.value(forKey: "name") as? String == "Max" && fault?.value(forKey: "name") as? String == "Bob")
    #expect(gone.description.contains("Pet"))
  }

  @Test(arguments: Store.every)
  func `objects can be released on another thread`(_ store: Store) throws {
    let container = try store.people()
    for number in 0..<50 { _ = container.viewContext.insert("Person", ["age": number]) }
    try container.viewContext.save()
    let group = DispatchGroup()
    for _ in 0..<100 {
      let context = container.newBackgroundContext()
      // From here on only the other thread uses the array.
      nonisolated(unsafe) var objects = try context.performAndWait { try context.fetch("Person") }
      DispatchQueue.global().async(group: group) { objects.removeAll() }
    }
    group.wait()
    #expect(try container.viewContext.fetch("Person").count == 50)
  }

  @Test func `an ID identifies the same row in every coordinator of its store`() throws {
    let first = try Store.sqlite.people()
    let second = NSPersistentContainer(name: "People", managedObjectModel: PetOwners.freshModel())
    second.persistentStoreDescriptions = first.persistentStoreDescriptions
    try second.load()
    let person = first.viewContext.insert("Employee", ["name": "Ada"])
    try first.viewContext.save()
    let other = try second.viewContext.existingObject(with: person.objectID)
    #expect(other.value(forKey: "name") as? String == "Ada")
    #expect(other.objectID == person.objectID && Set([other.objectID, person.objectID]).count == 1)
    #expect(try second.viewContext.fetch("Person", "self == %@", [person.objectID]) == [other])
  }

  @Test func `the ID of a store that was not added stops the program`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        let (mine, other) = (try Store.memory.people().viewContext, try Store.memory.people().viewContext)
        let person = other.insert("Person")
        try other.save()
        if mine.registeredObject(for: person.objectID) != nil { return }
        _ = mine.object(with: person.objectID)
      }
    }
    #expect(result.errorText.contains("is not reachable from this NSManagedObjectContext's coordinator"))
  }

  @Test func `a store that is added again has the same IDs`() throws {
    let container = try Store.sqlite.people()
    let coordinator = container.persistentStoreCoordinator
    let person = container.viewContext.insert("Person", ["name": "Ada"])
    try container.viewContext.save()
    let old = person.objectID
    let store = try #require(coordinator.persistentStores.first)
    let url = try #require(store.url)
    container.viewContext.reset()
    try coordinator.remove(store)
    #expect(coordinator.managedObjectID(forURIRepresentation: old.uriRepresentation()) == nil)
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    let new = try #require(coordinator.managedObjectID(forURIRepresentation: old.uriRepresentation()))
    #expect(new == old && new.hash == old.hash)
    #expect(try container.viewContext.existingObject(with: old).value(forKey: "name") as? String == "Ada")
  }

  @Test func `obtaining permanent IDs without a store throws`() throws {
    let context = NSPersistentStoreCoordinator(managedObjectModel: PetOwners.model).context()
    let person = context.insert("Person")
    let error = #expect(throws: CocoaError.self) { try context.obtainPermanentIDs(for: [person]) }
    #expect(error?.code.rawValue == 134020 && person.objectID.isTemporaryID)
  }

  @Test(arguments: Store.every)
  func `permanent IDs are obtained only for new objects`(_ store: Store) throws {
    let context = try store.people().viewContext
    let (saved, gone) = (context.insert("Person"), context.insert("Person"))
    try context.save()
    let id = saved.objectID
    context.delete(gone)
    try context.save()
    try context.obtainPermanentIDs(for: [saved, gone])
    #expect(saved.objectID == id && !saved.hasChanges && gone.managedObjectContext == nil)
  }
}
