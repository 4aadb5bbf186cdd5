import CoreData
import Foundation
import SwiftData

/// A context under test, and what it must report.
final class Space {
  let name: String
  let container: ModelContainer
  private(set) var context: ModelContext
  /// The expected contents of the context.
  var graph = PlainGraph()
  /// The models in no context yet.
  var detached = DetachedGraph()
  /// The models whose insertion was rolled back, or whose deletion was saved.
  var gone: [Int: PlainGraph.Record] = [:]
  /// The models that the test retains, by key.
  private(set) var held: [Int: any GraphModel] = [:]
  /// The number of the newest commit that the context has made or merged.
  var tick = 0
  let ids: Identifiers
  var hasUnprocessedDeletion = false
  /// Inserted by a save that failed.
  var clock: GraphClock?

  init(_ name: String, _ container: ModelContainer, _ ids: Identifiers) {
    (self.name, self.container, self.ids, context) = (name, container, ids, ModelContext(container))
  }

  /// Replaces the context, and discards its changes.
  func reopen() {
    (held, gone, detached, clock) = ([:], [:], DetachedGraph(), nil)
    context = ModelContext(container)
  }

  // MARK: Models

  func hold(_ model: any GraphModel, as key: Int) { held[key] = model }

  /// Releases a model, unless only the test has it.
  func release(_ key: Int) {
    if detached.records[key] == nil { held[key] = nil }
    gone[key] = nil
  }

  /// Releases the models that do not exist any more.
  func releaseGone() {
    held = held.filter { graph.records[$0.key] != nil || detached.records[$0.key] != nil || gone[$0.key] != nil }
  }

  /// Returns a model: a retained one, or one that its identifier or a fetch finds.
  func model(_ key: Int) throws -> any GraphModel {
    if let known = held[key] { return known }
    let model = try find(key)
    guard model.key == key else { throw GraphFailure("\(name): the model found for \(key) has key \(model.key)") }
    if key % 2 == 0 { held[key] = model }
    return model
  }

  private func find(_ key: Int) throws -> any GraphModel {
    guard let kind = graph.records[key]?.kind else { throw GraphFailure("\(name): \(key) does not exist") }
    if let id = ids.byKey[key] {
      guard let model = context.model(for: id) as? any GraphModel, Kind(of: model) == kind else {
        throw GraphFailure("\(name): the identifier of \(kind) \(key) leads to another model")
      }
      return model
    }
    let found = try fetch(kind, .key(key))
    guard let model = found.first, found.count == 1 else {
      throw GraphFailure("\(name): a fetch of \(kind) \(key) found \(found.count) models")
    }
    return model
  }

  /// Fetches the models that a condition selects, by number and key.
  func fetch(_ kind: Kind, _ query: Query, offset: Int? = nil, limit: Int? = nil) throws -> [any GraphModel] {
    func fetch<Model: GraphModel>(_: Model.Type) throws -> [any GraphModel] {
      try context.fetch(descriptor(Model.self, query, offset, limit))
    }
    return try fetch(kind.type)
  }

  func count(_ kind: Kind, _ query: Query, offset: Int? = nil, limit: Int? = nil) throws -> Int {
    func count<Model: GraphModel>(_: Model.Type) throws -> Int {
      try context.fetchCount(descriptor(Model.self, query, offset, limit))
    }
    return try count(kind.type)
  }

  func identifiers(_ kind: Kind, _ query: Query, offset: Int? = nil, limit: Int? = nil) throws -> [PersistentIdentifier]
  {
    func fetch<Model: GraphModel>(_: Model.Type) throws -> [PersistentIdentifier] {
      try context.fetchIdentifiers(descriptor(Model.self, query, offset, limit))
    }
    return try fetch(kind.type)
  }

  private func descriptor<Model: GraphModel>(
    _: Model.Type, _ query: Query, _ offset: Int?, _ limit: Int?
  ) -> FetchDescriptor<Model> {
    var descriptor = FetchDescriptor(predicate: Model.predicate(query), sortBy: Model.byNumber)
    (descriptor.fetchOffset, descriptor.fetchLimit) = (offset, limit)
    return descriptor
  }

  // MARK: Merges

  @TaskLocal private static var merging: MergedTicks?

  /// Merges what others have saved, and notes their commits.
  func merge() {
    let ticks = MergedTicks()
    // The context posts notifications while it merges, on this thread.
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidMergeChangesObjectIDs, object: nil, queue: nil
    ) { note in
      let inserted = note.userInfo?[NSManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue]
      for id in inserted as? Set<NSManagedObjectID> ?? [] where id.entity.name == "GraphClock" {
        let clock = (note.object as? NSManagedObjectContext)?.object(with: id)
        if let tick = clock?.value(forKey: "tick") as? Int { Space.merging?.note(tick) }
      }
    }
    Self.$merging.withValue(ticks) { context.processPendingChanges() }
    NotificationCenter.default.removeObserver(observer)
    tick = max(tick, ticks.newest)
  }
}

/// The newest of the commits that a context merges.
private final class MergedTicks: @unchecked Sendable {
  // Sendable: only the thread of the merge uses it.
  private(set) var newest = 0

  func note(_ tick: Int) { newest = max(newest, tick) }
}

/// The identifiers of saved objects, which are valid in all contexts.
final class Identifiers {
  var byKey: [Int: PersistentIdentifier] = [:]
}
