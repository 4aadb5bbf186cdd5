import Foundation
import StrataCoreDataErrors
import StrataRowStore

/// Which moment of its stores a context reads.
enum QueryGeneration {
  /// What is newest when the context next reads.
  case atNextRead
  case at(NSQueryGenerationToken)
  /// Pinned by a token from elsewhere: commits of others are not merged by themselves.
  case shared(NSQueryGenerationToken)
}

extension NSManagedObjectContext {
  /// The moment that the context reads: `.current` until it has read, and again after a save, a merge and a reset; nil
  /// while it is not pinned, always of a context that has a parent, and if no store can keep a moment.
  public var queryGenerationToken: NSQueryGenerationToken? {
    switch generation {
    case nil: nil
    case .atNextRead: .current
    case .at(let token), .shared(let token): token
    }
  }

  /// Pins the context to a moment: to what is newest when it next reads, for `.current`; to the moment of another
  /// context, for its token; to none, for nil. Objects that the context has already keep their values until they are
  /// refreshed. Saves always go to the rows as they are now, so a save from an old moment can be in conflict with them.
  ///
  /// Stores in memory, and SQLite stores whose journal is no WAL, stay unpinned without a word.
  /// - Throws: 134091 for a context that has a parent, which reads what the parent reads, and for a token of another
  ///   coordinator.
  public func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
    checkQueue()
    guard parent == nil else {
      throw CocoaError.coreData(
        .unsupported, "A context with a parent reads what its parent reads: set the query generation of the parent.")
    }
    guard let generation else {
      self.generation = nil
      return
    }
    guard let moment = generation.moment else {
      self.generation = .atNextRead
      return
    }
    guard let source, moment.origin == ObjectIdentifier(source) else {
      throw CocoaError.coreData(
        .unsupported, "The query generation is of another coordinator's stores than the context's.")
    }
    self.generation = .shared(generation)
  }

  /// The source at the context's moment, which begins now if it was to begin at the next read.
  func pinnedSource() throws -> (any ObjectSource)? {
    switch generation {
    case .at(let token), .shared(let token): return token.moment?.source
    case nil: return source
    case .atNextRead:
      guard let source else { return nil }
      guard let pinned = try storeErrors({ try source.pinned() }) else {
        generation = nil
        return source
      }
      generation = .at(NSQueryGenerationToken(pinned, of: source))
      return pinned
    }
  }

  /// Lets go of the moment: the next read is of a new one. Does nothing if the context is not pinned.
  func advanceGeneration() {
    if generation != nil { generation = .atNextRead }
  }

  /// Whether commits of others are merged by themselves, though the context is pinned. A merge begins a new moment, and
  /// one that was chosen by a token is to last.
  var keepsItsMoment: Bool {
    if case .shared = generation { true } else { false }
  }
}
