import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Subclasses created as on Apple's systems, and rarely used parts of the API.
@MainActor @Suite struct AppleInitializerTests {
  @Test func `value transformers can have their own initializers`() throws {
    let name = NSValueTransformerName("Scaling-\(UUID().uuidString)")
    ValueTransformer.setValueTransformer(Scaling(by: 3), forName: name)
    #expect(ValueTransformer(forName: name)?.transformedValue(2) as? Int == 6)
    let found = ValueTransformer(forName: NSValueTransformerName(NSStringFromClass(Prefixing.self)))
    #expect(found?.transformedValue("a") as? String == "made a")
  }

  @Test func `programs can create conflicts`() throws {
    let empty = NSConstraintConflict()
    #expect(empty.constraint.isEmpty && empty.conflictingObjects.isEmpty && empty.databaseObject == nil)
    let context = try Store.memory.coordinator().context()
    let person = context.insert("Person", ["email": "a"])
    let own = OwnConflict(of: person)
    #expect(own.constraintValues["email"] as? String == "a" && own.note == "own")
    let merge = NSMergeConflict(
      source: person, newVersion: 2, oldVersion: 1, cachedSnapshot: ["email": "b"], persistedSnapshot: nil)
    #expect(merge.sourceObject === person && merge.newVersionNumber == 2 && merge.oldVersionNumber == 1)
  }

  @Test(arguments: Store.allCases)
  func `a mutable set at a key path can be changed`(_ store: Store) throws {
    let context = try store.coordinator().context()
    let (team, person, other) = (context.insert("Team"), context.insert("Person"), context.insert("Person"))
    person.setValue(team, forKey: "team")
    let members = person.mutableSetValue(forKeyPath: "team.members")
    members.add(other)
    #expect(team.set("members") == [person, other] && other.object("team") === team)
    #expect(team.mutableSetValue(forKeyPath: "members").count == 2)
    other.setValue(nil, forKey: "team")
    #expect(other.mutableSetValue(forKeyPath: "team.members").count == 0 && members.count == 1)
  }

  @Test(arguments: Store.allCases)
  func `a mutable ordered set at a key path can be changed`(_ store: Store) throws {
    let context = try store.people(Albums.model).viewContext
    let (album, songs) = (context.insert("Album"), (0..<3).map { _ in context.insert("Track") })
    album.mutableOrderedSetValue(forKeyPath: "tracks").addObjects(from: songs)
    let order = songs[0].mutableOrderedSetValue(forKeyPath: "album.tracks")
    order.moveObjects(at: [2], to: 0)
    #expect(
      (album.value(forKey: "tracks") as? NSOrderedSet)?.array as? [NSManagedObject] == [songs[2], songs[0], songs[1]])
  }

  @Test func `sort descriptors convert between Foundation and Swift`() throws {
    let context = try Store.memory.coordinator().context()
    let people = ["b", "c", "a"].map { context.insert("Person", ["name": $0]) }
    for isAscending in [true, false] {
      let given = NSSortDescriptor(key: "name", ascending: isAscending)
      let descriptor = try #require(SortDescriptor(given, comparing: NSManagedObject.self))
      #expect(descriptor.order == (isAscending ? .forward : .reverse))
      let names = people.sorted(using: descriptor).compactMap { $0.text("name") }
      #expect(names == (isAscending ? ["a", "b", "c"] : ["c", "b", "a"]))
      #expect(NSSortDescriptor(descriptor) == given)
      #expect(descriptor == SortDescriptor(given, comparing: NSManagedObject.self))
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.sortDescriptors = [NSSortDescriptor(descriptor)]
      #expect(try context.fetch(request).compactMap { $0.text("name") } == names)
    }
    let localized = NSSortDescriptor(key: "name", ascending: true, selector: "localizedStandardCompare:")
    let swift = try #require(SortDescriptor(localized, comparing: NSManagedObject.self))
    #expect(NSSortDescriptor(swift).selector == localized.selector)
    #expect(SortDescriptor(NSSortDescriptor(key: nil, ascending: true), comparing: NSManagedObject.self) == nil)
    let closure = NSSortDescriptor(key: "name", ascending: true) { _, _ in .orderedSame }
    #expect(SortDescriptor(closure, comparing: NSManagedObject.self) == nil)
    let mood = NSSortDescriptor(key: "name", ascending: true, selector: "compareByMood:")
    #expect(SortDescriptor(mood, comparing: NSManagedObject.self) == nil)
  }

  @Test func `errors contain the SQLite error code`() throws {
    let file = try TemporaryFolder.make().appendingPathComponent("Text.sqlite")
    try Data(repeating: 65, count: 4_096).write(to: file)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: People.model)
    let error = #expect(throws: CocoaError.self) {
      try coordinator.addPersistentStore(type: .sqlite, configuration: nil, at: file, options: nil)
    }
    #expect(NSSQLiteErrorDomain == "NSSQLiteErrorDomain")
    #expect((error?.userInfo[NSSQLiteErrorDomain] as? NSNumber)?.intValue == 26)
  }
}

private final class Scaling: ValueTransformer {
  private let factor: Int
  init(by factor: Int) {
    self.factor = factor
    super.init()
  }
  override func transformedValue(_ value: Any?) -> Any? { (value as? Int).map { $0 * factor } }
}

final class Prefixing: ValueTransformer {
  private let prefix: String
  override init() {
    prefix = "made "
    super.init()
  }
  override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { prefix + $0 } }
}

private final class OwnConflict: NSConstraintConflict {
  let note = "own"
  init(of object: NSManagedObject) {
    super.init(
      constraint: ["email"], database: nil, databaseSnapshot: nil, conflicting: [object], conflictingSnapshots: [])
  }
}
