import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

@MainActor @Suite struct BatchInsertTests {
  @Test(arguments: Store.allCases)
  func `dictionaries become rows, with defaults for missing values`(in store: Store) throws {
    let context = try store.container().viewContext
    let uuid = UUID()
    let request = NSBatchInsertRequest(
      entityName: "Quake",
      objects: [
        [
          "code": "a", "magnitude": 5.5, "place": "Örebro", "time": Date(timeIntervalSinceReferenceDate: 9), "felt": 3,
          "reviewed": true, "wave": Data([1, 2]), "uuid": uuid, "page": URL(string: "https://quakes.org/a") as Any,
          "cost": Decimal(string: "1.50") as Any,
        ], ["magnitude": NSNumber(value: 1), "place": NSNull()],
      ])
    request.resultType = .count
    let result = try #require(try context.execute(request) as? NSBatchInsertResult)
    #expect(result.result as? Int == 2)
    #expect(result.resultType == .count)
    let quakes = try context.fetch("Quake", sort: [NSSortDescriptor(key: "magnitude", ascending: false)])
    let first = try #require(quakes.first)
    #expect(first.value(forKey: "code") as? String == "a")
    #expect(first.value(forKey: "place") as? String == "Örebro")
    #expect(first.value(forKey: "time") as? Date == Date(timeIntervalSinceReferenceDate: 9))
    #expect(first.value(forKey: "felt") as? Int == 3)
    #expect(first.value(forKey: "reviewed") as? Bool == true)
    #expect(first.value(forKey: "wave") as? Data == Data([1, 2]))
    #expect(first.value(forKey: "uuid") as? UUID == uuid)
    #expect(first.value(forKey: "page") as? URL == URL(string: "https://quakes.org/a"))
    #expect(first.value(forKey: "cost") as? Decimal == Decimal(string: "1.5"))
    #expect(quakes.last?.value(forKey: "code") as? String == "?")
    #expect(quakes.last?.value(forKey: "place") == nil)
  }

  @Test(arguments: Store.allCases)
  func `a handler fills the same dictionary until it returns true`(in store: Store) throws {
    let context = try store.container().viewContext
    var count = 0
    var seen: Set<ObjectIdentifier> = []
    let request = NSBatchInsertRequest(entity: context.entity("Quake")) { (row: NSMutableDictionary) in
      seen.insert(ObjectIdentifier(row))
      #expect(row.count == 0)
      row["code"] = "q\(count)"
      row["magnitude"] = Double(count)
      count += 1
      return count > 600
    }
    request.resultType = .objectIDs
    let result = try #require(try context.execute(request) as? NSBatchInsertResult)
    let ids = try #require(result.result as? [NSManagedObjectID])
    #expect(ids.count == 600)
    #expect(seen.count == 1)
    #expect(try context.existingObject(with: ids[599]).value(forKey: "code") as? String == "q599")
    #expect(try context.fetch("Quake").count == 600)
  }

  @Test(arguments: Store.allCases)
  func `a handler fills the same object until it returns true`(in store: Store) throws {
    let context = try store.container().viewContext
    var count = 0
    var seen: Set<ObjectIdentifier> = []
    let request = NSBatchInsertRequest(entityName: "Quake") { (quake: NSManagedObject) in
      seen.insert(ObjectIdentifier(quake))
      #expect(quake.managedObjectContext == nil)
      #expect(quake.value(forKey: "code") as? String == "?")
      #expect(quake.value(forKey: "place") == nil)
      quake.setValue("q\(count)", forKey: "code")
      if count % 2 == 0 { quake.setValue("place \(count)", forKey: "place") }
      count += 1
      return count > 600
    }
    let result = try #require(try context.execute(request) as? NSBatchInsertResult)
    #expect(result.result as? Bool == true)
    #expect(seen.count == 1)
    #expect(context.registeredObjects.isEmpty)
    let quakes = try context.fetch("Quake", "place != nil", sort: [NSSortDescriptor(key: "code", ascending: true)])
    #expect(quakes.count == 300)
    #expect(quakes.first?.value(forKey: "place") as? String == "place 0")
  }

