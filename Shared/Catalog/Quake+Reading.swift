import CoreData
import Foundation

extension Quake {
  /// The maximum number of objects in memory during large reads.
  private static let batchSize = 500

  /// Visits the matches of a request in its order, with memory for a few hundred of them only.
  ///
  /// Resets the context, which should be the caller's own; all batches are read from one query generation.
  ///
  /// - Parameter visit: returns whether to continue.
  /// - Throws: what `fetch` or `visit` throws.
  public static func forEach(
    _ request: NSFetchRequest<Quake>, in context: NSManagedObjectContext, visit: (Quake) throws -> Bool
  ) throws {
    try context.setQueryGenerationFrom(.current)
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Quake")
    ids.resultType = .managedObjectIDResultType
    (ids.predicate, ids.sortDescriptors) = (request.predicate, request.sortDescriptors)
    ids.fetchLimit = request.fetchLimit
    try forEach(context.fetch(ids), sortedBy: request, in: context, visit: visit)
  }

  /// - Parameter request: has the order, which is that of the IDs, and what to prefetch; nil to keep the IDs' order.
  static func forEach(
    _ ids: [NSManagedObjectID], sortedBy request: NSFetchRequest<Quake>?, in context: NSManagedObjectContext,
    visit: (Quake) throws -> Bool
  ) throws {
    for start in stride(from: 0, to: ids.count, by: batchSize) {
      let part = Array(ids[start..<min(start + batchSize, ids.count)])
      let batch = NSFetchRequest<Quake>(entityName: "Quake")
      batch.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [part])
      batch.sortDescriptors = request?.sortDescriptors
      batch.relationshipKeyPathsForPrefetching = request?.relationshipKeyPathsForPrefetching
      batch.returnsObjectsAsFaults = false
      var quakes = try context.fetch(batch)
      if request == nil {
        let known = Dictionary(uniqueKeysWithValues: quakes.map { ($0.objectID, $0) })
        quakes = part.compactMap { known[$0] }
      }
      for quake in quakes where try !visit(quake) { return }
      context.reset()
    }
  }

  /// Origin times are revised by a minute or so; a state of the past may lie on the other side of a limit.
  private static let timeRevision: TimeInterval = 3600

  /// The states at a time of the earthquakes that a query matched then, in the query's order.
  public static func states(
    asOf time: Date, _ query: QuakeQuery, in context: NSManagedObjectContext
  ) throws -> [QuakeState] {
    let request: NSFetchRequest<Quake> = fetchRequest()
    var parts = [NSPredicate(format: "firstSaid == nil OR firstSaid <= %@", argumentArray: [time])]
    if let since = query.filter.since {
      parts.append(NSPredicate(format: "time >= %@", argumentArray: [since.addingTimeInterval(-timeRevision)]))
    }
    if let until = query.filter.until {
      parts.append(NSPredicate(format: "time <= %@", argumentArray: [until.addingTimeInterval(timeRevision)]))
    }
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: false)]
    request.relationshipKeyPathsForPrefetching = ["revisions"]
    let filter = StateFilter(query.filter)
    // Of the newest, a few are enough.
    let needed = query.order == .time && !query.isReversed ? query.limit : 0
    var found: [(time: Date, state: QuakeState)] = []
    try forEach(request, in: context) { quake in
      if needed > 0, found.count >= needed, let last = quake.time?.addingTimeInterval(timeRevision),
        found[needed - 1].time > last
      {
        return false
      }
      guard let state = quake.state(asOf: time), filter.matches(state, of: quake.service),
        let time = state.date(.time)
      else { return true }
      // Almost always the last index.
      let index = found.lastIndex { $0.time >= time }.map { $0 + 1 } ?? 0
      found.insert((time, state), at: index)
      return true
    }
    return query.first(found.map(\.state))
  }
}
