import CoreData
import Foundation
import StrataCSQLite
import StrataTestSupport
import Testing

/// Triggers that a program added to a store: after a save, objects reflect what the triggers did to their rows.
@MainActor @Suite struct TriggerTests {
  private static let model = makeModel(
    makeEntity("Note", [attribute("text"), attribute("upper"), attribute("memo", transient: true)]))

  private static let triggers = """
    CREATE TRIGGER fill AFTER INSERT ON ZNOTE BEGIN
      UPDATE ZNOTE SET ZUPPER = upper(NEW.ZTEXT) WHERE Z_PK = NEW.Z_PK; END;
    CREATE TRIGGER follow AFTER UPDATE OF ZTEXT ON ZNOTE BEGIN
      UPDATE ZNOTE SET ZUPPER = upper(NEW.ZTEXT) WHERE Z_PK = NEW.Z_PK; END;
    CREATE TRIGGER refuse AFTER INSERT ON ZNOTE WHEN NEW.ZTEXT = 'spam' BEGIN
      DELETE FROM ZNOTE WHERE Z_PK = NEW.Z_PK; END;
    """

  private func coordinator(_ url: URL) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    _ = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    return coordinator
  }

  private func run(_ sql: String, _ url: URL) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    try #require(sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
  }

  private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func note(_ text: String, in context: NSManagedObjectContext) -> NSManagedObject {
    let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
    note.setValue(text, forKey: "text")
    return note
  }

  @Test(arguments: [false, true])
  func `an object shows the changes of triggers to its row`(areAddedWhileOpen: Bool) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("Notes.sqlite")
    var coordinator = try coordinator(url)
    if areAddedWhileOpen {
      let early = context(coordinator)
      let first = note("first", in: early)
      try early.save()
      #expect(first.value(forKey: "upper") == nil)
      try run(Self.triggers, url)
    } else {
      try coordinator.persistentStores.forEach(coordinator.remove)
      try run(Self.triggers, url)
      coordinator = try self.coordinator(url)
    }
    let context = context(coordinator)
    let (kept, spam) = (note("a", in: context), note("spam", in: context))
    kept.setValue("memo", forKey: "memo")
    try context.save()
    #expect(kept.value(forKey: "upper") as? String == "A" && kept.value(forKey: "memo") as? String == "memo")
    #expect(!kept.hasChanges && kept.committedValues(forKeys: ["upper"])["upper"] as? String == "A")
    // A trigger deleted the row. The object is deleted once all observers are notified.
    #expect(spam.isDeleted && !context.hasChanges)

    context.processPendingChanges()
    nonisolated(unsafe) var refreshed: [NSManagedObject] = []
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { refreshed += Array($0.userInfo?[NSRefreshedObjectsKey] as? Set<NSManagedObject> ?? []) }
    defer { NotificationCenter.default.removeObserver(observer) }
    kept.setValue("b", forKey: "text")
    try context.save()
    context.processPendingChanges()
    #expect(kept.value(forKey: "upper") as? String == "B" && refreshed == [kept])
    // The object has the row's version, so the next save does not conflict.
    kept.setValue("c", forKey: "text")
    try context.save()
    #expect(kept.value(forKey: "upper") as? String == "C")
  }
}
