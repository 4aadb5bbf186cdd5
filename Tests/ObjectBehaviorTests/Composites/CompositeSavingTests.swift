import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Saving composite attributes: validation, conflicts, uniqueness, history.
@MainActor @Suite struct CompositeSavingTests {
  private func model(_ change: (NSEntityDescription) -> Void) throws -> NSManagedObjectModel {
    let model = try #require(Jolts.model.copy() as? NSManagedObjectModel)
    change(try #require(model.entitiesByName["Jolt"]))
    return model
  }

  private func failure(of context: NSManagedObjectContext) throws -> (code: Int, key: String?) {
    do {
      try context.save()
      return (0, nil)
    } catch let error as CocoaError {
      return (error.code.rawValue, error.userInfo[NSValidationKeyErrorKey] as? String)
    }
  }

  @Test(arguments: Store.allCases)
  func `a save validates elements`(_ store: Store) throws {
    let context = try store.people(Jolts.model).viewContext
    let jolt = try #require(context.insert("Jolt") as? Jolt)
    // The elements of a nil composite attribute are not required.
    try context.save()
    jolt.epicenter = ["latitude": 1.0]
    #expect(try failure(of: context) == (NSValidationMissingMandatoryPropertyError, "epicenter.longitude"))
    jolt.epicenter = ["latitude": 1.0, "longitude": 2.0, "depth": -1.0]
    #expect(try failure(of: context) == (NSValidationNumberTooSmallError, "epicenter.depth"))
    jolt.setValue(1.0, forKeyPath: "epicenter.depth")
    jolt.setValue(1 << 40, forKeyPath: "magnitude.felt.by")
    #expect(try failure(of: context) == (NSValidationNumberTooLargeError, "magnitude.felt.by"))
    jolt.magnitude = nil
    try context.save()
    #expect(!jolt.hasChanges)
  }

  @Test(arguments: Store.allCases)
  func `a save validates composite attributes as a whole`(_ store: Store) throws {
    let model = try model { entity in
      entity.attributesByName["epicenter"]?.isOptional = false
      let rule = NSPredicate(format: "richter == nil OR richter < 11")
      entity.attributesByName["magnitude"]?.setValidationPredicates([rule], withValidationWarnings: ["no such quake"])
    }
    let context = try store.people(model).viewContext
    let jolt = try #require(context.insert("Jolt") as? Jolt)
    #expect(try failure(of: context) == (NSValidationMissingMandatoryPropertyError, "epicenter"))
    jolt.epicenter = ["latitude": 1.0, "longitude": 2.0]
    jolt.magnitude = ["richter": 12]
    #expect(try failure(of: context).key == "magnitude")
    jolt.magnitude = ["richter": 9]
    try context.save()
    #expect(throws: CocoaError.self) { try jolt.validateValue(forKey: "epicenter", nil) }
    #expect(throws: CocoaError.self) { try jolt.validateValue(forKey: "epicenter", ["latitude": 1.0]) }
    #expect(throws: CocoaError.self) { try jolt.validateValue(forKey: "epicenter", ["altitude": 1.0]) }
    #expect(throws: CocoaError.self) { try jolt.validateValue(forKey: "magnitude", ["richter": 11]) }
    #expect(throws: Never.self) { try jolt.validateValue(forKey: "epicenter", ["latitude": 1.0, "longitude": 0.0]) }
    #expect(throws: Never.self) { try jolt.validateValue(forKey: "magnitude", nil) }
  }

  @Test(arguments: Store.allCases)
  func `a conflict reports the composite attribute as a whole`(_ store: Store) throws {
    let container = try store.people(Jolts.model)
    let context = container.viewContext
    let jolt = try #require(context.insert("Jolt", ["magnitude": ["richter": 4.0]]) as? Jolt)
    try context.save()
    func saveElsewhere(_ value: Double) throws {
      let (other, id) = (container.newBackgroundContext(), jolt.objectID)
      try other.performAndWait {
        other.object(with: id).setValue(value, forKeyPath: "magnitude.richter")
        try other.save()
      }
    }
    try saveElsewhere(5)
    jolt.setValue("mb", forKeyPath: "magnitude.kind")
    let error = #expect(throws: CocoaError.self) { try context.save() }
    let conflict = try #require(error?.persistentStoreSaveConflicts?.first)
    #expect(conflict.objectSnapshot?["magnitude"] as? NSDictionary == ["richter": 4.0])
    #expect(conflict.cachedSnapshot?["magnitude"] as? NSDictionary == ["richter": 5.0])
    #expect(conflict.cachedSnapshot?["epicenter"] is NSNull)
    // Elements are merged individually.
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try context.save()
    #expect(jolt.magnitude as NSDictionary? == ["richter": 5.0, "kind": "mb"])
  }

  @Test(arguments: Store.allCases)
  func `uniqueness constraints can name elements`(_ store: Store) throws {
    let model = try model { entity in
      let magnitude = entity.attributesByName["magnitude"] as? NSCompositeAttributeDescription
      entity.uniquenessConstraints = [["magnitude.richter", magnitude?.elements.first { $0.name == "kind" } ?? ""]]
    }
    let context = try store.people(model).viewContext
    _ = context.insert("Jolt", ["code": "a", "magnitude": ["richter": 4.0, "kind": "mw"]])
    try context.save()
    _ = context.insert("Jolt", ["code": "b", "magnitude": ["richter": 4.0, "kind": "ml"]])
    try context.save()
    _ = context.insert("Jolt", ["code": "c", "magnitude": ["richter": 4.0, "kind": "ml"]])
    let error = #expect(throws: CocoaError.self) { try context.save() }
    #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try context.save()
    #expect(try context.fetch("Jolt").compactMap { $0.text("code") }.sorted() == ["a", "c"])
  }

  @Test func `history reports the composite attribute as a whole`() throws {
    let model = try model { $0.attributesByName["magnitude"]?.preservesValueInHistoryOnDeletion = true }
    let container = NSPersistentContainer(name: "Jolts", managedObjectModel: model)
    let description = NSPersistentStoreDescription(
      url: try TemporaryFolder.make().appendingPathComponent("Jolts.sqlite"))
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    try container.load()
    let context = container.viewContext
    let jolt = try #require(context.insert("Jolt", ["magnitude": ["richter": 4.0, "felt": ["by": 3]]]) as? Jolt)
    try context.save()
    jolt.setValue(5.0, forKeyPath: "magnitude.richter")
    jolt.code = "a"
    try context.save()
    context.delete(jolt)
    try context.save()
    let changes = try container.transactions(.fetchHistory(after: Date.distantPast)).flatMap { $0.changes ?? [] }
    #expect(changes.map { $0.updatedProperties.map { Set($0.map(\.name)) } } == [nil, ["code", "magnitude"], nil])
    #expect(changes[2].tombstone as NSDictionary? == ["magnitude": ["richter": 5.0, "felt": ["by": 3]]])
  }
}

extension NSManagedObject {
  fileprivate func validateValue(forKey key: String, _ value: NSObject?) throws {
    var pointed: AnyObject? = value
    try validateValue(&pointed, forKey: key)
  }

  fileprivate func validateValue(forKey key: String, _ values: [String: Any]) throws {
    try validateValue(forKey: key, values as NSDictionary)
  }
}
