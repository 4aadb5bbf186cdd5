import CoreData
import Foundation
import Testing

/// Symbols that Apple deprecated long ago, and programs still use.
@MainActor @Suite struct DeprecatedAPI {
  @available(*, deprecated)
  @Test func `deprecated symbols exist`() {
    use("init|NSManagedObjectContext|init()", { NSManagedObjectContext() })
    use(
      "property|NSPropertyDescription|isIndexed",
      \NSPropertyDescription.isIndexed as ReferenceWritableKeyPath<NSPropertyDescription, Bool>)
    #expect(
      NSNotification.Name.NSPersistentStoreDidImportUbiquitousContentChanges.rawValue
        == "com.apple.coredata.ubiquity.importer.didfinishimport")
    #expect(NSPersistentStoreUbiquitousTransitionType(rawValue: 4) == .initialImportCompleted)
    #expect(NSPersistentStoreUbiquitousTransitionTypeKey == "NSPersistentStoreUbiquitousTransitionTypeKey")
  }

  @available(*, deprecated)
  @Test func `a context made without a queue saves on the thread that made it`() async throws {
    let container = try Store.sqlite.library()
    #expect(NSManagedObjectContext().concurrencyType == .mainQueueConcurrencyType)
    let coordinator = container.persistentStoreCoordinator
    try await Task.detached {
      let context = NSManagedObjectContext()
      context.persistentStoreCoordinator = coordinator
      #expect(context.concurrencyType == .privateQueueConcurrencyType)
      context.insert("Tag").setValue("rare", forKey: "name")
      try context.save()
      #expect(try context.fetch("Tag").count == 1)
    }.value
  }

  @available(*, deprecated)
  @Test func `an indexed property has an index of its entity`() throws {
    let (mass, name) = (NSAttributeDescription(), NSAttributeDescription())
    (mass.name, mass.type, mass.isIndexed) = ("mass", .double, true)
    (name.name, name.type) = ("name", .string)
    #expect(mass.isIndexed && !name.isIndexed)
    let comet = NSEntityDescription()
    comet.name = "Comet"
    comet.properties = [mass, name]
    #expect(comet.indexes.map(\.name) == ["mass"] && comet.indexes[0].elements[0].property === mass)
    name.isIndexed = true
    mass.isIndexed = false
    #expect(comet.indexes.map(\.name) == ["name"] && name.isIndexed && !mass.isIndexed)
    comet.indexes = []
    comet.properties = [name, mass]
    #expect(comet.indexes.isEmpty && !name.isIndexed)
    name.isIndexed = true
    #expect(comet.indexes.count == 1)
    let copy = try #require(comet.copy() as? NSEntityDescription)
    #expect(copy == comet && copy.indexes.count == 1 && copy.propertiesByName["name"]?.isIndexed == true)
  }
}
