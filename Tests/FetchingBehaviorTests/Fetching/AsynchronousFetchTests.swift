import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Asynchronous fetches.
@Suite struct AsynchronousFetchTests {
  private func filled(_ store: Store) throws -> NSPersistentContainer {
    let container = try store.container()
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for (code, magnitude) in [("a", 4.0), ("b", 6.0), ("c", 5.0)] {
        _ = context.insert("Quake", ["code": code, "magnitude": magnitude])
      }
      try context.save()
    }
    return container
  }

  /// A fetch's result, as values.
  private struct Outcome: Sendable {
    var codes: [String]?
    var error: String?
    var completed: Int64 = 0
    var wasOnQueue = false
  }

  private func outcome(
    _ context: NSManagedObjectContext, cancelling: Bool = false,
    _ change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
  ) async throws -> Outcome {
    let fetch = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    fetch.sortDescriptors = [NSSortDescriptor(key: "magnitude", ascending: false)]
    change(fetch)
    nonisolated(unsafe) let request = fetch
    return try await withCheckedThrowingContinuation { continuation in
      context.perform {
        let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
          var outcome = Outcome()
          outcome.codes = result.finalResult.map { $0.compactMap { $0.value(forKey: "code") as? String } }
          outcome.error = result.operationError.map { "\(($0 as? CocoaError)?.code.rawValue ?? 0)" }
          outcome.completed = result.progress?.completedUnitCount ?? 0
          outcome.wasOnQueue = result.managedObjectContext === context
          continuation.resume(returning: outcome)
        }
        asynchronous.estimatedResultCount = 10
        do {
          let result = try context.execute(asynchronous) as? NSAsynchronousFetchResult<NSManagedObject>
          if result?.finalResult != nil || result?.progress?.totalUnitCount != 10 {
            throw CocoaError(.featureUnsupported)
          }
          if cancelling { result?.cancel() }
        } catch { continuation.resume(throwing: error) }
      }
    }
  }

  @Test(arguments: Store.allCases)
  func `the result arrives later on the context's queue`(_ store: Store) async throws {
    let outcome = try await outcome(try filled(store).newBackgroundContext())
    #expect(outcome.codes == ["b", "c", "a"] && outcome.error == nil)
    #expect(outcome.completed == 3 && outcome.wasOnQueue)
  }

  @Test(arguments: Store.allCases)
  func `an asynchronous fetch includes unsaved changes`(_ store: Store) async throws {
    let context = try filled(store).newBackgroundContext()
    context.performAndWait { _ = context.insert("Quake", ["code": "new", "magnitude": 9.0]) }
    #expect(try await outcome(context).codes == ["new", "b", "c", "a"])
    let child = context.child(.privateQueueConcurrencyType)
    #expect(try await outcome(child) { $0.fetchLimit = 2 }.codes == ["new", "b"])
  }

  @Test(arguments: Store.allCases)
  func `a canceled fetch has no result`(_ store: Store) async throws {
    let outcome = try await outcome(try filled(store).newBackgroundContext(), cancelling: true)
    #expect(outcome.codes == nil && outcome.error == "\(CocoaError.Code.userCancelled.rawValue)")
  }

  @Test(arguments: Store.allCases)
  func `a failed fetch reports the error in its result`(_ store: Store) async throws {
    let outcome = try await outcome(try filled(store).newBackgroundContext()) {
      $0.predicate = NSPredicate(format: "nothing == 1")
    }
    #expect(outcome.codes == nil && outcome.error == "134091")
  }

  @Test(arguments: Store.allCases)
  func `an asynchronous fetch can return dictionaries`(_ store: Store) async throws {
    let context = try filled(store).newBackgroundContext()
    let count = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, any Error>) in
      context.perform {
        let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["code"]
        let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
          continuation.resume(returning: result.finalResult?.count ?? -1)
        }
        do { _ = try context.execute(asynchronous) } catch { continuation.resume(throwing: error) }
      }
    }
    #expect(count == 3)
  }

  @Test func `the progress of a fetch is a child of the current progress`() throws {
    let context = try filled(.memory).newBackgroundContext()
    let whole = Progress(totalUnitCount: 1)
    let finished = DispatchSemaphore(value: 0)
    try context.performAndWait {
      whole.becomeCurrent(withPendingUnitCount: 1)
      defer { whole.resignCurrent() }
      let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Quake")) {
        _ in
        finished.signal()
      }
      _ = try context.execute(request)
    }
    finished.wait()
    #expect(whole.fractionCompleted == 1)
  }
}
