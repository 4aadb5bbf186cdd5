import Foundation
import StrataManagedModel
import StrataPredicates

/// Fetches made internally: the source of a mapping, a fetched property, a fetch inside an expression.
extension NSManagedObjectContext {
  /// Returns the results of a request. If the store cannot evaluate its predicate, fetches all objects and filters them
  /// in memory.
  /// - Throws: the store's error; code 134091 for a predicate that cannot be evaluated in memory either.
  package func fetchFiltering<T>(_ request: NSFetchRequest<T>) throws -> [T] {
    try filtering(request) {
      try $0.fetch(request)
    } inMemory: {
      try cast($0, for: request)
    }
  }

  /// Returns the number of results of a request, in the same way.
  /// - Throws: what `fetchFiltering(_:)` throws.
  package func countFiltering<T>(_ request: NSFetchRequest<T>) throws -> Int {
    try filtering(request) {
      try $0.count(for: request)
    } inMemory: {
      $0.count
    }
  }

  private func filtering<T, Result>(
    _ request: NSFetchRequest<T>, inStore: (NSManagedObjectContext) throws -> Result,
    inMemory: ([NSManagedObject]) throws -> Result
  ) throws -> Result {
    do {
      return try inStore(self)
    } catch let error as CocoaError where error.code == .persistentStoreUnsupportedRequestType {
      guard let predicate = request.predicate,
        [.managedObjectResultType, .countResultType].contains(request.resultType)
      else { throw error }
      return try inMemory(objects(of: request, where: predicate))
    }
  }

  private func objects<T>(of request: NSFetchRequest<T>, where predicate: NSPredicate) throws -> [NSManagedObject] {
    let every = NSFetchRequest<NSManagedObject>()
    every.copyContents(from: request)
    every.resultType = .managedObjectResultType
    (every.predicate, every.fetchLimit, every.fetchOffset) = (nil, 0, 0)
    // A block predicate has no tree, and is evaluated with each object.
    let tree = (try? predicate.tree) == nil ? nil : try filter(predicate, of: query(for: every).layout)
    let all = try fetch(every)
    let found = try throwingFailedReads {
      try all.filter { object in
        do throws(PredicateEvaluationError) {
          return try tree?.evaluate(on: object) ?? predicate.evaluate(with: object)
        } catch {
          throw CocoaError.coreData(.unsupported, error.description, cause: error)
        }
      }
    }
    let rest = found.dropFirst(request.fetchOffset)
    return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
  }
}
