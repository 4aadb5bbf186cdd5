import CoreData
import Foundation
import StrataQuakes

/// Decides which process tells an alert: the one that commits first that it does.
struct AlertClaims {
  /// Each collision is another process's success, and only so many run at once.
  private static let mostAttempts = 200

  var container: QuakesContainer
  var location: StoreLocation

  /// Claims an alert if it is still due.
  ///
  /// - Returns: what to tell, and its record; nil if it was told meanwhile, or is not to be told any more.
  /// - Throws: `Failure`.
  func claim(
    _ identifier: String, by rule: String
  ) throws -> (message: AlertMessage, firing: NSManagedObjectID)? {
    try retrying { context in
      // The rule first: a claim of another process from here on is a conflict, and whatever it had to know of the Catalog
      // is then known here too.
      guard let rule = try context.fetch(AlertRule.named(rule)).first,
        let quake = try Quake.find(identifier, in: context),
        let due = try rule.due(at: Date(), in: context).first(where: { $0.quake == quake })
      else { return nil }
      let firing = due.claim(for: rule, at: Date(), in: context)
      let message = AlertMessage(rule, quake: quake, reason: due.reason)
      try context.save()
      return (message, firing.objectID)
    }
  }

  /// Records how the telling ended, unless the rule was removed meanwhile.
  ///
  /// - Throws: `Failure`.
  func record(_ outcome: AlertOutcome, of firing: NSManagedObjectID) throws {
    try retrying { context in
      let request: NSFetchRequest<AlertFiring> = AlertFiring.fetchRequest()
      request.predicate = NSPredicate(format: "SELF == %@", argumentArray: [firing])
      guard let firing = try context.fetch(request).first else { return }
      firing.outcome = "\(outcome)"
      try context.save()
    }
  }

  /// Works on a new context, and again if another process wrote the same meanwhile.
  private func retrying<Result>(_ work: (NSManagedObjectContext) throws -> Result) throws -> Result {
    for _ in 1..<Self.mostAttempts {
      do {
        return try once(work)
      } catch let error as CocoaError where Self.isLostRace(error) {
        usleep(.random(in: 1_000...50_000))
      } catch {
        throw Self.failure(error, at: location)
      }
    }
    do {
      return try once(work)
    } catch {
      throw Self.failure(error, at: location)
    }
  }

  private func once<Result>(_ work: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      context.transactionAuthor = "quakes-fetch"
      return try work(context)
    }
  }

  private static func isLostRace(_ error: CocoaError) -> Bool {
    [.managedObjectMerge, .managedObjectConstraintMerge, .persistentStoreTimeout].contains(error.code)
  }

  private static func failure(_ error: any Error, at location: StoreLocation) -> Failure {
    error as? Failure ?? .personal(location, error: error)
  }
}
