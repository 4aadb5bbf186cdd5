import Foundation
import StrataRowStore

/// Which snapshot of its stores a context reads.
enum QueryGeneration {
  /// The newest snapshot at the next read.
  case atNextRead
  case at(NSQueryGenerationToken)
  /// Pinned by a token from another context: commits of others are not merged automatically.
  case shared(NSQueryGenerationToken)
}

extension NSManagedObjectContext {
  /// The query generation that the context reads; nil if it is not pinned.
  ///
  /// It is `.current` until the context has read, and again after a save, a merge or a reset. It is always nil for a
  /// child context, and if no store supports query generations.
  public var queryGenerationToken: NSQueryGenerationToken? {
    switch sourceState.generation {
    case nil: nil
    case .atNextRead: .current
    case .at(let token), .shared(let token): token
    }
  }

  /// Pins the context to a query generation: `.current` for the newest one at the next read, a token of another context
  /// for that one's, nil for none.
  ///
  /// Objects that the context already has keep their values until they are refreshed. Saves always write to the newest
  /// rows, and can conflict with them. In-memory stores, and SQLite stores without a write-ahead log, silently stay
  /// unpinned.
  ///
  /// ```swift
  /// try context.setQueryGenerationFrom(.current)
  /// let count = try context.count(for: Book.fetchRequest())
  /// let books = try context.fetch(Book.fetchRequest())  // As many as counted.
  ///
  /// try context.setQueryGenerationFrom(.current)  // Go on to the newest rows.
  /// context.refreshAllObjects()
  /// ```
  /// - Throws: `CocoaError` 134091 for a child context, which reads what its parent reads, and for a token of another
  ///   coordinator.
  public func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
    checkQueue()
    guard parent == nil else {
      throw CocoaError.coreData(
        .unsupported, "A context with a parent reads what its parent reads: set the query generation of the parent.")
    }
    guard let generation else {
      sourceState.generation = nil
      return
    }
    guard let snapshot = generation.snapshot else {
      sourceState.generation = .atNextRead
      return
    }
    guard let source, snapshot.origin == ObjectIdentifier(source) else {
      throw CocoaError.coreData(
        .unsupported, "The query generation is of another coordinator's stores than the context's.")
    }
    sourceState.generation = .shared(generation)
  }

  /// Returns the pinned source, and takes the snapshot now if it was to be taken at the next read.
  func pinnedSource() throws -> (any ObjectSource)? {
    switch sourceState.generation {
    case .at(let token), .shared(let token): return token.snapshot?.source
    case nil: return source
    case .atNextRead:
      guard let source else { return nil }
      guard let pinned = try storeErrors({ try source.pinned() }) else {
        sourceState.generation = nil
        return source
      }
      sourceState.generation = .at(NSQueryGenerationToken(pinned, of: source))
      return pinned
    }
  }

  /// Releases the snapshot: the next read takes a new one. Does nothing if the context is not pinned.
  func advanceGeneration() {
    if sourceState.generation != nil { sourceState.generation = .atNextRead }
  }

  /// Has the context and those below it, on their queues, take new snapshots: the one in use is of a store that another
  /// one replaced.
  package func leaveSnapshots() {
    guard isCurrent else {
      enqueue { [reference = ContextReference(self)] in reference.context?.leaveSnapshots() }
      return
    }
    advanceGeneration()
  }

  /// Whether the context keeps its snapshot when others commit. A merge starts a new snapshot, but one chosen by a
  /// token must last.
  var keepsSnapshot: Bool {
    if case .shared = sourceState.generation { true } else { false }
  }
}
