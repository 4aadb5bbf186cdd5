import CoreData
import Foundation
import StrataTestSupport
import Testing

/// `coredata store history` and `coredata store watch`.
@Suite(.waitsForProcesses) struct ToolHistoryTests {
  /// Books with a title preserved in the history, in a store that this process writes.
  private struct Shelf {
    let tool: ToolHome
    let store: URL
    let context: NSManagedObjectContext

    init() throws {
      tool = try ToolHome()
      let entities = """
        <entity name="Book"><attribute name="title" attributeType="String" preserveAfterDeletion="YES"/>
          <attribute name="pages" optional="YES" attributeType="Integer 32"/></entity>
        <entity name="Shop"><attribute name="name" optional="YES" attributeType="String"/></entity>
        """
      let path = try tool.model("Shelf", [("Shelf", entities)])
      let model = try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path)))
      store = URL(fileURLWithPath: tool.path("Shelf.sqlite"))
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(
        type: .sqlite, at: store, options: [NSPersistentHistoryTrackingKey: true as NSNumber])
      context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
    }

    /// Inserts a book and a shop, changes the book and deletes it, in one transaction each.
    func saveThreeTimes() throws {
      try context.performAndWait {
        (context.transactionAuthor, context.name) = ("import", "feed")
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("Principia", forKey: "title")
        _ = NSEntityDescription.insertNewObject(forEntityName: "Shop", into: context)
        try context.save()
        (context.transactionAuthor, context.name) = ("reader", nil)
        book.setValue(500, forKey: "pages")
        try context.save()
        context.delete(book)
        try context.save()
      }
    }
  }

  private func numbers(_ report: [String: Any]) -> [Int] {
    (report["transactions"] as? [[String: Any]] ?? []).compactMap { $0["number"] as? Int }
  }

  @Test func `history prints authors and changes`() throws {
    let shelf = try Shelf()
    try shelf.saveThreeTimes()
    let report = try shelf.tool.json("store", "history", shelf.store.path)
    let transactions = try #require(report["transactions"] as? [[String: Any]])
    #expect(transactions.map { $0["author"] as? String } == ["import", "reader", "reader"])
    #expect(transactions[0]["context_name"] as? String == "feed")
    let changes = transactions.map { $0["changes"] as? [[String: Any]] ?? [] }
    #expect(changes.map { $0.compactMap { $0["kind"] as? String } } == [["insert", "insert"], ["update"], ["delete"]])
    #expect(changes[1][0]["properties"] as? [String] == ["pages"])
    #expect(changes[2][0]["tombstone"] as? [String: String] == ["title": "Principia"])
    let lines = try shelf.tool.run("store", "history", shelf.store.path).lines
    #expect(lines.contains("  update Book/p1  pages"), "\(lines)")
    #expect(lines.contains("  delete Book/p1  title = \"Principia\""), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("1  ") && $0.contains("by import  in feed") }, "\(lines)")
  }

  @Test func `filters select transactions`() throws {
    let shelf = try Shelf()
    try shelf.saveThreeTimes()
    let (tool, path) = (shelf.tool, shelf.store.path)
    #expect(numbers(try tool.json("store", "history", path, "--after", "1")) == [2, 3])
    #expect(numbers(try tool.json("store", "history", path, "--after", "2001-01-01")) == [1, 2, 3])
    #expect(numbers(try tool.json("store", "history", path, "--after", "2100-01-01T00:00:00Z")) == [])
    #expect(numbers(try tool.json("store", "history", path, "--author", "reader")) == [2, 3])
    #expect(numbers(try tool.json("store", "history", path, "--limit", "2")) == [2, 3])
    #expect(numbers(try tool.json("store", "history", path, "--after", "0", "--limit", "2")) == [1, 2])
    let shops = try tool.json("store", "history", path, "--entity", "Shop")
    #expect(numbers(shops) == [1])
    let changes = (shops["transactions"] as? [[String: Any]])?.first?["changes"] as? [[String: Any]]
    #expect(changes?.map { $0["entity"] as? String } == ["Shop"])
    #expect(numbers(try tool.json("store", "history", path, "--entity", "Book", "--author", "reader")) == [2, 3])
    #expect(try tool.run("store", "history", path, "--entity", "Quake").status == 2)
    #expect(try tool.run("store", "history", path, "--after", "yesterday").status == 2)
    #expect(try tool.run("store", "history", path, "--limit", "0").status == 2)
    #expect(try tool.run("store", "history", tool.path("none.sqlite")).status == 3)
  }

  @Test func `watch prints new transactions`() throws {
    let shelf = try Shelf()
    try shelf.saveThreeTimes()
    let json = try Program("coredata", ["store", "watch", shelf.store.path, "--json"], home: shelf.tool.home.url)
    let text = try Program(
      "coredata", ["store", "watch", shelf.store.path, "--author", "reader"], home: shelf.tool.home.url)
    for watch in [json, text] {
      #expect(watch.wait { _ in watch.errorText.contains("watching") }, "\(watch.errorText)")
    }
    try shelf.saveThreeTimes()
    #expect(json.wait { $0.count == 3 }, "\(json.lines) \(json.errorText)")
    let objects = try json.lines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
    #expect(objects.map { $0["number"] as? Int } == [4, 5, 6], "earlier transactions are not printed")
    #expect(objects.map { $0["author"] as? String } == ["import", "reader", "reader"])
    #expect(text.wait { $0.count == 4 }, "\(text.lines) \(text.errorText)")
    #expect(text.lines[1] == "  update Book/p2  pages", "\(text.lines)")
    json.signal(SIGINT)
    text.signal(SIGTERM)
    #expect(json.status() == 0 && text.status() == 0)
  }
}
