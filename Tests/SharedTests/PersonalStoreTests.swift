import CoreData
import Foundation
import Testing

@testable import StrataQuakes

/// The store of the user's own data.
struct PersonalStoreTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("personal-\(UUID().uuidString)")

  private func open(for access: QuakesContainer.Access) throws -> NSManagedObjectContext {
    let location = StoreLocation(folder: folder, isChosen: true)
    let container = try QuakesContainer.open(location, for: .writing)
    try container.addPersonal(location, for: access)
    return container.newBackgroundContext()
  }

  @Test func `an alert keeps its program and denies the deletion of its place`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let context = try open(for: .writing)
    try context.performAndWait {
      let place = Place(context: context)
      (place.name, place.latitude, place.longitude) = ("home", 42, 21.4)
      let rule = AlertRule(context: context)
      (rule.name, rule.created, rule.place, rule.minimumMagnitude) = ("big", Date(), place, 6)
      rule.arguments = ["/bin/echo", "$(id)"] as NSArray
      try context.save()
    }
    let reader = try open(for: .reading)
    try reader.performAndWait {
      let rule = try #require(try reader.fetch(AlertRule.fetchRequest()).first)
      #expect(rule.arguments == ["/bin/echo", "$(id)"] as NSArray)
      #expect(rule.place?.name == "home")
    }
    try context.performAndWait {
      context.delete(try #require(try context.fetch(Place.named("Home")).first))
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSValidationRelationshipDeniedDeleteError)
    }
  }

  /// Otherwise each fetch would examine all unsaved marks.
  @Test func `marks are read only once they are saved`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let context = try open(for: .writing)
    try context.performAndWait {
      for name in ["us1", "us2"] {
        #expect(try Mark.marks(of: ["us1", "us2"], in: context).keys.sorted() == (name == "us1" ? [] : ["us1"]))
        let mark = Mark(context: context)
        (mark.identifier, mark.isStarred) = (name, true)
        #expect(try Mark.marks(of: [name], in: context).isEmpty)
        let quake = Quake(context: context)
        (quake.identifier, quake.time) = (name, Date())
        try context.save()
      }
      #expect(try Mark.marks(of: ["us1", "us2"], in: context).count == 2)
    }
  }

  @Test func `opening for reading does not create the store`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try open(for: .reading)
    #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("Personal.sqlite").path))
  }
}
