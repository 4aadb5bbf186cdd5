import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// One coordinator with several stores: where objects are stored, and what happens if one store fails.
@MainActor @Suite struct SeveralStoresTests {
  @Test(arguments: Store.allCases)
  func `a new object is saved to the first store that has its entity`(_ store: Store) throws {
    let coordinator = try store.coordinator(["Groups", "Everything", "Teams"])
    let stores = coordinator.persistentStores
    let context = coordinator.context()
    let (group, team) = (context.insert("Group"), context.insert("Team", ["name": "Red"]))
    let person = context.insert("Person")
    try context.save()
    #expect(group.objectID.persistentStore === stores[0])
    #expect(team.objectID.persistentStore === stores[1] && person.objectID.persistentStore === stores[1])
    #expect(try coordinator.context().fetch("Team").map(\.objectID) == [team.objectID])
  }

  /// A configuration need not list the subentities or superentities of its entities if the store has them.
  @Test func `a configuration without a subentity opens a store that has it`() throws {
    let model = try #require(People.model.copy() as? NSManagedObjectModel)
    let named = model.entitiesByName
    let lists = ["Parents": ["Person", "Team", "Group"], "Children": ["Manager", "Team", "Group"], "Few": ["Person"]]
    for (name, list) in lists { model.setEntities(list.compactMap { named[$0] }, forConfigurationName: name) }
    let url = try TemporaryFolder.make().appendingPathComponent("People.sqlite")
    let all = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try all.addPersistentStore(type: .sqlite, at: url)
    let writer = all.context()
    _ = writer.insert("Manager", ["name": "Ada", "title": "Boss"])
    try writer.save()
    try all.remove(store)
    for configuration in ["Parents", "Children"] {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(type: .sqlite, configuration: configuration, at: url)
      let found = try coordinator.context().fetch("Person")
      #expect(found.map(\.entity.name) == ["Manager"] && found.first?.text("title") == "Boss")
      try coordinator.remove(coordinator.persistentStores[0])
    }
    let few = NSPersistentStoreCoordinator(managedObjectModel: model)
    let refusal = #expect(throws: CocoaError.self) {
      try few.addPersistentStore(type: .sqlite, configuration: "Few", at: url)
    }
    #expect(refusal?.code == .persistentStoreIncompatibleVersionHash)
  }

  /// A store created for a subentity alone has the superentities' tables too.
  @Test func `a store created for a subentity can be reopened`() throws {
    let model = try #require(People.model.copy() as? NSManagedObjectModel)
    let child = try #require(model.entitiesByName["Manager"])
    model.setEntities([child], forConfigurationName: "Child")
    let url = try TemporaryFolder.make().appendingPathComponent("People.sqlite")
    for count in 0..<2 {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(type: .sqlite, configuration: "Child", at: url)
      let context = coordinator.context()
      #expect(try context.fetch("Manager").count == count)
      _ = context.insert("Manager", ["email": "\(count)"])
      try context.save()
      try coordinator.remove(coordinator.persistentStores[0])
    }
  }

  @Test func `a new object is not saved to a read-only store`() throws {
    let folder = try TemporaryFolder.make()
    let url = folder.appendingPathComponent("Old.sqlite")
    let first = NSPersistentStoreCoordinator(managedObjectModel: People.model)
    let old = try first.addPersistentStore(type: .sqlite, at: url)
    let writer = first.context()
    _ = writer.insert("Team", ["name": "Old"])
    try writer.save()
    try first.remove(old)

    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: People.model)
    let sealed = try coordinator.addPersistentStore(
      type: .sqlite, at: url, options: [NSReadOnlyPersistentStoreOption: true])
    let context = coordinator.context()
    let unsavedTeam = context.insert("Team", ["name": "Lonely"])
    let refusal = try #require(throws: CocoaError.self) { try context.save() }
    #expect(refusal.code == .fileWriteNoPermission && unsavedTeam.isInserted)

    let open = try coordinator.addPersistentStore(type: .sqlite, at: folder.appendingPathComponent("New.sqlite"))
    try context.save()
    #expect(unsavedTeam.objectID.persistentStore === open)
    let sealedTeam = try #require(try context.fetch("Team", "name == 'Old'").first)
    #expect(sealedTeam.objectID.persistentStore === sealed)
    sealedTeam.setValue("Changed", forKey: "name")
    let new = context.insert("Team", ["name": "New"])
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code == .fileWriteNoPermission)
    // No store was written.
    #expect(new.isInserted && sealedTeam.isUpdated)
    #expect(try coordinator.context().fetch("Team", "name == 'New'").isEmpty)
    context.rollback()
    #expect(sealedTeam.text("name") == "Old")
  }

  @Test(arguments: Store.allCases)
  func `an assigned object is saved to its store with its related objects`(_ store: Store) throws {
    let coordinator = try store.coordinator([nil, nil])
    let stores = coordinator.persistentStores
    let context = coordinator.context()
    let (team, person, other) = (
      context.insert("Team", ["name": "Red"]), context.insert("Person"), context.insert("Person")
    )
    context.assign(team, to: stores[1])
    person.setValue(team, forKey: "team")
    try context.obtainPermanentIDs(for: [team])
    #expect(team.objectID.persistentStore === stores[1])
    try context.save()
    #expect(team.objectID.persistentStore === stores[1])
    // Related objects go to the same store.
    #expect(person.objectID.persistentStore === stores[1] && other.objectID.persistentStore === stores[0])
    let next = context.insert("Person", ["team": team])
    try context.save()
    #expect(next.objectID.persistentStore === stores[1])
  }

  @Test(arguments: Store.allCases)
  func `an assignment in a child context applies to the save of its parent`(_ store: Store) throws {
    let coordinator = try store.coordinator([nil, nil])
    let root = coordinator.context()
    let leaf = root.child()
    let team = leaf.insert("Team", ["name": "Red"])
    leaf.assign(team, to: coordinator.persistentStores[1])
    try leaf.save()
    try root.save()
    #expect(try root.fetch("Team").first?.objectID.persistentStore === coordinator.persistentStores[1])
  }

  @Test func `a saved object cannot be assigned to another store`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let coordinator = try Store.memory.coordinator([nil, nil])
      let context = coordinator.context(.privateQueueConcurrencyType)
      try context.performAndWait {
        let team = context.insert("Team", ["name": "Red"])
        try context.save()
        context.assign(team, to: coordinator.persistentStores[1])
      }
    }
    #expect(result.errorText.contains("Can't reassign an object to a different store once it has been saved."))
  }

  @Test(arguments: Store.allCases)
  func `a save fails for an object that no store accepts`(_ store: Store) throws {
    let coordinator = try store.coordinator(["Teams", "Groups"])
    let context = coordinator.context()
    let (team, person) = (context.insert("Team", ["name": "Red"]), context.insert("Person"))
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code.rawValue == 134020)
    let reason = "Can't resolve how to assign objects to stores: no store that can be written holds the entity 'Person'"
    #expect(error.localizedDescription.hasPrefix(reason))
    #expect(
      error.localizedDescription.hasSuffix(
        "The model configuration used to open the store is incompatible with the one that was used to create the store."
      ))
    #expect(error.affectedObjects as? [NSManagedObject] == [person])
    #expect(team.isInserted && person.isInserted)
    #expect(try coordinator.context().fetch("Team").isEmpty)
  }

  @Test(arguments: Store.allCases)
  func `a single store refuses an object outside its configuration`(_ store: Store) throws {
    let context = try store.coordinator(["Teams"]).context()
    _ = context.insert("Person")
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code.rawValue == 134020)
  }

  @Test(arguments: Store.allCases)
  func `a relationship across stores is refused`(_ store: Store) throws {
    let coordinator = try store.coordinator([nil, nil])
    let context = coordinator.context()
    let (team, person) = (context.insert("Team", ["name": "Red"]), context.insert("Person"))
    context.assign(team, to: coordinator.persistentStores[1])
    try context.save()
    #expect(person.objectID.persistentStore === coordinator.persistentStores[0])
    person.setValue(team, forKey: "team")
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code.rawValue == NSPersistentStoreIncompatibleSchemaError)
    #expect(person.isUpdated)
    context.rollback()
    // Objects that are assigned to different stores cannot be related either.
    let (blue, bob) = (context.insert("Team", ["name": "Blue"]), context.insert("Person"))
    context.assign(blue, to: coordinator.persistentStores[0])
    context.assign(bob, to: coordinator.persistentStores[1])
    bob.setValue(blue, forKey: "team")
    let other = try #require(throws: CocoaError.self) { try context.save() }
    #expect(other.code.rawValue == NSPersistentStoreIncompatibleSchemaError && bob.isInserted)
  }

  @Test(arguments: Store.allCases)
  func `related new objects are saved to a store that accepts both`(_ store: Store) throws {
    let coordinator = try store.coordinator(["Teams", "Everything"])
    let context = coordinator.context()
    let (team, alone) = (context.insert("Team", ["name": "Red"]), context.insert("Team", ["name": "Alone"]))
    let person = context.insert("Person", ["team": team])
    try context.save()
    #expect(team.objectID.persistentStore === coordinator.persistentStores[1])
    #expect(person.objectID.persistentStore === coordinator.persistentStores[1])
    #expect(alone.objectID.persistentStore === coordinator.persistentStores[0])
  }

  @Test(arguments: Store.allCases)
  func `a coordinator without stores can neither save nor fetch`(_ store: Store) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: People.model)
    let context = coordinator.context()
    let team = context.insert("Team", ["name": "Red"])
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code.rawValue == 134020 && team.isInserted)
    #expect(
      error.userInfo["NSUnderlyingException"] as? String
        == "Can't resolve how to assign objects to stores; Coordinator does not have any stores")
    #expect(error.localizedDescription.hasSuffix("Coordinator does not have any stores"))
    #expect("\(error)".contains("Code=134020 \"This NSPersistentStoreCoordinator has no persistent stores. "))
    #expect("\(error)".contains("loadPersistentStores"))
    let unread = try #require(throws: CocoaError.self) { try context.fetch("Team") }
    #expect("\(unread)".contains("Code=134080 \"This NSPersistentStoreCoordinator has no persistent stores. "))
  }

  /// The first store commits its changes; the second one finds a conflict.
  @Test(arguments: Store.allCases)
  func `a save that fails in the second store is reported as incomplete`(_ store: Store) throws {
    let coordinator = try store.coordinator(["Teams", "Groups"])
    let (context, other) = (coordinator.context(), coordinator.context())
    let (team, group) = (context.insert("Team", ["name": "Red"]), context.insert("Group", ["name": "chess"]))
    try context.save()
    try other.existingObject(with: group.objectID).setValue("theirs", forKey: "name")
    try other.save()
    team.setValue("Blue", forKey: "name")
    let new = context.insert("Team", ["name": "New"])
    group.setValue("mine", forKey: "name")
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code.rawValue == NSPersistentStoreIncompleteSaveError)
    let failed = try #require(error.affectedStores)
    #expect(failed.count == 1 && failed[0] === coordinator.persistentStores[1])
    #expect(error.affectedObjects as? [NSManagedObject] == [group])
    #expect((error.userInfo[NSUnderlyingErrorKey] as? CocoaError)?.code.rawValue == 133020)
    // Written objects are saved, and the others keep their changes.
    #expect(!team.hasChanges && !new.isInserted && !new.objectID.isTemporaryID)
    #expect(group.isUpdated && group.text("name") == "mine")
    #expect(Set(try coordinator.context().fetch("Team").map { $0.text("name") }) == ["Blue", "New"])
    context.mergePolicy = NSMergePolicy.overwrite
    new.setValue("Newer", forKey: "name")
    try context.save()
    #expect(try coordinator.context().fetch("Group").map { $0.text("name") } == ["mine"])
    #expect(Set(try coordinator.context().fetch("Team").map { $0.text("name") }) == ["Blue", "Newer"])
  }

  /// The metadata of a store without new rows are written after the rows of the others.
  @Test func `a save reports the store whose metadata cannot be written`() throws {
    let coordinator = try Store.sqlite.coordinator(["Teams", "Groups"])
    let second = coordinator.persistentStores[1]
    let (context, other) = (coordinator.context(), coordinator.context())
    let team = context.insert("Team", ["name": "Red"])
    try context.save()
    // A save that fails writes no metadata.
    second.metadata = ["position": 7]
    try other.existingObject(with: team.objectID).setValue("theirs", forKey: "name")
    try other.save()
    second.metadata = ["position": 8]
    team.setValue("mine", forKey: "name")
    #expect(throws: CocoaError.self) { try context.save() }
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: try #require(second.url))
    #expect(metadata["position"] as? Int == 7)
    context.refresh(team, mergeChanges: false)
    try FileManager.default.removeItem(at: try #require(second.url))
    team.setValue("Blue", forKey: "name")
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code.rawValue == NSPersistentStoreIncompleteSaveError)
    #expect(try #require(error.affectedStores).first === second)
    #expect(error.affectedObjects?.isEmpty == true)
    #expect(!context.hasChanges)
    #expect(try coordinator.context().fetch("Team").map { $0.text("name") } == ["Blue"])
  }

  @Test(arguments: Store.allCases)
  func `a merge policy resolves a conflict in the second store`(_ store: Store) throws {
    let coordinator = try store.coordinator(["Teams", "Groups"])
    let (context, other) = (coordinator.context(), coordinator.context())
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let (team, group) = (context.insert("Team", ["name": "Red"]), context.insert("Group", ["name": "chess"]))
    try context.save()
    try other.existingObject(with: group.objectID).setValue("theirs", forKey: "name")
    try other.save()
    team.setValue("Blue", forKey: "name")
    group.setValue("mine", forKey: "name")
    try context.save()
    #expect(!context.hasChanges)
    #expect(try coordinator.context().fetch("Group").map { $0.text("name") } == ["mine"])
  }

  @Test(arguments: Store.allCases)
  func `removing a store invalidates its objects`(_ store: Store) throws {
    let coordinator = try store.coordinator(["Teams", "Groups"])
    let context = coordinator.context()
    let leaf = context.child()
    let (team, group) = (context.insert("Team", ["name": "Red"]), context.insert("Group", ["name": "chess"]))
    try context.save()
    let twin = try leaf.existingObject(with: team.objectID)
    let uri = team.objectID.uriRepresentation()
    team.setValue("Blue", forKey: "name")
    nonisolated(unsafe) var invalid: Any?
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { note in note.userInfo?[NSInvalidatedObjectsKey].map { invalid = $0 } }
    defer { NotificationCenter.default.removeObserver(observer) }
    try coordinator.remove(coordinator.persistentStores[0])
    #expect(invalid as? Set<NSManagedObject> == [team])
    #expect(team.managedObjectContext == nil && twin.managedObjectContext == nil && !context.hasChanges)
    #expect(team.text("name") == "Blue" && team.objectID.uriRepresentation() == uri)
    #expect(group.managedObjectContext === context)
    group.setValue("go", forKey: "name")
    try context.save()
  }
}
