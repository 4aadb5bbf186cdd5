import CoreData
import Synchronization

/// A context under test, and what it must report.
final class GraphContext {
  let name: String
  let context: NSManagedObjectContext
  let parent: GraphContext?
  private(set) var children: [GraphContext] = []
  /// The objects that the test retains, by key.
  private var held: [Int: NSManagedObject] = [:]
  /// The expected contents of the context.
  var graph = Graph()
  /// Whether the context may have unsaved changes.
  var isDirty = false
  /// Whether the context does not merge at the moment.
  var isStale = false
  /// The graphs that undo and redo return to.
  private(set) var undoGraphs: [Graph] = []
  private(set) var redoGraphs: [Graph] = []
  /// The number of the newest commit that the context made or merged.
  private let commits = CommitCounter()
  private var mergeObserver: (any NSObjectProtocol)?
  private let marker = NSObject()
  private let ids: PermanentIDs

  init(_ name: String, _ context: NSManagedObjectContext, parent: GraphContext? = nil, ids: PermanentIDs) {
    (self.name, self.context, self.parent, self.ids) = (name, context, parent, ids)
    context.name = name
    parent?.children.append(self)
  }

  deinit {
    if let mergeObserver { NotificationCenter.default.removeObserver(mergeObserver) }
  }

  /// Records the commits that the context merges. Each inserts an object with its number. A value of a registered object
  /// would not suffice: an earlier merge can turn it into a fault, which reads the newest value.
  func recordMerges() {
    mergeObserver = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidMergeChangesObjectIDs, object: context, queue: nil
    ) { [commits, weak context] note in
      let inserted = note.userInfo?[NSManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue]
      for id in inserted as? Set<NSManagedObjectID> ?? [] where id.entity.name == GraphSchema.clock {
        guard let tick = context?.object(with: id).value(forKey: "tick") as? Int else { continue }
        commits.record(tick)
      }
    }
  }

  /// The number of the newest commit that the context made or merged.
  var tick: Int { commits.newest }

  func recordTick(_ tick: Int) { commits.record(tick) }

  var root: GraphContext { parent?.root ?? self }

  /// The context and its descendants, parents first.
  var family: [GraphContext] { [self] + children.flatMap(\.family) }

  /// Whether a descendant has unsaved changes.
  var hasDirtyDescendants: Bool { family.dropFirst().contains(where: \.isDirty) }

  /// Runs `body` on the context's queue.
  func perform<T>(_ body: () throws -> T) rethrows -> T {
    try withoutActuallyEscaping(body) { body in
      nonisolated(unsafe) let body = body
      nonisolated(unsafe) var result: T?
      try context.performAndWait { result = try body() }
      guard let result else { fatalError("performAndWait did not run its block.") }
      return result
    }
  }
}

/// The number of the newest commit that a context made or merged. Notifications write it on the context's queue.
private final class CommitCounter: Sendable {
  private let number = Mutex(0)

  var newest: Int { number.withLock(\.self) }

  func record(_ tick: Int) { number.withLock { $0 = max($0, tick) } }
}

/// Objects by key.
extension GraphContext {
  func hold(_ object: NSManagedObject, as key: Int) { held[key] = object }

  func drop(_ key: Int) { held[key] = nil }

  func dropAll() { held = [:] }

  /// Drops the references to objects that must not exist any more.
  func dropGone() { held = held.filter { graph.isLive($0.key) } }

  /// Returns an object: a retained one, or one that its ID or a fetch finds.
  func object(_ key: Int) throws -> NSManagedObject {
    if let known = held[key], known.managedObjectContext != nil, !known.isDeleted { return known }
    let object = try find(key)
    if key % 2 == 0 { held[key] = object }
    return object
  }

  private func find(_ key: Int) throws -> NSManagedObject {
    if let uri = ids.uri(of: key), let id = context.rootCoordinator?.managedObjectID(forURIRepresentation: uri) {
      return context.object(with: id)
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: graph.entity(of: key))
    request.predicate = NSPredicate(format: "key == %d", key)
    let found = try context.fetch(request)
    guard let object = found.first, found.count == 1 else {
      throw GraphFailure("\(name): a fetch of \(graph.entity(of: key)) \(key) found \(found.count) objects")
    }
    return object
  }

  /// Records the permanent IDs of the saved objects that the test retains.
  func recordIDs() {
    for (key, object) in held
    where graph.isLive(key) && object.managedObjectContext != nil && !object.isDeleted
      && !object.objectID.isTemporaryID
    {
      ids.record(object.objectID.uriRepresentation(), of: key)
    }
  }
}

/// Undo.
extension GraphContext {
  var canUndo: Bool { !undoGraphs.isEmpty }
  var canRedo: Bool { !redoGraphs.isEmpty }

  /// Performs changes as one undo group.
  func group(_ body: () throws -> Void) rethrows {
    guard let manager = context.undoManager else {
      try body()
      return context.processPendingChanges()
    }
    context.processPendingChanges()
    manager.beginUndoGrouping()
    defer {
      context.processPendingChanges()
      registerMarker(in: manager)
      manager.endUndoGrouping()
    }
    try body()
  }

  /// Prevents empty groups: the manager drops them, but the test counts them.
  private func registerMarker(in manager: UndoManager) {
    manager.registerUndo(withTarget: marker) { [weak self] _ in
      if let self, let manager = self.context.undoManager { self.registerMarker(in: manager) }
    }
  }

  /// Records the graph before a group of changes.
  func recordUndo(to graph: Graph) {
    guard context.undoManager != nil else { return }
    undoGraphs.append(graph)
    redoGraphs = []
  }

  func undo() {
    perform { context.undo() }
    redoGraphs.append(graph)
    graph = undoGraphs.removeLast().withoutLinksToDeleted(unlessIn: graph)
  }

  func redo() {
    perform { context.redo() }
    undoGraphs.append(graph)
    graph = redoGraphs.removeLast().withoutLinksToDeleted(unlessIn: graph)
  }

  /// Clears the undo stack, after a change in another context.
  func clearUndo() {
    if let manager = context.undoManager {
      perform {
        context.processPendingChanges()
        manager.removeAllActions()
      }
    }
    (undoGraphs, redoGraphs) = ([], [])
  }

  /// Removes references without an inverse to objects whose deletion is saved: undo cannot restore them.
  ///
  /// If the owner is deleted too, undo restores them or not, depending on which of the two was deleted first. In this case
  /// the undo stack is cleared.
  func removeLinks(to keys: Set<Int>) {
    if (undoGraphs + redoGraphs).contains(where: { $0.hasPlainLinks(from: keys, to: keys) }) { return clearUndo() }
    for index in undoGraphs.indices { undoGraphs[index].removePlainLinks(to: keys) }
    for index in redoGraphs.indices { redoGraphs[index].removePlainLinks(to: keys) }
  }
}

/// The permanent IDs of objects as URIs, which every coordinator of the store resolves.
final class PermanentIDs {
  private var uris: [Int: URL] = [:]

  func uri(of key: Int) -> URL? { uris[key] }
  func record(_ uri: URL, of key: Int) { uris[key] = uri }
  func forget(_ key: Int) { uris[key] = nil }
}

extension NSManagedObjectContext {
  var rootCoordinator: NSPersistentStoreCoordinator? {
    persistentStoreCoordinator ?? parent?.rootCoordinator
  }
}

struct GraphFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
