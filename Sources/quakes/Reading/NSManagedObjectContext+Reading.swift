import CoreData
import StrataQuakes

extension NSManagedObjectContext {
  /// Reads on the context's queue, and waits for it.
  ///
  /// - Parameter failure: converts errors that are not a `Failure`.
  /// - Throws: `Failure`.
  func read<Result>(
    failingWith failure: (any Error) -> Failure, _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    try performAndWait {
      do {
        return try body(self)
      } catch let error as Failure {
        throw error
      } catch {
        throw failure(error)
      }
    }
  }
}
