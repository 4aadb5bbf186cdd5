import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Key-value observing of managed objects: `observe(_:options:changeHandler:)` and `addObserver`.
@MainActor @Suite struct KeyValueObservingTests {
  /// Logs the notifications of observers.
  private final class Log {
    var lines: [String] = []
    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  private func text<Value>(_ change: NSKeyValueObservedChange<Value>) -> String {
    func name(_ value: Value?) -> String {
      switch value as Any? {
      case let set as NSSet: return set.compactMap { ($0 as? NSManagedObject)?.called }.sorted().joined(separator: "+")
      case let set as NSOrderedSet:
        return set.compactMap { ($0 as? NSManagedObject)?.called }.joined(separator: "+")
      case let object as NSManagedObject: return object.called ?? "?"
      case nil: return "-"
      case let value?: return "\(value)"
      }
    }
    let indexText = change.indexes.map { " at \(Array($0))" } ?? ""
    return
      "\(change.isPrior ? "will " : "")\(change.kind) \(name(change.oldValue)) > \(name(change.newValue))\(indexText)"
  }

  @Test(arguments: Store.allCases)
  func `every way to set a property notifies observers`(_ store: Store) throws {
    let context = try store.library().viewContext
    let page = try #require(context.insert("Page", ["name": "one"]) as? Page)
    let log = Log()
    let observation = page.observe(\.name, options: [.old, .new]) { object, change in
      #expect(object === page)
      log.lines.append("\(change.oldValue as Any) > \(change.newValue as Any)")
    }
    page.name = "two"
    #expect(log.take() == [#"Optional(Optional("one")) > Optional(Optional("two"))"#])
    page.setValue(nil, forKey: "name")
    #expect(log.take() == [#"Optional(Optional("two")) > Optional(nil)"#])
    page.setPrimitiveValue("three", forKey: "name")
    #expect(log.take().isEmpty)
    page.willChangeValue(forKey: "name")
    page.setPrimitiveValue("four", forKey: "name")
    page.didChangeValue(forKey: "name")
    #expect(log.take() == [#"Optional(Optional("three")) > Optional(Optional("four"))"#])
    try context.save()
    page.name = "five"
    page.name = "five"
    #expect(log.take().count == 2)
    observation.invalidate()
    page.name = "six"
    #expect(log.take().isEmpty)
  }

  @Test func `an observation ends with its token and does not retain the object`() throws {
    let context = try Store.memory.library().viewContext
    let page = try #require(context.insert("Page") as? Page)
    let log = Log()
    var observation: NSKeyValueObservation? = page.observe(\.name) { _, _ in log.lines.append("received") }
    page.name = "a"
    #expect(log.take() == ["received"] && observation != nil)
    observation = nil
    page.name = "b"
    #expect(log.take().isEmpty)
    try context.save()
    weak var fetched: Page?
    try context.performAndWait {
      let other = try #require(context.insert("Page") as? Page)
      observation = other.observe(\.name) { _, _ in }
      try context.save()
      fetched = other
    }
    context.reset()
    #expect(fetched == nil)
  }

