import ClassicStack
import CoreData
import Testing

@MainActor
struct ClassicStackTests {
  private let folder: TemporaryFolder
  private let stack: CoreDataStack

  init() throws {
    folder = try TemporaryFolder()
    stack = try CoreDataStack(storeURL: folder.url.appendingPathComponent("Contacts.sqlite"))
  }

  /// Saves a person in the main context.
  private func person(named name: String, in city: String) throws -> Person {
    let person = Person(context: stack.mainContext)
    (person.name, person.city) = (name, city)
    try stack.mainContext.save()
    return person
  }

  /// Saves a change of the same person in the background.
  private func changeInBackground(
    _ id: NSManagedObjectID, _ change: @escaping @Sendable (NSManagedObjectContext, Person) -> Void
  ) async throws {
    let context = stack.backgroundContext
    try await context.perform {
      change(context, try #require(try context.existingObject(with: id) as? Person))
      try context.save()
    }
  }

  @Test func `the main context shows saves of the background context`() async throws {
    let person = try person(named: "Ada", in: "London")
    try await changeInBackground(person.objectID) { _, person in person.city = "Paris" }
    #expect(await eventually { person.city == "Paris" })
    #expect(!stack.mainContext.hasChanges)
  }

  @Test func `the background context shows saves of the main context`() async throws {
    let person = try person(named: "Ada", in: "London")
    let (id, background) = (person.objectID, stack.backgroundContext)
    try await changeInBackground(id) { _, person in person.city = "Paris" }
    #expect(await eventually { person.city == "Paris" })
    person.city = "Rome"
    try stack.mainContext.save()
    #expect(
      await eventually { background.performAndWait { (background.object(with: id) as? Person)?.city } == "Rome" })
  }

  @Test func `a deletion is merged into the other context`() async throws {
    let person = try person(named: "Ada", in: "London")
    try await changeInBackground(person.objectID) { context, person in context.delete(person) }
    #expect(await eventually { person.managedObjectContext == nil || person.isDeleted })
    #expect(try stack.mainContext.count(for: Person.fetchRequest()) == 0)
  }

  @Test func `unsaved edits survive a merge and win the conflict`() async throws {
    let person = try person(named: "Ada", in: "London")
    person.city = "Rome"
    try await changeInBackground(person.objectID) { _, person in
      person.city = "Paris"
      person.name = "Augusta"
    }
    #expect(await eventually { person.name == "Augusta" })
    #expect(person.city == "Rome" && person.hasChanges)
    try stack.mainContext.save()
    stack.mainContext.refreshAllObjects()
    #expect(person.city == "Rome" && person.name == "Augusta")
  }
}
