import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Deleting, and the delete rules.
@MainActor @Suite(.serialized) struct DeletionTests {
  private func tree(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let folders = context.make("Folder", "root", "a", "b")
    folders[0].setValue(NSSet(array: Array(folders[1...])), forKey: "folders")
    let files = context.make("File", "1", "2")
    folders[1].setValue(NSSet(array: files), forKey: "files")
    let note = context.insert("Note", ["name": "n", "files": NSSet(array: files)])
    try context.save()
    return folders + files + [note]
  }

  @Test(arguments: Store.every)
  func `cascade deletes at the end of the event and nullify clears references`(_ store: Store) throws {
    let context = try store.library().viewContext
    let all = try tree(context)
    context.delete(all[0])
    #expect(context.deletedObjects == [all[0]] && all[0].isDeleted && !all[1].isDeleted)
    context.processPendingChanges()
    #expect(context.deletedObjects == Set(all[0..<5]) && context.updatedObjects == [all[5]])
    #expect(all[5].names("files").isEmpty)
    try context.save()
    #expect(all[0..<5].allSatisfy { $0.managedObjectContext == nil && !$0.isDeleted })
    #expect(try context.fetch("Folder").isEmpty && context.fetch("File").isEmpty && context.fetch("Note") == [all[5]])
  }

  @Test(arguments: Store.every)
  func `cascade reads objects that are not loaded`(_ store: Store) throws {
    let container = try store.library()
    let id = try tree(container.viewContext)[0].objectID
    let context = container.newBackgroundContext()
    try context.performAndWait {
      context.delete(context.object(with: id))
      try context.save()
      let left = try context.fetch("Folder") + context.fetch("File")
      #expect(left.isEmpty)
      let notes = try context.fetch("Note").map { $0.names("files") }
      #expect(notes == [[]])
    }
  }

