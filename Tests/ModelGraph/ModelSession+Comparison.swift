import SwiftData

/// Comparing contexts and the store with the plain graphs.
extension ModelSession {
  func require(_ differences: [String], _ place: String) throws {
    if !differences.isEmpty { throw GraphFailure("\(place): \(differences.prefix(6).joined(separator: "; "))") }
  }

  /// Reads the store in a container of its own.
  func readStore() throws -> PlainGraph {
    try Reader(space: Space("a new container", try makeContainer(), Identifiers()), isValid: true).all()
  }

  func compareStore() throws { try require(saved.differences(from: try readStore()), "the store") }

  func compare(_ space: Space, way: Int) throws {
    if way % 4 & 1 != 0 { try compareHeld(space) }
    if way % 4 & 2 != 0 {
      try require(space.graph.differences(from: try Reader(space: space).all()), "\(space.name), fetched")
    }
    if way % 5 == 0 { try compareChanges(of: space) }
  }

  /// Compares the models that the test retains.
  private func compareHeld(_ space: Space) throws {
    let reader = Reader(space: space)
    for (key, model) in space.held.sorted(by: { $0.key < $1.key }) {
      if let record = space.detached.records[key] {
        try compareDetached(model, record, in: space)
      } else if let record = space.gone[key] {
        guard reader.attributes(of: model) == record else {
          throw GraphFailure("\(space.name): \(key), which is gone, has \(reader.attributes(of: model)), not \(record)")
        }
      } else if space.graph.isLive(key) {
        var actual = space.graph
        actual.records[key] = reader.record(of: model)
        try require(space.graph.differences(from: actual, key: key), "\(space.name), retained")
        guard !model.isDeleted, model.modelContext === space.context else {
          throw GraphFailure("\(space.name): \(key) is not in its context")
        }
      } else if !model.isDeleted {
        // Deleted before it was saved: not in the context any more.
        if saved.isLive(key) { throw GraphFailure("\(space.name): \(key) does not say that it is deleted") }
      }
    }
  }

  private func compareDetached(_ model: any GraphModel, _ record: PlainGraph.Record, in space: Space) throws {
    guard Reader(space: space).attributes(of: model) == record.alone, model.modelContext == nil else {
      throw GraphFailure("\(space.name): the new \(record.kind) \(model.key) has changed")
    }
    for link in record.kind.links {
      let (actual, expected) = (link.read(model).map(\.key), record.links[link.name] ?? [])
      if actual != expected {
        throw GraphFailure("\(space.name): \(link.name) of the new \(model.key) is \(actual), must be \(expected)")
      }
    }
  }

  /// Compares the lists of changes.
  private func compareChanges(of space: Space) throws {
    func keys(_ models: [any PersistentModel]) -> [Int] { models.compactMap { ($0 as? any GraphModel)?.key }.sorted() }
    let graph = space.graph
    let inserted = graph.liveKeys.filter { !saved.isLive($0) }
    let deleted = graph.records.filter { $0.value.isDeleted && saved.isLive($0.key) }.keys.sorted()
    let changed = graph.liveKeys.filter { saved.isLive($0) && graph.records[$0]?.alone != saved.records[$0]?.alone }
    // A deletion of another object may be noticed with the next fetch.
    space.context.processPendingChanges()
    let context = space.context
    guard keys(context.insertedModelsArray) == inserted, keys(context.deletedModelsArray) == deleted,
      Set(keys(context.changedModelsArray)).isSuperset(of: changed)
    else {
      throw GraphFailure(
        "\(space.name): the context lists \(keys(context.insertedModelsArray)) as inserted, "
          + "\(keys(context.deletedModelsArray)) as deleted and \(keys(context.changedModelsArray)) as changed, "
          + "must list \(inserted), \(deleted) and at least \(changed)")
    }
    if !(inserted + deleted + changed).isEmpty, !context.hasChanges {
      throw GraphFailure("\(space.name): the context says that it has no changes")
    }
  }

  /// Compares what fetches of one condition return.
  func compareFetch(_ kind: Kind, _ query: Query, offset: Int?, limit: Int?, in space: Space) throws {
    let graph = space.graph
    let all = query.keys(kind, in: graph).sorted { first, second in
      let (one, other) = (graph.records[first]?.number ?? .min, graph.records[second]?.number ?? .min)
      return one == other ? first < second : one > other
    }
    let expected = Array(all.dropFirst(offset ?? 0).prefix(limit ?? .max))
    let models = try space.fetch(kind, query, offset: offset, limit: limit)
    let title = "\(space.name): a fetch of each \(kind) with \(query), offset \(offset ?? 0), limit \(limit ?? 0),"
    if models.map(\.key) != expected {
      throw GraphFailure("\(title) found \(models.map(\.key)), must find \(expected)")
    }
    let identifiers = try space.identifiers(kind, query, offset: offset, limit: limit)
    if identifiers != models.map({ $0.persistentModelID }) {
      throw GraphFailure("\(title) found other identifiers than those of its models: \(identifiers)")
    }
    let count = try space.count(kind, query)
    if count != all.count { throw GraphFailure("\(title) counted \(count), must count \(all.count)") }
  }

  /// Checks the identifier of a model.
  func compareIdentifier(_ key: Int, in space: Space) throws {
    let model = try space.model(key)
    let id = model.persistentModelID
    func registered<Model: GraphModel>(_: Model) -> (any GraphModel)? {
      space.context.registeredModel(for: id) as Model?
    }
    guard space.context.model(for: id) === model, registered(model) === model, id == model.id else {
      throw GraphFailure("\(space.name): the identifier of \(key) does not lead to its model")
    }
    guard (id.storeIdentifier != nil) == saved.isLive(key) else {
      throw GraphFailure("\(space.name): the identifier of \(key) has the store \(id.storeIdentifier ?? "nil")")
    }
    if let known = ids.byKey[key], known != id {
      throw GraphFailure("\(space.name): \(key) has the identifier \(id), elsewhere \(known)")
    }
  }
}
