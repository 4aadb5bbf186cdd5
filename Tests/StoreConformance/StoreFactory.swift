import StrataManagedModel
import StrataRowStore

/// Opens stores of one back end for the checks of `StoreConformance`.
///
///     @Test(arguments: StoreConformance.checks)
///     func conforms(_ check: ConformanceCheck) throws { try check.run(MemoryStoreFactory()) }
///
/// A factory serves one check; its stores may be deleted with it.
package protocol StoreFactory: Sendable {
  /// Whether contents survive closing and are visible to other stores open on the same file.
  var isDurable: Bool { get }

  /// Whether the stores can keep a history.
  var keepsHistory: Bool { get }

  /// Whether the stores can keep texts with U+0000. Other stores refuse them with an error that names the attribute.
  var keepsNUL: Bool { get }

  /// Opens the store with a name, and creates an empty one the first time.
  /// - Parameters:
  ///   - model: a frozen model.
  ///   - number: the store's number in its rows' IDs.
  func open(_ name: String, model: NSManagedObjectModel, number: Int, keepsHistory: Bool) throws -> any BackEnd
}

extension StoreFactory {
  package var keepsHistory: Bool { true }
  package var keepsNUL: Bool { true }
}

/// One promise of every back end.
package struct ConformanceCheck: Sendable, Identifiable, CustomStringConvertible {
  /// The promise in one sentence, such as "a stale update is refused".
  package let name: String
  /// Throws a `ConformanceFailure` if the promise is violated.
  package let run: @Sendable (any StoreFactory) throws -> Void

  package init(_ name: String, _ run: @escaping @Sendable (any StoreFactory) throws -> Void) {
    self.name = name
    self.run = run
  }

  package var id: String { name }
  package var description: String { name }
}

/// The contract of back ends.
package enum StoreConformance {
  /// All checks. They are independent and may run concurrently.
  package static let checks = [
    plainChecks, constraintChecks, historyChecks, movingValueHistoryChecks, elementHistoryChecks, historyPlanChecks,
    bulkChecks,
  ].flatMap { $0 }

  /// The checks for stores that only store rows.
  package static let plainChecks = [
    valueChecks, compositeChecks, keyChecks, conflictChecks, atomicityChecks, filterChecks, textFilterChecks,
    pathFilterChecks, sortChecks, planChecks, columnChecks, listChecks, relationChecks, linkChecks, orderChecks,
    lifecycleChecks, randomChecks,
  ].flatMap { $0 }

  /// Uniqueness, for stores that support constraints.
  package static let constraintChecks =
    uniquenessChecks + movingValueChecks + uniqueElementChecks + refusedUniquenessChecks
}
