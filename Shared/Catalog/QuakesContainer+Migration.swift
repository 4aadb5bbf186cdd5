import CoreData
import Foundation

extension QuakesContainer {
  /// Completes what a lightweight migration from an earlier model leaves open.
  ///
  /// The first model does not have times of reports and aliases. The first two do not have the time of the first import,
  /// and the second keeps the doubt about a feed as a snapshot.
  ///
  /// - Throws: `Failure` with status 4.
  func completeMigration(of location: StoreLocation) throws(Failure) {
    let context = newBackgroundContext()
    // Another program completes the same migration with the same values.
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    do {
      try context.performAndWait {
        let incomplete: NSFetchRequest<Quake> = Quake.fetchRequest()
        incomplete.predicate = NSPredicate(format: "firstSeen == nil")
        incomplete.fetchLimit = 1
        guard try !context.fetch(incomplete).isEmpty else { return }
        try context.forEachPart("said == nil") { $0.completeFirstModel() }
        try context.moveDoubts()
        try context.copyFirstImports()
        try context.forEachPart("firstSeen == nil") { $0.completeFirstImport() }
      }
    } catch {
      throw Failure.saving(location, error: error)
    }
  }
}

extension NSManagedObjectContext {
  /// Changes and saves the matching earthquakes in parts, until none matches.
  fileprivate func forEachPart(_ format: String, _ change: (Quake) -> Void) throws {
    let request: NSFetchRequest<Quake> = Quake.fetchRequest()
    request.predicate = NSPredicate(format: format)
    request.fetchLimit = 1000
    while case let quakes = try fetch(request), !quakes.isEmpty {
      for quake in quakes { change(quake) }
      try save()
      reset()
    }
  }

  /// Most earthquakes have one state, so no objects are needed for the time of its import.
  fileprivate func copyFirstImports() throws {
    let update = NSBatchUpdateRequest(entityName: "Quake")
    update.predicate = NSPredicate(format: "firstSeen == nil AND revisions.@count == 0")
    update.propertiesToUpdate = ["firstSeen": CoreData.NSExpression(forKeyPath: "learnt")]
    try execute(update)
  }

  private static let doubtMark = "?"

  /// Makes snapshots such as `all_week?` doubts about the feed.
  fileprivate func moveDoubts() throws {
    let request = NSFetchRequest<Snapshot>(entityName: "Snapshot")
    request.predicate = NSPredicate(format: "feed ENDSWITH %@", argumentArray: [Self.doubtMark])
    request.sortDescriptors = [NSSortDescriptor(key: "generated", ascending: true)]
    for snapshot in try fetch(request) {
      let name = String((snapshot.feed ?? "").dropLast(Self.doubtMark.count))
      if let feed = try fetch(Feed.named(name)).first ?? fetch(Feed.all()).first {
        (feed.doubtFeed, feed.doubtGenerated, feed.doubtListed) = (name, snapshot.generated, snapshot.listed)
      }
      delete(snapshot)
    }
    if hasChanges { try save() }
  }
}

extension Quake {
  fileprivate func completeFirstModel() {
    let said = updated ?? time ?? Date(timeIntervalSince1970: 0)
    (self.said, firstSaid, learnt) = (said, said, said)
    guard let context = managedObjectContext else { return }
    for identifier in (ids ?? "").split(separator: ",").map(String.init) where identifier != self.identifier {
      let alias = Alias(context: context)
      (alias.identifier, alias.quake) = (identifier, self)
    }
  }

  fileprivate func completeFirstImport() {
    let times = revisions.compactMap(\.learnt) + [learnt].compactMap { $0 }
    firstSeen = times.min() ?? Date(timeIntervalSince1970: 0)
  }
}
