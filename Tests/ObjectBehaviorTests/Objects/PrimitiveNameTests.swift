import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// `@NSManaged` declarations whose names begin with `primitive`.
@MainActor @Suite struct PrimitiveNameTests {
  @Test(arguments: Store.allCases)
  func `a property can be named like a primitive accessor`(_ store: Store) throws {
    let context = try Fossil.context(store)
    let fossil = Fossil(context: context)
    fossil.title = "Trilobite"
    try context.save()
    fossil.primitiveKind = 7
    fossil.primitiveFinder = "Ada"
    #expect(fossil.hasChanges && fossil.changedValues().keys.sorted() == ["primitiveFinder", "primitiveKind"])
    #expect(fossil.value(forKey: "primitiveKind") as? Int == 7)
    try context.save()
    context.reset()
    let request = NSFetchRequest<Fossil>(entityName: "Fossil")
    request.predicate = NSPredicate(#Predicate<Fossil> { $0.primitiveKind == 7 })
    request.sortDescriptors = [NSSortDescriptor(keyPath: \Fossil.primitiveFinder, ascending: true)]
    let found = try #require(try context.fetch(request).first)
    #expect(found.primitiveKind == 7 && found.primitiveFinder == "Ada" && found.title == "TRILOBITE")
    #expect((\Fossil.primitiveKind)._kvcKeyPathString == "primitiveKind")
  }

  @Test(arguments: Store.allCases)
  func `a primitive accessor sets its property without recording a change`(_ store: Store) throws {
    let context = try Fossil.context(store)
    let fossil = Fossil(context: context)
    try context.save()
    fossil.primitiveTitle = "Ammonite"
    #expect(!fossil.hasChanges && fossil.title == "AMMONITE" && fossil.primitiveTitle == "Ammonite")
    fossil.title = "Crinoid"
    #expect(fossil.changedValues()["title"] as? String == "Crinoid")
    // A key path of a primitive accessor names the stored property.
    let request = NSFetchRequest<Fossil>(entityName: "Fossil")
    request.sortDescriptors = [NSSortDescriptor(keyPath: \Fossil.primitiveTitle, ascending: true)]
    #expect(try context.fetch(request).count == 1)
  }
}

/// A class with an attribute named like a primitive accessor, and a primitive accessor.
final class Fossil: NSManagedObject {
  @NSManaged var primitiveKind: Int16
  @NSManaged var primitiveFinder: String?
  @NSManaged var primitiveTitle: String?

  /// Stops the program for an object without a title.
  var initial: Character { title!.first! }
  var weight = 2.5

  var title: String? {
    get {
      willAccessValue(forKey: "title")
      defer { didAccessValue(forKey: "title") }
      return primitiveTitle?.uppercased()
    }
    set {
      willChangeValue(forKey: "title")
      primitiveTitle = newValue
      didChangeValue(forKey: "title")
    }
  }

  @MainActor static func context(_ store: Store) throws -> NSManagedObjectContext {
    let properties = [attribute("primitiveKind", .integer16), attribute("primitiveFinder"), attribute("title")]
    return try store.people(makeModel(makeEntity("Fossil", of: Fossil.self, properties))).viewContext
  }
}
