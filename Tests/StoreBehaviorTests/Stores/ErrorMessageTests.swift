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

  private func count(_ part: String, in error: CocoaError) -> Int { "\(error)".split(separator: part).count - 1 }

  @Test func `a printed conflict says its sentence once`() throws {
    let coordinator = try Store.memory.coordinator()
    let (mine, other) = (coordinator.context(), coordinator.context())
    let person = mine.insert("Person", ["email": "a@x"])
    try mine.save()
    try other.existingObject(with: person.objectID).setValue("theirs", forKey: "name")
    try other.save()
    person.setValue("mine", forKey: "name")
    let error = try #require(throws: CocoaError.self) { try mine.save() }
    let start = "Error Domain=NSCocoaErrorDomain Code=133020 \"\(error.localizedDescription)\" UserInfo={"
    #expect("\(error)".hasPrefix(start), "\(error)")
    #expect(count("was changed by others", in: error) == 1, "\(error)")
    #expect(error.localizedDescription.contains("'Person' \(person.objectID.uriRepresentation())"))
    mine.rollback()
    _ = mine.insert("Person", ["email": "a@x"])
    let repeated = try #require(throws: CocoaError.self) { try mine.save() }
    #expect(repeated.code == .managedObjectConstraintMerge)
    #expect(count("Values must be unique", in: repeated) == 1, "\(repeated)")
    #expect("\(repeated)".contains("Person (email: \"a@x\")"), "\(repeated)")
  }

  @Test func `printed validation errors name the objects, and say each sentence once`() throws {
    let attributes = [attribute("title", optional: false), attribute("text", optional: false)]
    let model = makeModel(makeEntity("Note", attributes))
    let context = NSPersistentStoreCoordinator(managedObjectModel: model).context()
    try context.persistentStoreCoordinator?.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
    let note = context.insert("Note")
    let several = try #require(throws: CocoaError.self) { try context.save() }
    #expect(several.localizedDescription == "Multiple validation errors occurred.")
    for name in ["title", "text"] {
      #expect(count("A new 'Note': \(name) is a required value.", in: several) == 1, "\(several)")
    }
    #expect((several.userInfo[NSDetailedErrorsKey] as? NSArray)?.count == 2)
    note.setValue("a", forKey: "title")
    let one = try #require(throws: CocoaError.self) { try context.save() }
    #expect(one.localizedDescription == "text is a required value.")
    #expect(count("text is a required value.", in: one) == 1 && count("A new 'Note': ", in: one) == 1, "\(one)")
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
