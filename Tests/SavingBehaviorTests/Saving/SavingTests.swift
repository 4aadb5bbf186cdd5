import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

@MainActor @Suite struct SavingTests {
  @Test(arguments: Store.every)
  func `every kind of value is saved and read back`(_ store: Store) throws {
    let container = try store.container()
    let context = container.viewContext
    let values: [String: Any] = [
      "code": "us1", "magnitude": 6.25, "place": "Tonga – ʻEua 東", "time": Date(timeIntervalSinceReferenceDate: 1.5),
      "felt": 12, "reviewed": true, "wave": Data([0, 1, 255]), "uuid": UUID(),
      "page": URL(string: "https://example.org/a?b=c")!, "cost": NSDecimalNumber(string: "10.11"),
    ]
    let saved = context.insert("Quake", values)
    try context.save()

    let other = container.newBackgroundContext()
    try other.performAndWait {
      let quake = try other.existingObject(with: saved.objectID)
      for (key, value) in values {
        let read = try #require(quake.value(forKey: key) as? NSObject)
        #expect(read.isEqual(value), "\(key): \(read) is not \(value)")
      }
      #expect(quake.value(forKey: "felt") as? Int32 == 12)
      #expect(quake.value(forKey: "magnitude") as? Double == 6.25)
    }
  }

  @Test(arguments: Store.every)
  func `a save makes temporary IDs permanent`(_ store: Store) throws {
    let context = try store.container().viewContext
    let quake = context.insert("Quake")
    let temporary = quake.objectID
    #expect(temporary.isTemporaryID && temporary.persistentStore == nil)
    try context.save()
    #expect(!quake.objectID.isTemporaryID)
    #expect(quake.objectID != temporary)
    #expect(context.registeredObject(for: quake.objectID) === quake)
    #expect(quake.objectID.uriRepresentation().absoluteString.hasSuffix("/Quake/p1"))
  }

  @Test(arguments: Store.every)
  func `an inserted object can obtain a permanent ID before its save`(_ store: Store) throws {
    let context = try store.container().viewContext
    let quake = context.insert("Quake")
    let region = context.insert("Region")
    quake.setValue(region, forKey: "region")
    try context.obtainPermanentIDs(for: [quake, region])
    #expect(!quake.objectID.isTemporaryID && quake.isInserted)
    let id = quake.objectID
    try context.save()
    #expect(quake.objectID == id)
    context.reset()
    let again = try #require(try context.fetch("Quake").first)
    #expect((again.value(forKey: "region") as? NSManagedObject)?.objectID == region.objectID)
  }

  @Test(arguments: Store.every)
  func `updates and deletions are saved`(_ store: Store) throws {
    let container = try store.container()
    let context = container.viewContext
    let first = context.insert("Quake", ["code": "a", "magnitude": 1.0])
    let second = context.insert("Quake", ["code": "b"])
    try context.save()
    first.setValue(2.0, forKey: "magnitude")
    first.setValue(nil, forKey: "place")
    context.delete(second)
    #expect(context.hasChanges && first.isUpdated && second.isDeleted)
    try context.save()
    #expect(!context.hasChanges && second.managedObjectContext == nil)
    context.reset()
    let left = try context.fetch("Quake")
    #expect(left.map { $0.value(forKey: "code") as? String } == ["a"])
    #expect(left.first?.value(forKey: "magnitude") as? Double == 2.0)
  }

  @Test(arguments: Store.every)
  func `changing an outdated object is a conflict`(_ store: Store) throws {
    let container = try store.container()
    let mine = container.viewContext
    let quake = mine.insert("Quake", ["code": "a"])
    try mine.save()
    let other = container.newBackgroundContext()
    try other.performAndWait {
      try other.existingObject(with: quake.objectID).setValue("other", forKey: "place")
      try other.save()
    }
    quake.setValue("mine", forKey: "place")
    let error = #expect(throws: CocoaError.self) { try mine.save() }
    #expect(error?.code.rawValue == NSManagedObjectMergeError)
    #expect(quake.isUpdated && quake.value(forKey: "place") as? String == "mine")
    mine.refresh(quake, mergeChanges: true)
    try mine.save()
    #expect(quake.value(forKey: "place") as? String == "mine")
  }

  @Test(arguments: Store.every)
  func `a save without a required value fails`(_ store: Store) throws {
    let context = try store.container().viewContext
    let quake = context.insert("Quake", ["code": "a"])
    quake.setValue(nil, forKey: "code")
    let error = #expect(throws: CocoaError.self) { try context.save() }
    #expect(error?.code.rawValue == NSValidationMissingMandatoryPropertyError)
    #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "code")
    #expect(error?.userInfo[NSLocalizedDescriptionKey] as? String == "code is a required value.")
    #expect(quake.isInserted)
  }

  /// Changes of other contexts appear only after a refresh.
  @Test(arguments: Store.every)
  func `rollback does not read the store`(_ store: Store) throws {
    let container = try store.container()
    let context = container.viewContext
    let quake = context.insert("Quake", ["code": "a", "place": "first"])
    try context.save()
    let other = container.newBackgroundContext()
    try other.performAndWait {
      try other.existingObject(with: quake.objectID).setValue("theirs", forKey: "place")
      try other.save()
    }
    quake.setValue("mine", forKey: "place")
    context.rollback()
    #expect(quake.value(forKey: "place") as? String == "first" && !context.hasChanges && !quake.isFault)
    context.refresh(quake, mergeChanges: false)
    #expect(quake.value(forKey: "place") as? String == "theirs")
  }

  @Test(arguments: Store.every)
  func `rollback restores the stored values`(_ store: Store) throws {
    let context = try store.container().viewContext
    let region = context.insert("Region", ["name": "Tonga"])
    let quake = context.insert("Quake", ["code": "a", "region": region])
    try context.save()
    quake.setValue("b", forKey: "code")
    quake.setValue(nil, forKey: "region")
    let extra = context.insert("Quake")
    context.delete(region)
    context.rollback()
    #expect(!context.hasChanges)
    #expect(quake.value(forKey: "code") as? String == "a")
    #expect(quake.value(forKey: "region") as? NSManagedObject === region)
    #expect((region.value(forKey: "quakes") as? Set<NSManagedObject>) == [quake])
    #expect(extra.managedObjectContext == nil)
  }
}
