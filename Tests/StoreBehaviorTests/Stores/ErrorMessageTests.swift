import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Errors that name the mistake where the usual text would be misleading.
@MainActor @Suite struct ErrorMessageTests {
  @Test(arguments: Store.allCases)
  func `the error for a temporary ID of another context names the cause`(_ store: Store) throws {
    let container = try store.container()
    let tag = container.viewContext.insert("Tag")
    let (other, child) = (container.newBackgroundContext(), NSManagedObjectContext(.privateQueue))
    child.parent = other
    for context in [other, child] {
      let error = try #require(throws: CocoaError.self) {
        try context.performAndWait { _ = try context.existingObject(with: tag.objectID) }
      }
      #expect(error.code.rawValue == NSManagedObjectReferentialIntegrityError)
      #expect(error.localizedDescription.contains("temporary"))
      #expect(error.localizedDescription.contains("obtainPermanentIDs(for:)"))
    }
    try container.viewContext.obtainPermanentIDs(for: [tag])
    try container.viewContext.save()
    try other.performAndWait { _ = try other.existingObject(with: tag.objectID) }
  }

  @Test func `the error for a save without a store names the cause`() throws {
    let context = NSPersistentStoreCoordinator(managedObjectModel: Quakes.model).context()
    _ = context.insert("Tag")
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code.rawValue == 134020)
    #expect(
      error.localizedDescription.hasPrefix(
        "This NSPersistentStoreCoordinator has no persistent stores. It cannot perform a save operation."))
  }

  @Test func `the error for a transformable value names the transformer and its classes`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let attribute = attribute("color", .transformable)
      attribute.valueTransformerName = "NSSecureUnarchiveFromData"
      let model = makeModel(makeEntity("Paint", [attribute]))
      NSManagedObject(entity: model.entities[0], insertInto: nil).setValue(NSObject(), forKey: "color")
    }
    let text = result.errorText
    let classes = "NSArray, NSDictionary, NSSet, NSString, NSNumber"
    #expect(text.contains("property = \"color\"; desired type = \(classes)"), "\(text)")
    #expect(text.contains("given type = NSObject") && text.contains("'NSSecureUnarchiveFromData'"), "\(text)")
  }

  @Test func `the error for a transformable value names the class of the attribute`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let attribute = attribute("color", .transformable)
      attribute.attributeValueClassName = "NSURL"
      let model = makeModel(makeEntity("Paint", [attribute]))
      NSManagedObject(entity: model.entities[0], insertInto: nil).setValue(NSNumber(value: 5), forKey: "color")
    }
    let text = result.errorText
    #expect(text.contains("desired type = NSURL; given type = NSNumber; value = 5."), "\(text)")
    #expect(text.contains("NSSecureUnarchiveFromDataTransformer"), "\(text)")
  }
}
