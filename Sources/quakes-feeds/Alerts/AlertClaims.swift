import CoreData
import Foundation
import StrataQuakes

/// Decides which process delivers an alert: the first that commits its claim.
public struct AlertClaims {
  var personal: PersonalWriter

  /// Claims in a store.
  public init(personal: PersonalWriter) { self.personal = personal }

  /// Claims an alert if it is still due.
  ///
  /// - Returns: the alert and its record; nil if another process delivered it in the meantime, or if it is no longer due.
  /// - Throws: `Failure`.
  public func claim(
    _ identifier: String, by rule: String
  ) throws -> (message: AlertMessage, firing: NSManagedObjectID)? {
    try personal.change(by: "quakes-fetch") { context in
      // The rule first: a claim of another process from here on is a conflict, and whatever it had to know of the Catalog
      // is then known here too.
      guard let rule = try context.fetch(AlertRule.named(rule)).first,
        let quake = try Quake.find(identifier, in: context),
        let due = try rule.due(at: Date(), in: context).first(where: { $0.quake == quake })
      else { return nil }
      let firing = due.claim(for: rule, at: Date(), in: context)
      let message = AlertMessage(rule, quake: quake, reason: due.reason)
      // A temporary ID would be gone with this process's context.
      try context.obtainPermanentIDs(for: [firing])
      return (message, firing.objectID)
    }
  }

  /// Records the alert's outcome, unless the rule was removed in the meantime.
  ///
  /// - Throws: `Failure`.
  public func record(_ outcome: AlertOutcome, of firing: NSManagedObjectID) throws {
    try personal.change(by: "quakes-fetch") { context in
      let request: NSFetchRequest<AlertFiring> = AlertFiring.fetchRequest()
      request.predicate = NSPredicate(format: "SELF == %@", argumentArray: [firing])
      guard let firing = try context.fetch(request).first else { return }
      firing.outcome = "\(outcome)"
    }
  }
}
