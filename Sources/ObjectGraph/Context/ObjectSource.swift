import StrataManagedModel
import StrataRowStore

/// The source that a context reads from and saves to: a coordinator or a parent context.
package protocol ObjectSource: RowSource {
  /// The frozen model.
  var model: NSManagedObjectModel { get }

  /// Returns the store with a number in row IDs; nil if it was removed.
  func store(number: Int) -> StoreIdentity?

  /// Returns the store with a UUID.
  func store(uuid: String) -> StoreIdentity?

  /// Returns a snapshot of the source, which lasts as long as the result: reads see the snapshot, commits go to the
  /// current rows.
  /// - Returns: nil if the source does not support snapshots.
  func pinned() throws -> (any ObjectSource)?

  /// Returns permanent IDs for the new rows of a batch, in its order, from the stores that its commit would choose.
  /// - Returns: nil if the source assigns IDs only when rows are saved.
  func permanentIDs(for batch: ChangeBatch) throws -> [RowID]?

  /// Executes a request that contexts do not handle themselves, such as a history request.
  /// - Throws: code 134091 for an unsupported kind of request.
  func execute(
    _ request: NSPersistentStoreRequest, for context: NSManagedObjectContext
  ) throws -> NSPersistentStoreResult

  /// Returns the position of a commit in the histories of its stores, an `NSPersistentHistoryToken`; nil if none has
  /// one.
  func historyToken(of receipt: CommitReceipt) -> AnyObject?

  /// Notifies the context, on its own queue, of every later change that it did not make itself.
  func attach(_ context: NSManagedObjectContext)

  /// Starts listening for commits of other processes, because a context wants to merge them.
  func follow()
}

extension ObjectSource {
  /// A parent context has no history.
  package func historyToken(of receipt: CommitReceipt) -> AnyObject? { nil }

  /// A source that another one notifies has nothing to listen for.
  package func follow() {}
}

/// The IDs of the objects that a commit changed, as a value passed between contexts and processes.
package struct ObjectIDChanges: Sendable {
  package var inserted: [RowID] = []
  package var updated: [RowID] = []
  package var deleted: [RowID] = []
  /// The changed rows that derived attributes of other rows read; nil if they are unknown.
  package var derivationInputs: DerivationInputs?

  package init(
    inserted: [RowID] = [], updated: [RowID] = [], deleted: [RowID] = [], derivationInputs: DerivationInputs? = nil
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.derivationInputs = derivationInputs
  }

  package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension ObjectIDChanges {
  /// Combines consecutive commits into their net effect on each row.
  init(inOrder commits: [ObjectIDChanges]) {
    if commits.count == 1 {
      self = commits[0]
      return
    }
    self.init()
    var ends: [RowID: End] = [:]
    var order: [RowID] = []
    func note(_ id: RowID, _ end: (End?) -> End) {
      if ends[id] == nil { order.append(id) }
      ends[id] = end(ends[id])
    }
    derivationInputs = commits.reduce(DerivationInputs()) { sum, commit in
      commit.derivationInputs.flatMap { next in sum.map { $0 + next } }
    }
    for commit in commits {
      for id in commit.inserted { note(id) { _ in .inserted } }
      for id in commit.updated { note(id) { $0 == .inserted ? .inserted : .updated } }
      for id in commit.deleted { note(id) { _ in .deleted } }
    }
    for id in order {
      switch ends[id] {
      case .inserted: inserted.append(id)
      case .updated: updated.append(id)
      case .deleted: deleted.append(id)
      case nil: break
      }
    }
  }

  private enum End { case inserted, updated, deleted }
}
