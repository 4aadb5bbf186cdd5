import CoreData
import Foundation
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// `coredata store` as run in a terminal, during and after the program that writes the store.
@Suite(.waitsForProcesses) struct ToolStoreTests {
  /// Authors with homes, books and pairs of books and readers, in a store with history.
  private struct Shop {
    let tool: ToolHome
    let store: URL
    let context: NSManagedObjectContext

    static let entities = """
      <composite name="Address"><attribute name="city" optional="YES" attributeType="String"/></composite>
      <entity name="Author"><attribute name="name" attributeType="String"/>
        <attribute name="home" optional="YES" attributeType="Composite" composite="Address"/>
        <relationship name="books" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Book"
          inverseName="author" inverseEntity="Book"/></entity>
      <entity name="Book"><attribute name="cover" optional="YES" attributeType="Binary"
          allowsExternalBinaryDataStorage="YES"/>
        <relationship name="author" maxCount="1" deletionRule="Nullify" destinationEntity="Author"
          inverseName="books" inverseEntity="Author"/>
        <relationship name="readers" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Reader"
          inverseName="books" inverseEntity="Reader"/></entity>
      <entity name="Reader"><relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify"
        destinationEntity="Book" inverseName="readers" inverseEntity="Book"/></entity>
      """

    init() throws {
      tool = try ToolHome()
      let path = try tool.model("Shop", [("Shop", Self.entities)])
      let model = try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path)))
      store = URL(fileURLWithPath: tool.path("Shop.sqlite"))
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(
        type: .sqlite, at: store, options: [NSPersistentHistoryTrackingKey: true as NSNumber])
      context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      context.transactionAuthor = "shop"
      try fill()
    }

    private func fill() throws {
      try context.performAndWait {
        let reader = NSEntityDescription.insertNewObject(forEntityName: "Reader", into: context)
        for number in 1...3 {
          let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
          author.setValue("author \(number)", forKey: "name")
          author.setValue(["city": "Nuku'alofa"], forKey: "home")
          let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
          book.setValue(author, forKey: "author")
          book.setValue(Set([reader]), forKey: "readers")
          book.setValue(Data(repeating: 1, count: 200_000), forKey: "cover")
        }
        try context.save()
      }
    }

    func close() throws {
      let coordinator = context.persistentStoreCoordinator
      for store in coordinator?.persistentStores ?? [] { try coordinator?.remove(store) }
    }

    /// Changes the file in ways that no program should.
    func damage(_ sql: String) throws {
      let connection = try Connection(path: store.path, mode: .readWrite, busyTimeout: 5)
      defer { connection.close() }
      try connection.run(sql)
    }
  }

  @Test func `info shows the contents of an open store`() throws {
    let shop = try Shop()
    let report = try shop.tool.json("store", "info", shop.store.path)
    let entities = try #require(report["entities"] as? [[String: Any]])
    #expect(entities.map { $0["name"] as? String } == ["Author", "Book", "Reader"])
    #expect(entities.map { $0["rows"] as? Int } == [3, 3, 1])
    #expect((report["pairs"] as? [String: Int])?.values.map(\.self) == [3])
    let history = try #require(report["history"] as? [String: Any])
    #expect(history["transactions"] as? Int == 1 && history["authors"] as? [String] == ["shop"])
    #expect(history["changes"] as? Int == 7)
    #expect((report["sizes"] as? [String: Int])?["external_files"] == 3)
    #expect(report["journal_mode"] as? String == "wal" && report["page_size"] as? Int == 4_096)
    let identifier = shop.context.persistentStoreCoordinator?.persistentStores.first?.identifier
    #expect(report["identifier"] as? String == identifier)
    let lines = try shop.tool.run("store", "info", shop.store.path).lines
    #expect(lines.contains("  Author  1      3     3"), "\(lines)")
  }

  @Test func `inspecting a closed store leaves no files next to it`() throws {
    let shop = try Shop()
    try shop.close()
    let folder = shop.tool.home.url.path
    let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(try shop.tool.json("store", "info", shop.store.path)["journal_mode"] as? String == "wal")
    #expect(try shop.tool.run("store", "check", shop.store.path).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
    #expect(!before.contains("Shop.sqlite-wal"))
  }

  @Test func `check finds no problem in an open store`() throws {
    let shop = try Shop()
    try shop.context.performAndWait {
      let books = try shop.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
      shop.context.delete(try #require(books.first))
      try shop.context.save()
    }
    let (status, lines, errors) = try shop.tool.run("store", "check", shop.store.path)
    #expect(status == 0 && lines.count == 1, "\(lines) \(errors)")
    #expect(lines[0].contains(": OK; ") && lines[0].hasSuffix(" checks passed"), "\(lines)")
  }

  @Test(
    arguments: [
      ("UPDATE ZBOOK SET ZAUTHOR = 99 WHERE Z_PK = 2", "dangling-reference", "ZBOOK", [2]),
      ("DELETE FROM ZREADER", "orphan-pair", "Z_2READERS", [1, 2, 3]),
      ("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Author'", "key-counter", "ZAUTHOR", [3]),
      ("UPDATE ZAUTHOR SET Z_ENT = 2 WHERE Z_PK = 1", "unknown-entity", "ZAUTHOR", [1]),
      ("UPDATE ZAUTHOR SET Z_OPT = NULL WHERE Z_PK = 3", "no-version", "ZAUTHOR", [3]),
      ("DELETE FROM ZAUTHOR WHERE Z_PK = 3", "false-history", "ACHANGE", nil),
      ("UPDATE ACHANGE SET ZCHANGETYPE = 2 WHERE ZENTITY = 3", "false-history", "ACHANGE", nil),
      ("UPDATE ACHANGE SET ZTRANSACTIONID = 7", "broken-history", "ACHANGE", nil),
      ("UPDATE ACHANGE SET ZENTITY = 40 WHERE ZENTITY = 1", "broken-history", "ACHANGE", nil),
      ("UPDATE ATRANSACTION SET ZAUTHORTS = 900", "broken-history", "ATRANSACTION", [1]),
      ("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT = 16002", "key-counter", "ATRANSACTION", [1]),
      ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Reader'", "entity-table", "Z_PRIMARYKEY", []),
      ("ALTER TABLE ZAUTHOR DROP COLUMN ZNAME", "missing-column", "ZAUTHOR", []),
      ("ALTER TABLE ZAUTHOR DROP COLUMN ZCITY", "missing-column", "ZAUTHOR", []),
      ("UPDATE ZBOOK SET ZCOVER = x'02474F4E4500' WHERE Z_PK = 1", "missing-file", "GONE", []),
    ] as [(String, String, String, [Int]?)])
  func `check finds damage`(sql: String, kind: String, place: String, keys: [Int]?) throws {
    let shop = try Shop()
    try shop.close()
    try shop.damage(sql)
    let (status, lines, errors) = try shop.tool.run("store", "check", shop.store.path)
    #expect(status == 1 && lines.last?.hasSuffix(" checks made") == true, "\(lines) \(errors)")
    let report = try shop.tool.json("store", "check", shop.store.path)
    #expect(report["is_whole"] as? Bool == false)
    let problems = try #require(report["problems"] as? [[String: Any]])
    let found = problems.first { $0["kind"] as? String == kind && $0["place"] as? String == place }
    #expect(found != nil, "\(problems)")
    if let keys { #expect(found?["keys"] as? [Int] == keys) }
  }

  @Test func `check only notes a missing index and an unused file`() throws {
    let shop = try Shop()
    try shop.close()
    try shop.damage("DROP INDEX ZBOOK_ZAUTHOR_INDEX")
    try shop.damage("UPDATE ZBOOK SET ZCOVER = NULL WHERE Z_PK = 1")
    let (status, lines, errors) = try shop.tool.run("store", "check", shop.store.path)
    #expect(status == 0, "\(errors)")
    let notes = lines.filter { $0.hasPrefix("note: ") }
    #expect(notes.count == 2 && notes[0].contains("ZBOOK_ZAUTHOR_INDEX"), "\(lines)")
  }

  @Test func `check reports a model that does not match the store`() throws {
    let shop = try Shop()
    let other = try shop.tool.library()
    let (status, lines, errors) = try shop.tool.run("store", "check", shop.store.path, "--model", other)
    #expect(status == 1 && lines.first?.contains("version hashes") == true, "\(lines) \(errors)")
  }

  @Test func `a file that is not a store is refused`() throws {
    let tool = try ToolHome()
    let text = try tool.home.write("notes.txt", "no store")
    #expect(try tool.run("store", "check", text).status == 4)
    #expect(try tool.run("store", "info", tool.path("None.sqlite")).status == 3)
    let empty = tool.path("Empty.sqlite")
    try Connection(path: empty, mode: .create, busyTimeout: 5).run("CREATE TABLE a (b)")
    let (status, _, errors) = try tool.run("store", "info", empty)
    #expect(status == 4 && errors.contains("without the tables of a store"), "\(errors)")
  }
}
