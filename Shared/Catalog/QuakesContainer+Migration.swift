import CoreData
import Foundation

extension QuakesContainer {
  /// Completes what a lightweight migration from the first model leaves open: times of telling, and aliases.
  ///
  /// - Throws: `Failure` with status 4.
  func completeMigration(of location: StoreLocation) throws(Failure) {
    let context = newBackgroundContext()
    do {
      try context.performAndWait {
        let request: NSFetchRequest<Quake> = Quake.fetchRequest()
        request.predicate = NSPredicate(format: "said == nil")
        request.fetchLimit = 1000
        while case let quakes = try context.fetch(request), !quakes.isEmpty {
          for quake in quakes { quake.completeMigration() }
          try context.save()
          context.reset()
        }
      }
    } catch {
      throw Failure.saving(location, error: error)
    }
  }
}

extension Quake {
  fileprivate func completeMigration() {
    let said = updated ?? time ?? Date(timeIntervalSince1970: 0)
    (self.said, firstSaid, learnt) = (said, said, said)
    guard let context = managedObjectContext else { return }
    for identifier in (ids ?? "").split(separator: ",").map(String.init) where identifier != self.identifier {
      let alias = Alias(context: context)
      (alias.identifier, alias.quake) = (identifier, self)
    }
  }
}
