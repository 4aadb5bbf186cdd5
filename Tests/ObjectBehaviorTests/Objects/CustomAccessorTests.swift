import CoreData
import Foundation
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// Accessors that a class implements itself for properties of the model.
@Suite struct CustomAccessorTests {
  private static let model = makeModel(
    makeEntity(
      "Entry", of: DiaryEntry.self,
      [
        attribute("time", .date), attribute("month", transient: true), attribute("title"), attribute("grade"),
        attribute("mood", .integer16), attribute("place"),
      ]), makeEntity("Page")
  ).relate("Page", "entries", .many, "Entry", "page", .one)

  private func context(_ store: Store) throws -> NSManagedObjectContext {
    let context = try store.container(of: Self.model).newBackgroundContext()
    try context.performAndWait {
      let page = context.insert("Page", [:])
      for (number, title) in ["b", "a", "c"].enumerated() {
        let entry = context.insert(
          "Entry", ["time": Date(timeIntervalSinceReferenceDate: Double(number) * 86_400 * 20)])
        entry.setPrimitiveValue(title, forKey: "title")
        entry.setValue(page, forKey: "page")
      }
      try context.save()
      context.reset()
    }
    return context
  }

  private func entries(_ context: NSManagedObjectContext) throws -> [DiaryEntry] {
    let request = NSFetchRequest<DiaryEntry>(entityName: "Entry")
    request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: true)]
    return try context.fetch(request)
  }

  @Test(arguments: Store.allCases)
  func `key-value coding calls the getter and the setter of the class`(_ store: Store) throws {
    let context = try context(store)
    try context.performAndWait {
      let entries = try entries(context)
      #expect(entries.map { $0.value(forKey: "month") as? String } == ["2001-1", "2001-1", "2001-2"])
      #expect(entries.map { $0.value(forKey: "title") as? String } == ["B", "A", "C"])
      #expect(entries[0].primitiveValue(forKey: "title") as? String == "b")
      let page = try #require(entries[0].value(forKey: "page") as? NSManagedObject)
      let titles = page.value(forKeyPath: "entries.title") as? Set<String>
      #expect(titles == ["A", "B", "C"])
      entries[0].setValue(" new ", forKey: "title")
      #expect(entries[0].primitiveValue(forKey: "title") as? String == "new")
      entries[1].setValue(nil, forKey: "title")
      #expect(entries[1].primitiveValue(forKey: "title") == nil)
    }
  }

  @Test func `predicates in memory call the getter, and a fetch compares stored values`() throws {
    let context = try context(.sqlite)
    try context.performAndWait {
      let entries = try entries(context)
      #expect(entries.filter { NSPredicate(format: "title == 'A'").evaluate(with: $0) } == [entries[1]])
      let page = try #require(entries[0].value(forKey: "page") as? NSManagedObject)
      #expect(NSPredicate(format: "ANY entries.month == '2001-2'").evaluate(with: page))
      #expect(NSSortDescriptor(key: "title", ascending: true).compare(entries[0], to: entries[1]) == .orderedDescending)
      entries[2].setPrimitiveValue("a", forKey: "title")
      entries[2].setValue(3, forKey: "mood")
      #expect(try context.fetch("Entry", "title == 'a'").count == 2)
      #expect(try context.fetch("Entry", "title == 'A'").isEmpty)
    }
  }

  @Test func `a transient property with a getter names the sections of a controller`() throws {
    let context = try context(.sqlite)
    try context.performAndWait {
      let request = NSFetchRequest<DiaryEntry>(entityName: "Entry")
      request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: true)]
      for (key, names) in [("month", ["2001-1", "2001-2"]), ("title", ["B", "A", "C"])] {
        let controller = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: key, cacheName: nil)
        try controller.performFetch()
        #expect(controller.sections?.map(\.name) == names)
      }
    }
  }

  @Test func `a property that uses key-value coding for its own key is not an accessor`() throws {
    let context = try context(.sqlite)
    try context.performAndWait {
      let entry = try #require(try entries(context).first)
      entry.mood = 4
      #expect(entry.mood == 5 && entry.value(forKey: "mood") as? Int == 4)
      #expect(entry.primitiveValue(forKey: "mood") as? Int == 4)
    }
  }

  @Test func `a non-optional accessor can be set to nil and be observed`() throws {
    let context = try context(.sqlite)
    try context.performAndWait {
      let entry = try #require(try entries(context).first)
      #expect(entry.value(forKey: "place") as? String == "none")
      let seen = Mutex<[String?]>([])
      let observation = entry.observe(\.place) { entry, _ in
        let place = entry.value(forKey: "place") as? String
        seen.withLock { $0.append(place) }
      }
      entry.setValue("home", forKey: "place")
      entry.setValue(nil, forKey: "place")
      withExtendedLifetime(observation) {}
      #expect(seen.withLock { $0 } == ["at home", "none"])
      #expect(entry.primitiveValue(forKey: "place") == nil)
    }
  }

  @Test func `a property with a type unknown to Objective-C is not an accessor`() throws {
    let context = try context(.sqlite)
    try context.performAndWait {
      let entry = try #require(try entries(context).first)
      entry.setValue("good", forKey: "grade")
      #expect(entry.grade == .good && entry.value(forKey: "grade") as? String == "good")
    }
  }

  @Test func `moving a store keeps stored values`() throws {
    let context = try context(.sqlite)
    let coordinator = try #require(context.persistentStoreCoordinator)
    let url = try TemporaryFolder.make().appendingPathComponent("Copy.xml")
    try coordinator.migratePersistentStore(coordinator.persistentStores[0], to: url, type: .xml)
    try context.performAndWait {
      let titles = try entries(context).map { $0.primitiveValue(forKey: "title") as? String }
      #expect(titles == ["b", "a", "c"])
    }
  }
}

/// A class that computes section titles from dates, as in Apple's sample.
final class DiaryEntry: NSManagedObject {
  @NSManaged var time: Date?

  enum Grade: String { case good, bad }

  var month: String? {
    willAccessValue(forKey: "month")
    let known = primitiveValue(forKey: "month") as? String
    didAccessValue(forKey: "month")
    if let known { return known }
    guard let time else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month], from: time)
    let month = "\(parts.year ?? 0)-\(parts.month ?? 0)"
    setPrimitiveValue(month, forKey: "month")
    return month
  }

  var title: String? {
    get { (primitiveValue(forKey: "title") as? String)?.uppercased() }
    set {
      willChangeValue(forKey: "title")
      setPrimitiveValue(newValue?.trimmingCharacters(in: .whitespaces), forKey: "title")
      didChangeValue(forKey: "title")
    }
  }

  var place: String {
    get { (primitiveValue(forKey: "place") as? String).map { "at \($0)" } ?? "none" }
    set {
      willChangeValue(forKey: "place")
      setPrimitiveValue(newValue, forKey: "place")
      didChangeValue(forKey: "place")
    }
  }

  var grade: Grade? { (value(forKey: "grade") as? String).flatMap(Grade.init) }

  var mood: Int16 {
    get { (value(forKey: "mood") as? Int16 ?? 0) + 1 }
    set { setValue(newValue, forKey: "mood") }
  }
}
