import StrataManagedModel
import StrataRowStore

/// Opens stores for the checks: what a back end brings to `StoreConformance`.
///
///     @Test(arguments: StoreConformance.checks)
///     func conforms(_ check: ConformanceCheck) throws { try check.run(MemoryStoreFactory()) }
///
/// A factory serves one check; what it wrote may go when it does.
package protocol StoreFactory: Sendable {
  /// Whether what a store held is there when it is opened again, and to others that have it open meanwhile.
  var isDurable: Bool { get }

  /// Whether the stores can remember their commits.
  var keepsHistory: Bool { get }

  /// Opens the store of a name: a new, empty one the first time.
  /// - Parameters:
  ///   - model: a frozen model.
  ///   - number: the number in the ids of the store's rows.
  func open(_ name: String, model: NSManagedObjectModel, number: Int, keepsHistory: Bool) throws -> any BackEnd
}

extension StoreFactory {
  package var keepsHistory: Bool { true }
}

/// One promise that every back end keeps.
package struct ConformanceCheck: Sendable, Identifiable, CustomStringConvertible {
  /// The promise: `staleUpdateIsRefused`.
  package let name: String
  /// Throws a `ConformanceFailure` where the promise is broken.
  package let run: @Sendable (any StoreFactory) throws -> Void

  package init(_ name: String, _ run: @escaping @Sendable (any StoreFactory) throws -> Void) {
    self.name = name
    self.run = run
  }

  package var id: String { name }
  package var description: String { name }
}

/// What every back end must do.
package enum StoreConformance {
  /// All checks. They share nothing, so they may run at the same time.
  package static let checks =
    plainChecks + constraintChecks + historyChecks + elementHistoryChecks + historyPlanChecks + bulkChecks

  /// What every store must do that only keeps rows.
  package static let plainChecks: [ConformanceCheck] =
    valueChecks + compositeChecks + keyChecks + conflictChecks + atomicityChecks
    + filterChecks + textFilterChecks + pathFilterChecks + sortChecks + planChecks
    + columnChecks + listChecks + relationChecks + linkChecks + orderChecks + lifeChecks + randomChecks

  /// Uniqueness, of stores that know of it.
  package static let constraintChecks = uniquenessChecks + uniqueElementChecks + refusedUniquenessChecks
}