  @Test(arguments: Store.allCases)
  func `an invalid value cancels the whole batch insert`(in store: Store) throws {
    let context = try store.container().viewContext
    var rows: [[String: Any]] = (0..<700).map { ["code": "q\($0)"] }
    rows[650]["magnitude"] = "strong"
    let error = #expect(throws: CocoaError.self) {
      try context.execute(NSBatchInsertRequest(entityName: "Quake", objects: rows))
    }
    #expect(error?.code.rawValue == 134091)
    #expect(error?.localizedDescription.contains("Row 650") == true)
    #expect(error?.localizedDescription.contains("'magnitude'") == true)
    #expect(try context.fetch("Quake").isEmpty)
  }

  @Test(arguments: Store.allCases, ["color", "region", "tags"])
  func `a key that is not an attribute is refused`(in store: Store, key: String) throws {
    let context = try store.container().viewContext
    let error = #expect(throws: CocoaError.self) {
      try context.execute(NSBatchInsertRequest(entityName: "Quake", objects: [["code": "a", key: "b"]]))
    }
    #expect(error?.localizedDescription.contains("'\(key)'") == true)
  }

  @Test(arguments: Store.allCases)
  func `object trump overwrites the given values of stored rows`(in store: Store) throws {
    let context = try store.coordinator().context()
    let (ada, team) = try context.ada()
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let ids = try context.insert([["email": "ada@x", "name": "Countess"], ["email": "bob@x", "name": "Bob"]])
    #expect(ids.count == 2)
    #expect(ids.contains(ada.objectID))
    context.refreshAllObjects()
    #expect(ada.text("name") == "Countess")
    #expect(ada.text("note") == "first")
    #expect(ada.object("team") == team)
    #expect(try context.fetch("Person").count == 2)
  }

  @Test(arguments: Store.allCases)
  func `object trump applies two rows to one stored row in order`(in store: Store) throws {
    let context = try store.coordinator().context()
    let (ada, _) = try context.ada()
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    _ = try context.insert([["email": "ada@x", "name": "Countess"], ["email": "ada@x", "note": "second"]])
    context.refreshAllObjects()
    #expect(ada.text("name") == "Countess")
    #expect(ada.text("note") == "second")
  }

  @Test(arguments: Store.allCases)
  func `overwrite resets other values of stored rows to their defaults`(in store: Store) throws {
    let context = try store.coordinator().context()
    let (ada, team) = try context.ada()
    context.mergePolicy = NSMergePolicy.overwrite
    _ = try context.insert([["email": "ada@x", "name": "Countess"]])
    context.refreshAllObjects()
    #expect(ada.text("name") == "Countess")
    #expect(ada.text("note") == nil)
    #expect(ada.object("team") == team)
  }

  @Test(arguments: Store.allCases, [NSMergePolicy.mergeByPropertyStoreTrump, .rollback].map(\.mergeType.rawValue))
  func `store trump and rollback keep stored rows`(in store: Store, policy: UInt) throws {
    let context = try store.coordinator().context()
    let (ada, _) = try context.ada()
    context.mergePolicy = NSMergePolicy(merge: try #require(NSMergePolicyType(rawValue: policy)))
    let ids = try context.insert([["email": "ada@x", "name": "Countess"], ["email": "bob@x", "name": "Bob"]])
    #expect(ids.count == 1)
    context.refreshAllObjects()
    #expect(ada.text("name") == "Ada")
    #expect(try context.fetch("Person").count == 2)
  }

  @Test(arguments: Store.allCases)
  func `the error policy fails and inserts nothing`(in store: Store) throws {
    let context = try store.coordinator().context()
    _ = try context.ada()
    let error = #expect(throws: CocoaError.self) {
      try context.insert([["email": "bob@x"], ["email": "ada@x", "name": "Countess"]])
    }
    #expect(error?.code.rawValue == 133021)
    #expect(try context.fetch("Person").count == 1)
  }

  @Test(arguments: Store.allCases)
  func `object trump merges rows of one request with equal unique values`(in store: Store) throws {
    let context = try store.coordinator().context()
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let ids = try context.insert([
      ["email": "a", "name": "A"], ["email": "a", "note": "n"], ["email": nil as String? as Any],
    ])
    #expect(ids.count == 2)
    let people = try context.fetch("Person", "email == 'a'")
    #expect(people.count == 1)
    #expect(people.first?.text("name") == "A")
    #expect(people.first?.text("note") == "n")
  }

  @Test(arguments: Store.allCases)
  func `a batch insert into an unknown entity is refused`(in store: Store) throws {
    let context = try store.container().viewContext
    #expect(throws: CocoaError.self) { try context.execute(NSBatchInsertRequest(entityName: "Volcano", objects: [])) }
  }
}

extension NSManagedObjectContext {
  func entity(_ name: String) -> NSEntityDescription {
    guard let entity = NSEntityDescription.entity(forEntityName: name, in: self) else { fatalError(name) }
    return entity
  }

  /// A saved person in a team.
  fileprivate func ada() throws -> (NSManagedObject, NSManagedObject) {
    let team = insert("Team", ["name": "Engines"])
    let ada = insert("Manager", ["email": "ada@x", "name": "Ada", "note": "first", "team": team])
    try save()
    return (ada, team)
  }

  fileprivate func insert(_ rows: [[String: Any]]) throws -> [NSManagedObjectID] {
    let request = NSBatchInsertRequest(entityName: "Person", objects: rows)
    request.resultType = .objectIDs
    return ((try execute(request) as? NSBatchInsertResult)?.result as? [NSManagedObjectID]) ?? []
  }
}
