import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Faults that cannot be read. Apple's framework ends the process; this one reports the failure.
@MainActor @Suite struct UnreadableFaultTests {
  private let library: UnreachableLibrary
  private let context: NSManagedObjectContext
  private let book: Book
  private let ada: NSManagedObject

  /// A book with two pages and a tag; Ada with a child and a passport. All are faults.
  init() throws {
    library = try UnreachableLibrary()
    let writer = library.context
    let book = writer.make("Book", "B")[0]
    for page in writer.make("Page", "1", "2") { page.setValue(book, forKey: "book") }
    book.mutableOrderedSetValue(forKey: "pages").sort(using: [NSSortDescriptor(key: "name", ascending: true)])
    book.setValue(NSSet(array: writer.make("Tag", "T")), forKey: "tags")
    let ada = writer.insert("Person", ["name": "Ada", "passport": writer.make("Passport", "P")[0]])
    ada.setValue(NSSet(array: writer.make("Person", "Byron")), forKey: "children")
    try writer.save()
    context = library.reader()
    self.book = try #require(context.object(with: book.objectID) as? Book)
    self.ada = context.object(with: ada.objectID)
  }

  @Test func `a read without the store returns nothing and leaves a fault`() throws {
    library.disconnect()
    #expect(ada.value(forKey: "name") == nil && ada.value(forKey: "passport") == nil)
    #expect((ada.value(forKey: "children") as? NSSet)?.count == 0)
    #expect(book.tags?.count == 0 && book.pages?.count == 0 && book.mutableSetValue(forKey: "tags").count == 0)
    #expect(ada.isFault && book.hasFault(forRelationshipNamed: "tags") && book.hasFault(forRelationshipNamed: "pages"))
    #expect(!ada.isDeleted && !ada.hasChanges && !context.hasChanges && ada.managedObjectContext === context)
    #expect(ada.objectIDs(forRelationshipNamed: "passport").isEmpty && ada.committedValues(forKeys: nil).isEmpty)
    library.reconnect()
    #expect(ada.called == "Ada" && ada.oneName("passport") == "P" && ada.names("children") == ["Byron"])
    #expect(book.names("pages") == ["1", "2"] && book.names("tags") == ["T"])
  }

