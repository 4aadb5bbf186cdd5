import Foundation

extension NSManagedObjectContext {
  /// What happens to the objects of the context, as it happens: a loop over it waits for the next
  /// `NSManagedObjectContextObjectsDidChange`.
  ///
  /// This is not Apple's, where a program observes the notification. The elements have ids only and may go to any task.
  /// What happens while a loop is busy comes to it as one element, so none is lost and none waits for it. A loop hears of
  /// what happens after it began, and ends with its task or with the context, which it does not keep.
  ///
  /// ```swift
  /// for await change in container.viewContext.changes where !change.updated.isEmpty {
  ///   await index.update(change.updated)
  /// }
  /// ```
  public var changes: Changes { Changes(context: self) }

  /// The changes of a context, as they come.
  public struct Changes: AsyncSequence, Sendable {
    public typealias Element = Change
    public typealias Failure = Never

    private let context: ContextReference
    fileprivate init(context: NSManagedObjectContext) { self.context = ContextReference(context) }

    public func makeAsyncIterator() -> Iterator { Iterator(of: context.context) }

    /// Begins to listen when it is made.
    public struct Iterator: AsyncIteratorProtocol {
      private let listener: ChangeListener
      fileprivate init(of context: NSManagedObjectContext?) { listener = ChangeListener(to: context) }

      public mutating func next() async -> Change? { await listener.feed.next() }
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? {
        await listener.feed.next()
      }
    }
  }

  /// What happened to objects of a context, by their ids.
  public struct Change: Sendable, Equatable {
    /// New objects: those that were inserted here, and those that others saved and the context merged. An object that was
    /// not saved yet has a temporary id.
    public internal(set) var inserted: Set<NSManagedObjectID> = []
    /// Objects whose values or relationships were changed here.
    public internal(set) var updated: Set<NSManagedObjectID> = []
    /// Objects that were deleted, here or by others.
    public internal(set) var deleted: Set<NSManagedObjectID> = []
    /// Objects that take what others saved, or what a refresh or a rollback left of them.
    public internal(set) var refreshed: Set<NSManagedObjectID> = []
    /// What temporary ids of earlier elements became when their objects were saved.
    public internal(set) var permanentIDs: [NSManagedObjectID: NSManagedObjectID] = [:]
    /// Whether the context was reset: no object that it had is of use any more.
    public internal(set) var invalidatesAll = false
  }
}

extension NSManagedObjectContext.Change {
  /// The objects of a notification.
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

  /// Adds what happened later.
  mutating func append(_ later: Self) {
    if later.invalidatesAll { return self = later }
    inserted.formUnion(later.inserted)
    updated.formUnion(later.updated)
    refreshed.formUnion(later.refreshed)
    // What came again is there.
    deleted = deleted.subtracting(later.inserted).union(later.deleted)
    for id in later.deleted {
      for set in [\Self.inserted, \.updated, \.refreshed] { self[keyPath: set].remove(id) }
    }
    permanentIDs.merge(later.permanentIDs) { _, new in new }
  }

  /// Names a new object as it is called once it is saved.
  mutating func rename(_ old: NSManagedObjectID, to new: NSManagedObjectID) {
    var isKnown = false
    for set in [\Self.inserted, \.updated, \.deleted, \.refreshed] where self[keyPath: set].remove(old) != nil {
      self[keyPath: set].insert(new)
      isKnown = isKnown || set == \.inserted
    }
    if !isKnown { permanentIDs[old] = new }
  }
}
