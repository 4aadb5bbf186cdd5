import CoreData
import Foundation
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// Commands that change or copy a store: `coredata store migrate`, `export`, `vacuum` and `check --repair`.
@Suite(.waitsForProcesses) struct ToolChangeTests {
  /// A store of the first version of the library, with two books and a history.
  private func library() throws -> (tool: ToolHome, model: String, store: URL) {
    let tool = try ToolHome()
    let path = try tool.library()
    let first = URL(fileURLWithPath: path).appendingPathComponent("Library 1.xcdatamodel")
    let store = URL(fileURLWithPath: tool.path("Library.sqlite"))
    let context = try EverythingStore.open(store, model: first.path)
    try context.performAndWait {
      for title in ["a", "b"] {
        NSEntityDescription.insertNewObject(forEntityName: "Book", into: context).setValue(title, forKey: "title")
      }
      try context.save()
    }
    try EverythingStore.close(context)
    return (tool, path, store)
  }

  @Test func `migrate prints its steps`() throws {
    let (tool, model, store) = try library()
    let dry = try tool.run("store", "migrate", store.path, "--model", model, "--dry-run")
    #expect(dry.status == 0 && dry.lines.contains("+ entity Author"), "\(dry)")
    #expect(dry.lines.last == "nothing was done (--dry-run)")
    let old = try tool.json("model", "hash", store.path)["checksum"] as? String
    let done = try tool.run("store", "migrate", store.path, "--model", model)
    #expect(done.status == 0 && done.lines.contains { $0.hasPrefix("migrated 2 objects") }, "\(done)")
    #expect(try tool.json("model", "hash", store.path)["checksum"] as? String != old)
    let names = try tool.run("store", "fetch", store.path, "Book", "--csv", "--properties", "name", "--sort", "name")
    #expect(names.lines == ["name", "a", "b"], "\(names)")
    let again = try tool.run("store", "migrate", store.path, "--model", model)
    #expect(again.status == 0 && again.lines[0].contains("no migration needed"), "\(again)")
    let info = try tool.json("store", "info", store.path)
    #expect((info["history"] as? [String: Any])?["transactions"] as? Int == 1)
  }

  @Test func `a migration warns of the values that it drops`() throws {
    let (tool, model, store) = try library()
    let renamed = try tool.run("store", "migrate", store.path, "--model", model)
    #expect(renamed.status == 0 && renamed.errors.isEmpty, "\(renamed)")
    let caption = "<attribute name=\"caption\" optional=\"YES\" attributeType=\"String\"/>"
    let other = try tool.model("Other", [("Other", "<entity name=\"Book\">\(caption)</entity>")])
    let dropped = try tool.run("store", "migrate", store.path, "--model", other)
    #expect(dropped.status == 0, "\(dropped)")
    #expect(dropped.errors.contains("'name' of 2 'Book' objects"), "\(dropped.errors)")
    #expect(dropped.errors.contains("renaming identifier"), "\(dropped.errors)")
  }

