import CoreData
import Foundation

/// Writes the user's own data. The Catalog, if it exists, is only read.
public struct PersonalWriter: Sendable {
  public let container: QuakesContainer
  public let location: StoreLocation

  /// Opens the store, or creates it.
  ///
  /// - Throws: `Failure` with status 4, or 9 for a mistyped location.
  public init(_ location: StoreLocation) throws(Failure) {
    self.location = location
    try location.refuseMistyped()
    try location.createFolder()
    container =
      location.hasStore
      ? try QuakesContainer.open(location, for: .reading) : QuakesContainer(name: StoreLocation.storeName)
    try container.addPersonal(location, for: .writing)
  }

  /// Upper bound for retries: every conflict means that another process committed.
  private static let maximumAttempts = 200

  /// Changes and saves. On a conflict with another process, repeats the change on top of what that process saved, so the
  /// changes of both are kept.
  ///
  /// - Parameters:
  ///   - author: the program, for the history.
  ///   - body: runs on the context's queue, and may run several times.
  /// - Throws: what `body` throws; `Failure` with status 4 if nothing can be written.
  public func change<Result>(by author: String, _ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      context.transactionAuthor = author
      for attempt in 1... {
        do {
          let result = try body(context)
          if context.hasChanges { try context.save() }
          return result
        } catch let error as CocoaError where Self.isLostRace(error) && attempt < Self.maximumAttempts {
          context.reset()
          usleep(.random(in: 1_000...50_000))
        } catch let failure as Failure {
          throw failure
        } catch {
          throw Failure.personal(location, error: error)
        }
      }
      preconditionFailure("the loop does not end")
    }
  }

  private static func isLostRace(_ error: CocoaError) -> Bool {
    [.managedObjectMerge, .managedObjectConstraintMerge, .persistentStoreTimeout].contains(error.code)
  }
}