  @Test func `initial and prior notifications are optional`() throws {
    let context = try Store.memory.library().viewContext
    let page = try #require(context.insert("Page", ["name": "one"]) as? Page)
    let log = Log()
    let observation = page.observe(\.name, options: [.initial, .prior, .new, .old]) { page, change in
      log.lines.append("\(text(change)) \(page.name ?? "")")
    }
    #expect(log.take() == [#"setting - > Optional("one") one"#])
    page.name = "two"
    #expect(
      log.take() == [#"will setting Optional("one") > - one"#, #"setting Optional("one") > Optional("two") two"#])
    withExtendedLifetime(observation) {}
  }

  @Test(arguments: Store.allCases)
  func `both ends of a relationship notify observers`(_ store: Store) throws {
    let context = try store.library().viewContext
    let book = try #require(context.insert("Book", ["name": "book"]) as? Book)
    let tags = context.make("Tag", "a", "b", "c").compactMap { $0 as? BookTag }
    try context.save()
    let log = Log()
    let observations = [
      book.observe(\.tags, options: [.old, .new]) { _, change in log.lines.append(text(change)) },
      tags[0].observe(\.books, options: [.old, .new]) { _, change in log.lines.append("inverse \(text(change))") },
    ]
    book.addToTags(tags[0])
    #expect(Set(log.take()) == ["insertion - > a", "inverse insertion - > book"])
    book.addToTags(NSSet(array: tags))
    #expect(log.take() == ["insertion - > b+c"])
    book.mutableSetValue(forKey: "tags").remove(tags[1])
    #expect(log.take() == ["removal b > -"])
    book.tags = NSSet(object: tags[2])
    #expect(Set(log.take()) == ["setting a+c > c", "inverse removal book > -"])
    tags[0].setValue(NSSet(object: book), forKey: "books")
    #expect(Set(log.take()) == ["insertion - > a", "inverse setting  > book"])
    context.delete(book)
    context.processPendingChanges()
    #expect(log.take().contains("inverse removal book > -"))
    withExtendedLifetime(observations) {}
  }

  @Test func `ordered relationships report indexes`() throws {
    let context = try Store.memory.library().viewContext
    let book = try #require(context.insert("Book", ["name": "book"]) as? Book)
    let pages = context.make("Page", "a", "b", "c").compactMap { $0 as? Page }
    let log = Log()
    let observations = [
      book.observe(\.pages, options: [.old, .new]) { _, change in log.lines.append(text(change)) },
      pages[1].observe(\.book, options: [.old, .new]) { _, change in log.lines.append("inverse \(text(change))") },
    ]
    book.addToPages(pages[0])
    #expect(log.take() == ["insertion - > a at [0]"])
    book.insertIntoPages(pages[1], at: 0)
    #expect(Set(log.take()) == ["insertion - > b at [0]", "inverse setting nil > book"])
    pages[2].book = book
    #expect(log.take() == ["insertion - > c at [2]"])
    book.removeFromPages(pages[0])
    #expect(log.take() == ["removal a > - at [1]"])
    book.movePages(at: NSIndexSet(index: 1), to: 0)
    #expect(log.take() == ["setting b+c > c+b"])
    withExtendedLifetime(observations) {}
  }

  @Test(arguments: Store.allCases)
  func `observers are notified of changes by the framework`(_ store: Store) throws {
    let container = try store.library()
    let context = container.viewContext
    let page = try #require(context.insert("Page", ["name": "one"]) as? Page)
    try context.save()
    context.undoManager = UndoManager()
    let log = Log()
    let observation = page.observe(\.name, options: [.old, .new]) { _, change in log.lines.append(text(change)) }
    page.name = "two"
    context.processPendingChanges()
    _ = log.take()
    context.undo()
    #expect(log.take() == [#"setting Optional("two") > Optional("one")"#])
    context.redo()
    #expect(log.take() == [#"setting Optional("one") > Optional("two")"#])
    context.rollback()
    #expect(log.take() == [#"setting Optional("two") > Optional("one")"#])
    let other = container.newBackgroundContext()
    try other.performAndWait {
      let same = try #require(try other.existingObject(with: page.objectID) as? Page)
      same.name = "three"
      try other.save()
    }
    #expect(log.take().isEmpty)
    context.refresh(page, mergeChanges: true)
    #expect(log.take() == [#"setting Optional("one") > Optional("three")"#])
    withExtendedLifetime(observation) {}
  }

  @Test(arguments: Store.allCases)
  func `merging notifies observers`(_ store: Store) async throws {
    let container = try store.library()
    let context = container.viewContext
    context.automaticallyMergesChangesFromParent = true
    let page = try #require(context.insert("Page", ["name": "one"]) as? Page)
    try context.save()
    let log = Log()
    let observation = page.observe(\.name, options: [.old, .new]) { _, change in log.lines.append(text(change)) }
    try await container.performBackgroundTask { [id = page.objectID] context in
      (try context.existingObject(with: id) as? Page)?.name = "two"
      try context.save()
    }
    try await eventually { !log.lines.isEmpty }
    #expect(log.take() == [#"setting Optional("one") > Optional("two")"#])
    withExtendedLifetime(observation) {}
  }

  @Test func `observers in the parent are notified of a child's save`() throws {
    let context = try Store.memory.library().viewContext
    let page = try #require(context.insert("Page", ["name": "one"]) as? Page)
    try context.save()
    let log = Log()
    let observation = page.observe(\.name, options: [.old, .new]) { _, change in log.lines.append(text(change)) }
    let child = context.child()
    (child.object(with: page.objectID) as? Page)?.name = "two"
    try child.save()
    #expect(log.take() == [#"setting Optional("one") > Optional("two")"#])
    withExtendedLifetime(observation) {}
  }

  /// An observer that records its notifications.
  private final class RecordingObserver: NSObject, NSKeyValueObserving {
    var received: [(path: String?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?)] = []

    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      received.append((keyPath, change, context))
    }
  }

  @Test func `observed key paths lead through relationships`() throws {
    let context = try Store.memory.library().viewContext
    let pages = context.make("Page", "page")
    let books = context.make("Book", "first", "second")
    let observer = RecordingObserver()
    pages[0].addObserver(observer, forKeyPath: "book.name", options: [.old, .new])
    pages[0].setValue(books[0], forKey: "book")
    books[0].setValue("renamed", forKey: "name")
    pages[0].setValue(books[1], forKey: "book")
    books[0].setValue("unheard", forKey: "name")
    #expect(observer.received.map { $0.change?[.oldKey] as? String } == [nil, "first", "renamed"])
    #expect(observer.received.map { $0.change?[.newKey] as? String } == ["first", "renamed", "second"])
    #expect(observer.received.first?.change?[.oldKey] is NSNull)
    #expect(observer.received.allSatisfy { $0.path == "book.name" && $0.change?[.kindKey] as? UInt == 1 })
    pages[0].removeObserver(observer, forKeyPath: "book.name")
    books[1].setValue("unheard", forKey: "name")
    #expect(observer.received.count == 3)
  }

  @Test func `the context pointer selects the observer to remove`() throws {
    let page = try Store.memory.library().viewContext.insert("Page")
    let observer = RecordingObserver()
    let (one, two) = (UnsafeMutableRawPointer(bitPattern: 1), UnsafeMutableRawPointer(bitPattern: 2))
    page.addObserver(observer, forKeyPath: "name", options: [], context: one)
    page.addObserver(observer, forKeyPath: "name", options: [], context: two)
    page.removeObserver(observer, forKeyPath: "name", context: one)
    page.setValue("a", forKey: "name")
    #expect(observer.received.map(\.context) == [two] && observer.received[0].change?.count == 1)
  }

  @Test func `an object can be observed after it leaves its context`() throws {
    let context = try Store.memory.library().viewContext
    let page = try #require(context.insert("Page", ["name": "one"]) as? Page)
    let log = Log()
    let observation = page.observe(\.name, options: .new) { _, change in log.lines.append(text(change)) }
    context.delete(page)
    try context.save()
    page.name = "gone"
    #expect(log.take() == [#"setting - > Optional("gone")"#])
    context.insert(page)
    page.name = "back"
    #expect(log.take() == [#"setting - > Optional("back")"#])
    withExtendedLifetime(observation) {}
  }
}
