import CoreData

/// Fetches with predicates, and batch requests.
extension GraphSession {
  /// A condition, for the framework and for the plain model.
  private struct Condition {
    let entity: String
    let format: String
    let holds: (Graph, Int) -> Bool
  }

  private func condition(_ step: Step, for graph: Graph) -> Condition {
    let other = graph.liveKeys.choose(step.d) ?? 0
    let number = step.d % 100
    return switch step.c % 7 {
    case 0: Condition(entity: "Work", format: "price > \(number)") { $0.records[$1]?.numbers["price"] ?? -1 > number }
    case 1: Condition(entity: "Work", format: "author.key == \(other)") { $0.target("author", of: $1) == other }
    case 2: Condition(entity: "Work", format: "ANY tags.key == \(other)") { $0.members("tags", of: $1).contains(other) }
    case 3:
      Condition(entity: "Person", format: "works.@count > \(number % 3)") {
        $0.members("works", of: $1).count > number % 3
      }
    case 4: Condition(entity: "Chapter", format: "work == nil") { $0.records[$1]?.one["work"] == nil }
    case 5:
      Condition(entity: "Shelf", format: "ANY works.key == \(other)") { $0.members("works", of: $1).contains(other) }
    default: Condition(entity: "Album", format: "code != nil") { $0.records[$1]?.texts["code"] != nil }
    }
  }

  func fetch(_ step: Step) throws {
    guard let context = contexts.choose(step.b) else { return }
    let graph = context.graph
    let condition = condition(step, for: graph)
    let expected = graph.liveKeys(of: condition.entity).filter { condition.holds(graph, $0) }
    log("\(context.name): fetch(\"\(condition.entity)\", \"\(condition.format)\")")
    let found = try context.perform {
      let request = NSFetchRequest<NSManagedObject>(entityName: condition.entity)
      request.predicate = NSPredicate(format: condition.format)
      if step.d % 3 == 0 { request.fetchBatchSize = 2 }
      if step.d % 4 == 0 {
        request.relationshipKeyPathsForPrefetching = GraphSchema.relationships(of: condition.entity)
          .filter { !$0.isTransient }.map(\.name)
      }
      let objects = try context.context.fetch(request)
      let count = try context.context.count(for: request)
      guard count == objects.count else {
        throw GraphFailure("\(context.name): count is \(count), not \(objects.count)")
      }
      return objects.compactMap { ($0.value(forKey: GraphSchema.key) as? NSNumber)?.intValue }.sorted()
    }
    guard found != expected else { return }
    throw GraphFailure(
      "\(context.name): fetch(\(condition.entity), \(condition.format)) found \(found), not \(expected)")
  }

  /// Performs a batch request, and merges it into every context.
  func batch(_ step: Step) throws {
    guard store.kind.isShared, !contexts.contains(where: \.isDirty) else { return }
    let root = roots[active]
    let changes = try root.perform { () throws -> [AnyHashable: Any] in
      switch step.b % 3 {
      case 0: try updateBatch(step, in: root)
      case 1: try deleteBatch(step, in: root)
      default: try insertBatch(step, in: root)
      }
    }
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: contexts.map(\.context))
    for each in contexts {
      each.graph = saved
      each.clearUndo()
      each.dropGone()
    }
    // The commit of the clock follows the batch's, and other coordinators merge in that order.
    try save(root, policy: 0)
  }

  private func updateBatch(_ step: Step, in root: GraphContext) throws -> [AnyHashable: Any] {
    let (limit, price) = (step.c % 100, step.d % 100)
    log("\(root.name): batch update of Work where price > \(limit): price = \(price)")
    let request = NSBatchUpdateRequest(entityName: "Work")
    request.predicate = NSPredicate(format: "price > %d", limit)
    request.propertiesToUpdate = ["price": price]
    request.resultType = .updatedObjectIDsResultType
    let result = try root.context.execute(request) as? NSBatchUpdateResult
    for key in saved.liveKeys(of: "Work") where saved.records[key]?.numbers["price"] ?? -1 > limit {
      saved.set("price", of: key, to: price)
    }
    return [NSUpdatedObjectsKey: result?.result as? [NSManagedObjectID] ?? []]
  }

  private func deleteBatch(_ step: Step, in root: GraphContext) throws -> [AnyHashable: Any] {
    guard let entity = ["Note", "Tag"].choose(step.c), let last = saved.liveKeys(of: entity).choose(step.d) else {
      return [:]
    }
    log("\(root.name): batch delete of \(entity) where key <= \(last)")
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
    fetch.predicate = NSPredicate(format: "key <= %d", last)
    let request = NSBatchDeleteRequest(fetchRequest: fetch)
    request.resultType = .resultTypeObjectIDs
    let result = try root.context.execute(request) as? NSBatchDeleteResult
    for key in saved.liveKeys(of: entity) where key <= last { saved.delete(key) }
    saved.purge()
    return [NSDeletedObjectsKey: result?.result as? [NSManagedObjectID] ?? []]
  }

  private func insertBatch(_ step: Step, in root: GraphContext) throws -> [AnyHashable: Any] {
    guard saved.liveKeys.count < 24 else { return [:] }
    let keys = [makeKey(), makeKey()]
    log("\(root.name): batch insert of Tag with keys \(keys)")
    let request = NSBatchInsertRequest(entityName: "Tag", objects: keys.map { ["key": $0, "name": "batch"] })
    request.resultType = .objectIDs
    let result = try root.context.execute(request) as? NSBatchInsertResult
    for key in keys {
      saved.insert(key, entity: "Tag")
      saved.set("name", of: key, to: "batch")
    }
    return [NSInsertedObjectsKey: result?.result as? [NSManagedObjectID] ?? []]
  }
}
