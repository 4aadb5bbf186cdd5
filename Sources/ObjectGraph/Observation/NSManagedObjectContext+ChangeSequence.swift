import Foundation

extension NSManagedObjectContext {
  /// The changes of the context's objects as an asynchronous sequence: each element is one or more
  /// `NSManagedObjectContextObjectsDidChange` notifications.
  ///
  /// ```swift
  /// for await change in container.viewContext.changes
  /// where !change.updated.isEmpty {
  ///   await index.update(change.updated)
  /// }
  /// ```
  ///
  /// This is an addition to Apple's API. The elements only hold IDs, so any task may use them. Changes during a busy
  /// loop are combined into one element: nothing is lost and nothing piles up. A loop receives changes made after it
  /// began, and ends with its task or with the context, which it does not keep alive.
  ///
  /// Of what others update or delete, the sequence has the objects that the context has. `HistoryFollower` reads all.
  public var changes: Changes { Changes(context: self) }

  /// An asynchronous sequence of a context's changes.
  public struct Changes: AsyncSequence, Sendable {
    /// The elements are changes by object ID.
    public typealias Element = Change
    /// The sequence never throws.
    public typealias Failure = Never

    private let context: ContextReference
    fileprivate init(context: NSManagedObjectContext) { self.context = ContextReference(context) }

    /// Returns an iterator, which listens from now on.
    public func makeAsyncIterator() -> Iterator { Iterator(of: context.context) }

    /// Listens for changes as long as it exists.
    public struct Iterator: AsyncIteratorProtocol {
      private let listener: ChangeListener
      fileprivate init(of context: NSManagedObjectContext?) { listener = ChangeListener(to: context) }

      /// Returns the next change; nil once the task is canceled or the context is released.
      public mutating func next() async -> Change? { await listener.feed.next() }
      /// Returns the next change to a caller in an actor; nil once the task is canceled or the context is released.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? {
        await listener.feed.next()
      }
    }
  }

  /// Changes of the objects of a context, by ID.
  public struct Change: Sendable, Equatable {
    /// New objects: inserted here, or saved by others and merged. An object that is not saved yet has a temporary ID.
    public internal(set) var inserted: Set<NSManagedObjectID> = []
    /// Objects whose values or relationships were changed here.
    public internal(set) var updated: Set<NSManagedObjectID> = []
    /// Objects that were deleted here or by others.
    public internal(set) var deleted: Set<NSManagedObjectID> = []
    /// Objects that took values that others saved, or that were refreshed or rolled back.
    public internal(set) var refreshed: Set<NSManagedObjectID> = []
    /// The permanent IDs of objects that earlier elements reported with temporary ones.
    public internal(set) var permanentIDs: [NSManagedObjectID: NSManagedObjectID] = [:]
    /// Whether the context was reset, so that its objects must no longer be used.
    public internal(set) var invalidatesAll = false
  }
}

extension NSManagedObjectContext.Change {
  /// Reads the objects of a notification.
  init(_ notice: Notification) {
    func ids(_ key: String) -> Set<NSManagedObjectID> {
      Set((notice.userInfo?[key] as? Set<NSManagedObject> ?? []).map(\.objectID))
    }
    inserted = ids(NSInsertedObjectsKey)
    updated = ids(NSUpdatedObjectsKey)
    deleted = ids(NSDeletedObjectsKey)
    refreshed = ids(NSRefreshedObjectsKey)
    invalidatesAll = notice.userInfo?[NSInvalidatedAllObjectsKey] != nil
  }

  /// Adds later changes.
  mutating func append(_ later: Self) {
    if later.invalidatesAll {
      self = later
      return
    }
    inserted.formUnion(later.inserted)
    updated.formUnion(later.updated)
    refreshed.formUnion(later.refreshed)
    // An object that came back is not deleted.
    deleted = deleted.subtracting(later.inserted).union(later.deleted)
    for id in later.deleted {
      for set in [\Self.inserted, \.updated, \.refreshed] { self[keyPath: set].remove(id) }
    }
    permanentIDs.merge(later.permanentIDs) { _, new in new }
  }

  /// Replaces a new object's temporary ID by its permanent one.
  mutating func rename(_ old: NSManagedObjectID, to new: NSManagedObjectID) {
    var isKnown = false
    for set in [\Self.inserted, \.updated, \.deleted, \.refreshed] where self[keyPath: set].remove(old) != nil {
      self[keyPath: set].insert(new)
      isKnown = isKnown || set == \.inserted
    }
    if !isKnown { permanentIDs[old] = new }
  }
}