  @Test(arguments: Store.every)
  func `cascaded objects can be read until the save`(_ store: Store) throws {
    let container = try store.library()
    let ids = try tree(container.viewContext).map(\.objectID)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      context.delete(context.object(with: ids[0]))
      context.processPendingChanges()
      let fallen = ids[1...4].map(context.object)
      #expect(fallen.allSatisfy { $0.isDeleted && !$0.isFault })
      #expect(fallen.map { $0.value(forKey: "name") as? String } == ["a", "b", "1", "2"])
      context.rollback()
      #expect(!context.hasChanges && fallen.allSatisfy { !$0.isDeleted })
      #expect(fallen.map { $0.value(forKey: "name") as? String } == ["a", "b", "1", "2"])
      context.delete(context.object(with: ids[1]))
      context.processPendingChanges()
      context.insert(fallen[2])
      #expect(!fallen[2].isDeleted && fallen[2].value(forKey: "name") as? String == "1")
      fallen[2].setValue("kept", forKey: "name")
      try context.save()
      #expect(try context.fetch("File").map { $0.value(forKey: "name") as? String } == ["kept"])
    }
  }

  @Test(arguments: Store.every)
  func `observers of a save can read the members of deleted objects`(_ store: Store) throws {
    let container = try store.library()
    let ids = try tree(container.viewContext).map(\.objectID)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      nonisolated(unsafe) let folders = ids[1...2].map(context.object)
      nonisolated(unsafe) var counts: [Int] = []
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: context, queue: nil
      ) { _ in counts = folders.map { ($0.value(forKey: "files") as? NSSet)?.count ?? -1 } }
      defer { NotificationCenter.default.removeObserver(observer) }
      for folder in folders { context.delete(folder) }
      try context.save()
      #expect(counts == [2, 0])
      #expect(folders.map(\.objectID) == Array(ids[1...2]))
    }
  }

  @Test(arguments: Store.every)
  func `delete rules can be deferred to the save`(_ store: Store) throws {
    let context = try store.library().viewContext
    context.propagatesDeletesAtEndOfEvent = false
    let all = try tree(context)
    context.delete(all[1])
    context.processPendingChanges()
    #expect(context.deletedObjects == [all[1]] && all[0].names("folders") == ["a", "b"])
    try context.save()
    #expect(all[0].names("folders") == ["b"] && all[3].managedObjectContext == nil)
  }

  @Test(arguments: Store.every)
  func `prepareForDeletion runs before relationships change`(_ store: Store) throws {
    let context = try store.library().viewContext
    let all = try tree(context)
    Folder.log = []
    context.delete(all[0])
    #expect(Folder.log == ["root with 0 files in nothing"])
    context.delete(all[0])
    #expect(Folder.log == Array(repeating: "root with 0 files in nothing", count: 2))
    context.processPendingChanges()
    #expect(Set(Folder.log.dropFirst(2)) == ["a with 2 files in root", "b with 0 files in root"])
    #expect(Folder.log.count == 4)
  }

  @Test(arguments: Store.every)
  func `cascade ends in a cycle`(_ store: Store) throws {
    let context = try store.library().viewContext
    let rings = context.make("Ring", "a", "b", "c")
    for (index, ring) in rings.enumerated() { ring.setValue(rings[(index + 1) % 3], forKey: "next") }
    try context.save()
    context.delete(rings[1])
    context.processPendingChanges()
    #expect(context.deletedObjects == Set(rings))
    try context.save()
    #expect(try context.fetch("Ring").isEmpty)
  }

  @Test(arguments: Store.every)
  func `the deny rule is checked at save`(_ store: Store) throws {
    let context = try store.library().viewContext
    let lock = context.insert("Lock", ["name": "l"])
    let file = context.insert("File", ["name": "f", "lock": lock])
    try context.save()
    context.delete(lock)
    context.processPendingChanges()
    #expect(lock.isDeleted && file.one("lock") === lock)
    let error = #expect(throws: CocoaError.self) { try context.save() }
    #expect(error?.code.rawValue == NSValidationRelationshipDeniedDeleteError)
    #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "files")
    #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === lock)
    #expect(error?.userInfo[NSValidationValueErrorKey] as? NSSet == NSSet(object: file))
    #expect(error?.localizedDescription == "Items cannot be deleted from files.")
    #expect(lock.isDeleted && context.hasChanges)
    context.delete(file)
    try context.save()
    #expect(try context.fetch("Lock").isEmpty && context.fetch("File").isEmpty)
  }

  @Test(arguments: Store.every)
  func `deny allows the deletion after the references are cleared`(_ store: Store) throws {
    let context = try store.library().viewContext
    let lock = context.insert("Lock")
    let file = context.insert("File", ["lock": lock])
    try context.save()
    context.delete(lock)
    file.setValue(nil, forKey: "lock")
    try context.save()
    #expect(lock.managedObjectContext == nil)
  }

  @Test(arguments: Store.every)
  func `the no-action rule leaves a dangling reference`(_ store: Store) throws {
    let context = try store.library().viewContext
    let person = context.insert("Person", ["name": "p"])
    let note = context.insert("Note", ["author": person])
    try context.save()
    context.delete(person)
    try context.save()
    #expect(!note.isUpdated && note.objectIDs(forRelationshipNamed: "author") == [person.objectID])
    let gone = try #require(note.one("author"))
    #expect(gone.isFault && gone.called == nil && gone.isDeleted)
    note.setValue(nil, forKey: "author")
    try context.save()
    #expect(note.one("author") == nil)
  }

  @Test(arguments: Store.every)
  func `a new object that is deleted is not saved`(_ store: Store) throws {
    let context = try store.library().viewContext
    let folder = context.insert("Folder")
    let file = context.insert("File", ["folder": folder])
    context.delete(folder)
    #expect(!context.insertedObjects.contains(folder))
    nonisolated(unsafe) var saved: [[AnyHashable: Any]] = []
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: context, queue: nil
    ) { saved.append($0.userInfo ?? [:]) }
    defer { NotificationCenter.default.removeObserver(observer) }
    context.processPendingChanges()
    #expect(!context.hasChanges && file.managedObjectContext == nil && folder.managedObjectContext == nil)
    let kept = context.insert("Folder")
    let gone = context.insert("Folder")
    context.delete(gone)
    try context.save()
    #expect(saved.count == 1 && saved[0][NSInsertedObjectsKey] as? Set<NSManagedObject> == [kept])
    #expect(saved[0][NSDeletedObjectsKey] == nil)
  }

  @Test(arguments: Store.every)
  func `deleting a new object posts it as deleted`(_ store: Store) throws {
    let context = try store.library().viewContext
    nonisolated(unsafe) var changes: [[AnyHashable: Any]] = []
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { changes.append($0.userInfo ?? [:]) }
    defer { NotificationCenter.default.removeObserver(observer) }
    let folder = context.insert("Folder")
    context.processPendingChanges()
    context.delete(folder)
    context.processPendingChanges()
    #expect(changes.last?[NSDeletedObjectsKey] as? Set<NSManagedObject> == [folder])
    let brief = context.insert("Folder")
    context.delete(brief)
    context.processPendingChanges()
    #expect(changes.count == 3 && changes.last?[NSInsertedObjectsKey] == nil)
    #expect(changes.last?[NSDeletedObjectsKey] as? Set<NSManagedObject> == [brief])
  }

  @Test(arguments: Store.every)
  func `deleting ordered members keeps the order of the others`(_ store: Store) throws {
    let context = try store.library().viewContext
    let book = context.insert("Book")
    let pages = context.make("Page", "a", "b", "c", "d")
    book.setValue(NSOrderedSet(array: pages.reversed()), forKey: "pages")
    try context.save()
    context.delete(pages[2])
    context.delete(pages[0])
    try context.save()
    #expect(book.names("pages") == ["d", "b"])
    context.refresh(book, mergeChanges: false)
    #expect(book.names("pages") == ["d", "b"])
  }

  @Test(arguments: ["in other contexts", "that was never inserted"])
  func `deleting an object of another or no context stops the program`(_ end: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [end] in
      try await MainActor.run {
        let container = try Store.memory.library()
        let other = container.persistentStoreCoordinator.context()
        let entity = try #require(container.managedObjectModel.entitiesByName["Box"])
        other.delete(
          end == "in other contexts"
            ? container.viewContext.insert("Box") : NSManagedObject(entity: entity, insertInto: nil))
      }
    }
    let text = result.errorText
    #expect(text.contains("cannot delete objects \(end).") || text.contains("Cannot delete object \(end)."))
  }
}