  @Test func `a migration warns of entities and links that it drops, and not of an end that is renamed`() throws {
    func relationship(_ name: String, _ to: String, _ inverse: String, many: Bool) -> String {
      """
      <relationship name="\(name)" optional="YES" \(many ? "toMany=\"YES\"" : "maxCount=\"1\"") deletionRule="Nullify" \
      destinationEntity="\(to)" inverseName="\(inverse)" inverseEntity="\(to)"/>
      """
    }
    func entity(_ name: String, _ properties: String...) -> String {
      "<entity name=\"\(name)\">\(properties.joined())</entity>"
    }
    let old =
      entity("Shelf")
      + entity(
        "Book", relationship("tags", "Tag", "books", many: true),
        relationship("author", "Author", "books", many: false),
        relationship("genres", "Genre", "books", many: true))
      + entity("Tag", relationship("books", "Book", "tags", many: true))
      + entity("Author", relationship("books", "Book", "author", many: true))
      + entity("Genre", relationship("books", "Book", "genres", many: true))
    let new =
      entity(
        "Book", relationship("labels", "Tag", "items", many: true),
        relationship("writer", "Author", "books", many: false),
        relationship("kinds", "Genre", "books", many: true))
      + entity("Tag", relationship("items", "Book", "labels", many: true))
      + entity("Author", relationship("books", "Book", "writer", many: true))
      + entity("Genre", relationship("books", "Book", "kinds", many: true))
    let tool = try ToolHome()
    let store = URL(fileURLWithPath: tool.path("Old.sqlite"))
    let context = try EverythingStore.open(store, model: tool.model("Old", [("Old", old)]))
    try context.performAndWait {
      let object = { NSEntityDescription.insertNewObject(forEntityName: $0, into: context) }
      _ = object("Shelf")
      let book = object("Book")
      book.setValue(NSSet(array: [object("Tag"), object("Tag")]), forKey: "tags")
      book.setValue(object("Author"), forKey: "author")
      book.setValue(NSSet(object: object("Genre")), forKey: "genres")
      try context.save()
    }
    try EverythingStore.close(context)
    let migrated = try tool.run("store", "migrate", store.path, "--model", tool.model("New", [("New", new)]))
    #expect(migrated.status == 0, "\(migrated)")
    #expect(
      migrated.errors.contains("does not have: 'tags' of 'Book' objects (2 links), 1 'Shelf' object. "),
      "\(migrated.errors)")
  }

  @Test func `an impossible migration changes nothing`() throws {
    let (tool, _, store) = try library()
    let other = try tool.model(
      "Other",
      [("Other", "<entity name=\"Book\"><attribute name=\"title\" attributeType=\"Integer 16\"/></entity>")])
    let before = try Data(contentsOf: store)
    for arguments in [["--dry-run"], []] {
      let program = try Program(
        "coredata", ["store", "migrate", store.path, "--model", other] + arguments, home: tool.home.url)
      #expect(program.status() == 4 && program.errorText.contains("--mapping"), "\(program.errorText)")
      #expect(program.lines.contains { $0.hasPrefix("  cannot: Book.title") }, "\(program.lines)")
    }
    #expect(try Data(contentsOf: store) == before)
    let text = try tool.home.write("none.cdm", "no mapping")
    let wrong = try tool.run("store", "migrate", store.path, "--model", other, "--mapping", text)
    #expect(wrong.status == 4 && wrong.errors.contains("not a readable mapping model"), "\(wrong)")
  }

  @Test(arguments: ["sqlite", "xml", "binary"]) func `an exported copy of any type has all objects`(type: String) throws
  {
    let everything = try EverythingStore()
    let copy = everything.tool.path("Copy.\(type)")
    let (status, lines, errors) = try everything.tool.run(
      "store", "export", everything.store.path, copy, "--type", type)
    #expect(status == 0 && lines.first?.hasPrefix(copy) == true, "\(errors)")
    let model = try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: everything.model)))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let kind: NSPersistentStore.StoreType = ["sqlite": .sqlite, "xml": .xml, "binary": .binary][type] ?? .inMemory
    try coordinator.addPersistentStore(
      type: kind, at: URL(fileURLWithPath: copy), options: [NSReadOnlyPersistentStoreOption: true as NSNumber])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.predicate = NSPredicate(format: "name BEGINSWITH 'full'")
      let full = try #require(try context.fetch(request).first)
      #expect(full.value(forKey: "picture") as? Data == Data(repeating: 7, count: 200_000))
      #expect(full.value(forKey: "object") as? String == "archived")
      #expect((full.value(forKey: "tags") as? Set<NSManagedObject>)?.count == 3)
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing")) == 5)
    }
    let again = try everything.tool.run("store", "export", everything.store.path, copy, "--type", type)
    #expect(again.status == 4 && again.errors.contains("already"), "\(again.errors)")
  }

  @Test func `vacuum frees pages`() throws {
    let (tool, _, store) = try library()
    let connection = try Connection(path: store.path, mode: .readWrite, busyTimeout: 5)
    try connection.run("CREATE TABLE big AS SELECT zeroblob(1000000) AS b")
    try connection.run("DROP TABLE big")
    connection.close()
    let before = try #require(try tool.json("store", "info", store.path)["sizes"] as? [String: Int])
    let (status, lines, errors) = try tool.run("store", "vacuum", store.path)
    #expect(status == 0 && lines.count == 4 && lines[3].hasSuffix("  0"), "\(lines) \(errors)")
    let after = try #require(try tool.json("store", "info", store.path)["sizes"] as? [String: Int])
    #expect(try #require(after["file"]) < #require(before["file"]) / 4)
    #expect(try tool.run("store", "check", store.path).status == 0)
  }

  @Test func `repair keeps a copy and all readable rows`() throws {
    let everything = try EverythingStore()
    let (tool, store) = (everything.tool, everything.store)
    let connection = try Connection(path: store.path, mode: .readWrite, busyTimeout: 5)
    for sql in [
      "UPDATE ZTHING SET ZPARENT = 99 WHERE Z_PK = 2", "UPDATE ZTHING SET Z_FOK_SHELF = NULL WHERE Z_PK = 4",
      "DELETE FROM ZTAG WHERE Z_PK = 2", "UPDATE ZTHING SET Z_OPT = NULL WHERE Z_PK = 3",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Thing'",
      "UPDATE ZTHING SET Z4_NEXT = 1 WHERE ZNEXT IS NOT NULL",
      "ALTER TABLE ZPLAYLIST RENAME TO LOST",
    ] { try connection.run(sql) }
    connection.close()
    let damaged = try tool.json("store", "check", store.path)
    let report = try tool.json("store", "check", store.path, "--repair")
    let steps = try #require(report["repairs"] as? [[String: Any]]).map {
      "\($0["place"] ?? "") \($0["text"] ?? "") \($0["count"] ?? "")"
    }
    for step in [
      "ZTHING reference in ZPARENT set to nil 1", "ZTHING position in Z_FOK_SHELF assigned in key order 1",
      "ZTHING Z_OPT set to 1 1", "ZTHING Z_MAX raised to 6 1",
      "ZTHING Z4_NEXT set to the Z_ENT of the row that ZNEXT refers to 1",
    ] { #expect(steps.contains(step), "\(steps)") }
    #expect(steps.contains { $0.hasSuffix("pair deleted 2") }, "\(steps)")
    // Problems that cannot be repaired are reported.
    let left = try #require(report["problems"] as? [[String: Any]])
    #expect(Set(left.map { $0["kind"] as? String }) == ["missing-column", "false-history"], "\(left)")
    let backup = try #require(report["backup"] as? String)
    #expect(backup == tool.path("Everything-backup.sqlite"))
    let copy = try tool.json("store", "check", backup)
    #expect((copy["problems"] as? [Any])?.count == (damaged["problems"] as? [Any])?.count)
    let again = try tool.json("store", "check", store.path, "--repair")
    #expect(again["backup"] == nil && (again["repairs"] as? [Any])?.isEmpty == true, "\(again)")
  }

  @Test func `a store is not repaired without a copy`() throws {
    let everything = try EverythingStore()
    let (tool, store) = (everything.tool, everything.store)
    let connection = try Connection(path: store.path, mode: .readWrite, busyTimeout: 5)
    try connection.run("UPDATE ZTHING SET ZPARENT = 99 WHERE Z_PK = 2")
    connection.close()
    // A folder cannot be opened for writing.
    for name in ["Everything-backup.sqlite-turn"] {
      try FileManager.default.createDirectory(atPath: tool.path(name), withIntermediateDirectories: false)
    }
    let (status, _, errors) = try tool.run("store", "check", store.path, "--repair")
    #expect(status == 4 && errors.contains("Everything-backup"), "\(errors)")
    #expect(try tool.run("store", "check", store.path).status == 1)
  }
}
