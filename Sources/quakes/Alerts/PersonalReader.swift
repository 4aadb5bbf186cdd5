import CoreData
import StrataQuakes

/// The user's own data, and the Catalog if there is one yet, to be read.
struct PersonalReader {
  let location: StoreLocation
  let context: NSManagedObjectContext
  /// Whether there is anything to read.
  let exists: Bool

  init(_ options: LocationOptions) throws(Failure) {
    location = try options.location()
    try location.refuseMistyped()
    let container =
      location.hasStore
      ? try QuakesContainer.open(location, for: .reading) : QuakesContainer(name: StoreLocation.storeName)
    exists = try container.addPersonal(location, for: .reading) != nil
    context = container.newBackgroundContext()
  }

  /// - Throws: `Failure`.
  func perform<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    try context.read(failingWith: { Failure.personal(location, error: $0) }, body)
  }

  /// - Throws: `Failure` with status 3 if there is no such rule.
  func rule(_ name: String) throws -> AlertRule {
    guard exists else { throw Failure.noAlert(name) }
    return try AlertRule.existing(name, in: context)
  }
}

extension AlertRule {
  /// - Throws: `Failure` with status 3 if there is no such rule.
  static func existing(_ name: String, in context: NSManagedObjectContext) throws -> AlertRule {
    guard let rule = try context.fetch(named(name)).first else { throw Failure.noAlert(name) }
    return rule
  }
}

extension Failure {
  static func noAlert(_ name: String) -> Failure {
    Failure(.notFound, "there is no alert \"\(name)\"; \"quakes alert list\" shows all")
  }
}
