import StrataManagedModel
import StrataRowStore

/// What a context hangs on: a coordinator or a parent context.
package protocol ObjectSource: RowSource {
  /// The frozen model.
  var model: NSManagedObjectModel { get }

  /// The store with a number in row ids; nil if it was removed.
  func store(number: Int) -> StoreIdentity?

  /// The store with a UUID.
  func store(uuid: String) -> StoreIdentity?

  /// The source as it is at this moment, for as long as the answer lives: it reads of then and commits to now. nil of a
  /// source that cannot keep a moment.
  func pinned() throws -> (any ObjectSource)?

  /// Permanent ids for the new rows of a batch, in its order, from the stores that a commit of it would choose. nil of a
  /// source that gives none until rows are saved.
  func permanentIDs(for batch: ChangeBatch) throws -> [RowID]?

  /// Executes a request that contexts do not answer themselves, such as one for history.
  /// - Throws: code 134091 for a kind of request that is not known.
  func execute(
    _ request: NSPersistentStoreRequest, for context: NSManagedObjectContext
  ) throws -> NSPersistentStoreResult

  /// Writes what a program set of the metadata of stores, if that waits for a save.
  func commitMetadata() throws

  /// Tells the context, on its own queue, of every later change that it did not make itself.
  func attach(_ context: NSManagedObjectContext)

  /// Begins to listen for commits of other processes: a context wants to merge them.
  func follow()
}

extension ObjectSource {
  /// A parent context has no stores.
  package func commitMetadata() throws {}

  /// A source that is told of changes by another one has nothing to listen for.
  package func follow() {}
}

/// What a commit changed, as values that travel between contexts and processes.
package struct ObjectIDChanges: Sendable {
  package var inserted: [RowID] = []
  package var updated: [RowID] = []
  package var deleted: [RowID] = []

  package init(inserted: [RowID] = [], updated: [RowID] = [], deleted: [RowID] = []) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
  }

  package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension ObjectIDChanges {
  /// What several commits, one after the other, come to for each row.
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
