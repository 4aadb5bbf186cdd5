import CoreData

/// Imports feeds with a separate coordinator, so that the import and the user interface do not wait for each other. It could
/// also run in another process.
public final class QuakeImporter: Sendable {
  static let author = "importer"
  let coordinator: NSPersistentStoreCoordinator

  public init(model: NSManagedObjectModel, storeURL: URL) throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: storeURL,
      options: [
        NSPersistentHistoryTrackingKey: true as NSNumber,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber,
      ])
  }

  /// The result of an import.
  public struct Report: Equatable, Sendable {
    public var inserted = 0
    public var updated = 0
    public var unchanged = 0

    public init(inserted: Int = 0, updated: Int = 0, unchanged: Int = 0) {
      self.inserted = inserted
      self.updated = updated
      self.unchanged = unchanged
    }
  }

  /// Saves the new and updated earthquakes of a feed.
  /// - Parameter batchSize: the number of earthquakes that are in memory at a time and saved together.
  public func importQuakes(from json: Data, batchSize: Int = 128) async throws -> Report {
    let records = try QuakeFeed(json: json).quakes
    var report = Report()
    for start in stride(from: 0, to: records.count, by: batchSize) {
      try Task.checkCancellation()
      let batch = Array(records[start..<min(start + batchSize, records.count)])
      let context = newContext()
      let done = try await context.perform {
        let done = try Self.importBatch(batch, in: context)
        if context.hasChanges { try context.save() }
        return done
      }
      report.inserted += done.inserted
      report.updated += done.updated
      report.unchanged += done.unchanged
    }
    return report
  }

  func newContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    context.transactionAuthor = Self.author
    context.undoManager = nil
    return context
  }

  private static func importBatch(_ batch: [QuakeFeed.Record], in context: NSManagedObjectContext) throws -> Report {
    let request: NSFetchRequest<Quake> = Quake.fetchRequest()
    request.predicate = NSPredicate(format: "code IN %@", batch.map(\.code))
    var known: [String: Quake] = [:]
    for quake in try context.fetch(request) { known[quake.code ?? ""] = quake }

    var report = Report()
    for record in batch {
      if let quake = known[record.code] {
        guard quake.updated.map({ $0 < record.updated }) ?? true else {
          report.unchanged += 1
          continue
        }
        quake.update(from: record)
        report.updated += 1
      } else {
        let quake = Quake(context: context)
        quake.update(from: record)
        known[record.code] = quake
        report.inserted += 1
      }
    }
    return report
  }
}

extension Quake {
  func update(from record: QuakeFeed.Record) {
    code = record.code
    magnitude = record.magnitude
    place = record.place
    time = record.time
    updated = record.updated
  }
}
