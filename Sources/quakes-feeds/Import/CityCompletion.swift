import CoreData
import Foundation
import StrataQuakes

/// Gives the stored earthquakes their nearest cities if the Reference store is another one than the last time, or is new.
struct CityCompletion {
  /// The Catalog's metadata key of the identifier of the Reference store that the nearest cities are from; empty for none.
  private static let key = "QuakesReference"
  private static let batchSize = 1000

  let container: QuakesContainer
  let location: StoreLocation

  /// - Parameters:
  ///   - grid: nil without a Reference store: earthquakes then get their cities once it exists.
  ///   - identifier: the Reference store's.
  /// - Throws: `Failure` with status 4. What was not completed is the next time.
  func run(_ grid: CityGrid?, from identifier: String?) throws(Failure) {
    let coordinator = container.persistentStoreCoordinator
    guard let catalog = container.store(.catalog) else { return }
    var metadata = coordinator.metadata(for: catalog)
    guard metadata[Self.key] as? String ?? "" != identifier ?? "" else { return }
    metadata[Self.key] = identifier ?? ""
    let context = container.newBackgroundContext()
    context.transactionAuthor = "quakes-fetch"
    // Another worker that changed an earthquake in the meantime also set its city.
    context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
    do {
      try context.performAndWait {
        if let grid { try complete(grid, in: context) }
      }
      coordinator.setMetadata(metadata, for: catalog)
      try context.performAndWait { try context.save() }
    } catch {
      throw Failure.saving(location, error: error)
    }
  }

  private func complete(_ grid: CityGrid, in context: NSManagedObjectContext) throws {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Quake")
    request.resultType = .managedObjectIDResultType
    let ids = try context.fetch(request)
    for start in stride(from: 0, to: ids.count, by: Self.batchSize) {
      let batch = Quake.fetchRequest()
      let part = Array(ids[start..<min(start + Self.batchSize, ids.count)])
      batch.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [part])
      batch.returnsObjectsAsFaults = false
      for quake in try context.fetch(batch) { quake.findCity(in: grid) }
      try context.save()
      context.reset()
    }
  }
}

extension FetchRun {
  /// Reads the cities of the Reference store, and completes the earthquakes that were stored without it.
  ///
  /// - Returns: nil if the store does not exist or, with a warning, if it cannot be used. Earthquakes are stored anyway.
  func readCities(of container: QuakesContainer) -> CityGrid? {
    var (grid, identifier): (CityGrid?, String?)
    do throws(Failure) {
      if let reference = ReferenceLocation.find() { (grid, identifier) = try container.cityGrid(reference) }
    } catch {
      log.problem(error.message)
    }
    do throws(Failure) {
      try CityCompletion(container: container, location: location).run(grid, from: identifier)
    } catch {
      log.problem(error.message)
    }
    return grid
  }
}
