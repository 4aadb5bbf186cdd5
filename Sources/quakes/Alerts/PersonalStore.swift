import CoreData
import Foundation
import StrataQuakes

/// The user's own data, and the Catalog if there is one yet.
struct PersonalStore {
  let location: StoreLocation
  let context: NSManagedObjectContext
  /// Whether there is anything to read.
  let exists: Bool

  init(_ options: StoreOptions, for access: QuakesContainer.Access) throws(Failure) {
    location = try options.location()
    let container: QuakesContainer
    if location.hasStore {
      container = try QuakesContainer.open(location, for: .reading)
    } else {
      if access == .writing { try location.createFolder() }
      container = QuakesContainer(name: StoreLocation.storeName)
    }
    exists = try container.addPersonal(location, for: access) != nil
    context = container.newBackgroundContext()
  }

  /// - Throws: `Failure`.
  func perform<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    try context.performAndWait {
      do {
        return try body(context)
      } catch let failure as Failure {
        throw failure
      } catch {
        throw Failure.personal(location, error: error)
      }
    }
  }

  /// - Throws: `Failure` with status 3 if there is no such rule.
  func rule(_ name: String) throws -> AlertRule {
    guard exists, let rule = try context.fetch(AlertRule.named(name)).first else {
      throw Failure(.notFound, "there is no alert \"\(name)\"; \"quakes alert list\" shows all")
    }
    return rule
  }
}
