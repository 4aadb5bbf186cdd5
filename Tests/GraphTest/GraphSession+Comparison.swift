import CoreData

/// Comparing contexts and the store with the plain graphs.
extension GraphSession {
  func readStore(isNew: Bool) throws -> Graph {
    let coordinator = isNew && store.kind.isOnDisk ? try store.makeCoordinator() : nil
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator ?? roots[active].context.persistentStoreCoordinator
    let reader = GraphReader(context: context, way: 1)
    nonisolated(unsafe) var graph = Graph()
    try context.performAndWait { graph = try reader.all() }
    if coordinator != nil { try store.close() }
    return graph
  }

  /// Saves, and compares everything.
  func finish() throws {
    try settle(policy: 0)
    for context in contexts { try compareAll(context, way: 0) }
    try compareStore(isNew: true)
    try store.closeAll()
  }

  func compareStore(isNew: Bool) throws {
    let stored = try readStore(isNew: isNew)
    try require(saved.differences(from: stored), "the store\(isNew ? ", opened again" : "")")
  }

  func compareAll(_ context: GraphContext, way: Int) throws {
    log("\(context.name): read all, way \(way % 420)")
    let actual = try context.perform { try GraphReader(context: context.context, way: way).all() }
    try require(context.graph.differences(from: actual), "\(context.name), way \(way % 420)")
  }

  func compare(_ key: Int, in context: GraphContext, way: Int) throws {
    let record = try context.perform {
      GraphReader(context: context.context, way: way).record(of: try context.object(key))
    }
    var actual = context.graph
    actual.adopt(record, as: key)
    try require(context.graph.differences(from: actual, key: key), "\(context.name), way \(way % 4)")
  }

  func require(_ differences: [String], _ location: String) throws {
    if !differences.isEmpty { throw GraphFailure("\(location): \(differences.prefix(6).joined(separator: "; "))") }
  }
}
