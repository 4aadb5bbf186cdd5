/// Hears the numbers of a store's own transactions before anybody else can see them, so that whoever reads the history
/// knows which of its transactions are its own (invariant 3).
///
/// Called on the thread that commits, under the writer lock: it must not ask the store anything.
package protocol TransactionObserver: AnyObject, Sendable {
  /// The next thing that happens is the COMMIT of the transaction.
  func willCommit(transaction: Int64)

  /// The COMMIT failed: nothing of the transaction is in the store, and another writer may get its number.
  func didNotCommit(transaction: Int64)
}