  @Test func `a context that failed to read rejects saves and reports the reason`() throws {
    library.disconnect(CocoaError(CocoaError.Code(rawValue: NSPersistentStoreTimeoutError)))
    _ = ada.value(forKey: "name")
    _ = context.insert("Person", ["name": "Cy"])
    library.reconnect()
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code.rawValue == NSPersistentStoreTimeoutError && context.insertedObjects.count == 1)
    #expect(error.affectedStores?.first === context.persistentStoreCoordinator?.persistentStores.first)
    #expect(error.affectedObjects?.first as? NSManagedObjectID == ada.objectID)
    #expect(error.localizedDescription.contains("refreshAllObjects()") && "\(error)".contains("x-coredata://"))
    let first = try #require(error.userInfo[NSUnderlyingErrorKey] as? CocoaError)
    #expect(first.userInfo[NSUnderlyingErrorKey] is CocoaError)
    #expect(throws: CocoaError.self) { try context.save() }
  }

  @Test func `an error of the program's store keeps its text`() throws {
    library.disconnect()
    _ = ada.value(forKey: "name")
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code.rawValue == NSPersistentStoreOperationError)
    #expect(error.localizedDescription.contains("The server is unavailable."))
  }

  @Test func `rollback, reset and refreshAllObjects allow saves again`() throws {
    for recover in [{ $0.rollback() }, { $0.reset() }, { $0.refreshAllObjects() }] as [(NSManagedObjectContext) -> Void]
    {
      let context = library.reader()
      let ada = context.object(with: ada.objectID)
      library.disconnect()
      _ = ada.value(forKey: "name")
      library.reconnect()
      #expect(throws: CocoaError.self) { try context.save() }
      recover(context)
      _ = context.insert("Tag", ["name": "saved"])
      try context.save()
      #expect(try context.existingObject(with: ada.objectID).called == "Ada")
    }
    #expect(try library.reader().fetch("Tag", "name == 'saved'").count == 3)
  }

  @Test func `refreshAllObjects without the store changes nothing`() throws {
    let tag = try context.fetch("Tag")[0]
    #expect(tag.called == "T")
    let cy = context.insert("Person", ["name": "Cy"])
    library.disconnect()
    _ = (ada.value(forKey: "name"), book.tags)
    context.refreshAllObjects()
    #expect(!tag.isFault && tag.called == "T" && cy.called == "Cy")
    #expect(throws: CocoaError.self) { try context.save() }
    library.reconnect()
    context.refreshAllObjects()
    try context.save()
    #expect(try library.reader().fetch("Person", "name == 'Cy'").count == 1)
  }

  // MARK: Notifications

  @Test func `a context reports repeated failures once`() throws {
    let failures = FaultFailures(of: context)
    library.disconnect()
    for _ in 0..<3 { _ = (ada.value(forKey: "name"), book.tags, book.pages) }
    #expect(failures.all.map(\.ids) == [[ada.objectID]])
    #expect(failures.all.first?.error?.localizedDescription.contains("The server is unavailable.") == true)
    #expect(NSManagedObjectContext.didFailToFillFaultNotification == .NSManagedObjectContextDidFailToFillFault)
    context.refreshAllObjects()
    _ = ada.value(forKey: "name")
    #expect(failures.all.count == 1)
    context.rollback()
    _ = book.tags
    #expect(failures.all.map(\.ids) == [[ada.objectID], [book.objectID]])
  }

  @Test func `repeated failures log one line`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        let library = try UnreachableLibrary()
        let ada = library.context.make("Person", "Ada")[0]
        try library.context.save()
        let context = library.reader()
        let fault = context.object(with: ada.objectID)
        library.disconnect()
        for _ in 0..<3 { _ = fault.value(forKey: "name") }
      }
    }
    let text = result.errorText
    #expect(text.components(separatedBy: "CoreData: warning: CoreData could not read the object").count == 2, "\(text)")
  }

  @Test(arguments: ["name", "children"])
  func `strict faults stop the program`(_ key: String) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [key] in
      setenv("COREDATA_STRICT_FAULTS", "1", 1)
      try await MainActor.run {
        let library = try UnreachableLibrary()
        let ada = library.context.make("Person", "Ada")[0]
        try library.context.save()
        let context = library.reader()
        let fault = context.object(with: ada.objectID)
        library.disconnect()
        _ = fault.value(forKey: key)
      }
    }
    let text = result.errorText
    #expect(text.contains("CoreData could not fulfill a fault for 'x-coredata://"), "\(text)")
  }

  // MARK: Other readers

  @Test func `a child that failed to read rejects saves`() throws {
    let child = library.reader(parent: context)
    let fault = child.object(with: ada.objectID)
    let failures = FaultFailures(of: child)
    library.disconnect()
    #expect(fault.value(forKey: "name") == nil && (fault.value(forKey: "children") as? NSSet)?.count == 0)
    #expect(fault.isFault && !fault.isDeleted && failures.all.map(\.ids) == [[ada.objectID]])
    library.reconnect()
    fault.setValue("Ada L.", forKey: "name")
    #expect(fault.names("children") == ["Byron"])
    #expect(throws: CocoaError.self) { try child.save() }
    // Only the child failed to read, so its parent can save.
    try context.save()
    child.refreshAllObjects()
    try child.save()
    #expect(ada.called == "Ada L.")
  }

  @Test func `a context that failed to read rejects the save of its child`() throws {
    let child = library.reader(parent: context)
    let fault = child.object(with: ada.objectID)
    fault.setValue("Ada L.", forKey: "name")
    library.disconnect()
    _ = book.value(forKey: "name")
    library.reconnect()
    #expect(throws: CocoaError.self) { try child.save() }
    #expect(fault.hasChanges && ada.called == "Ada")
    context.refreshAllObjects()
    try child.save()
    try context.save()
    #expect(try library.reader().existingObject(with: ada.objectID).called == "Ada L.")
  }

  @Test func `a child's change of an object that its parent cannot read is kept`() throws {
    let child = library.reader(parent: context)
    let fault = child.object(with: ada.objectID)
    fault.setValue("Ada L.", forKey: "name")
    context.refreshAllObjects()
    library.disconnect()
    #expect(throws: (any Error).self) { try child.save() }
    #expect(fault.hasChanges && fault.called == "Ada L." && !context.hasChanges)
    library.reconnect()
    try child.save()
    try context.save()
    #expect(try library.reader().existingObject(with: ada.objectID).called == "Ada L.")
  }

  @Test func `a fetch that needs an unreadable object throws`() throws {
    let cy = context.insert("Person", ["name": "Cy"])
    let passport = context.object(with: try #require(library.context.fetch("Passport").first?.objectID))
    cy.setValue(ada, forKey: "parent")
    _ = passport
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.predicate = NSPredicate(format: "parent.name == nil")
    library.disconnect()
    #expect(throws: (any Error).self) { try context.fetch(request) }
    library.reconnect()
    #expect(try context.fetch(request).allSatisfy { $0 !== cy })
    try context.save()
  }

  @Test func `an unreadable non-optional value reads as zero`() throws {
    let library = try UnreachableLibrary(Plain.model)
    let made = library.context.insert("Plain", ["when": Date(), "mark": UUID(), "text": "a", "kind": 7, "number": 3])
    made.setValue(library.context.insert("Plain"), forKey: "next")
    try library.context.save()
    let context = library.reader()
    let plain = try #require(context.object(with: made.objectID) as? Plain)
    library.disconnect()
    #expect(plain.when == Date(timeIntervalSinceReferenceDate: 0) && plain.text == "" && plain.number == 0)
    #expect(plain.mark == UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    #expect(plain.kind == .seven && plain.next.managedObjectContext == nil && plain.next.text == "")
    library.reconnect()
    #expect(plain.text == "a" && plain.next.managedObjectContext === context)
  }
}

/// An object whose properties are not optional.
final class Plain: NSManagedObject {
  enum Kind: Int16 { case seven = 7 }

  @NSManaged var when: Date
  @NSManaged var mark: UUID
  @NSManaged var text: String
  @NSManaged var number: Int32
  @NSManaged var kind: Kind
  @NSManaged var next: Plain

  static let model = makeModel(
    makeEntity(
      "Plain", of: Plain.self,
      [
        attribute("when", .date), attribute("mark", .uuid), attribute("text"), attribute("number", .integer32),
        attribute("kind", .integer16),
      ])
  ).relate("Plain", "next", .one, "Plain")
}
