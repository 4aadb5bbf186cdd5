import CoreData
import Foundation
import Testing

/// A context with quakes at places, and controllers that fetch them.
@MainActor
struct FetchedQuakes {
  let container: NSPersistentContainer
  var context: NSManagedObjectContext { container.viewContext }

  /// - Parameter quakes: "place code magnitude" of each quake, which are saved.
  init(_ store: Store, _ quakes: String...) throws {
    container = try store.container()
    container.viewContext.retainsRegisteredObjects = true
    for quake in quakes { insert(quake) }
    try context.save()
  }

  @discardableResult func insert(_ quake: String) -> NSManagedObject {
    let words = quake.split(separator: " ").map(String.init)
    let made = context.insert("Quake", ["code": words[1], "magnitude": Double(words[2]) ?? 0])
    if words[0] != "-" { made.setValue(words[0], forKey: "place") }
    return made
  }

  /// A controller that sorts by section, if it has sections, and by magnitude.
  func controller(
    sections: String? = "place", _ predicate: String? = nil, limit: Int = 0
  ) -> NSFetchedResultsController<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    request.predicate = predicate.map { NSPredicate(format: $0) }
    request.fetchLimit = limit
    request.sortDescriptors =
      (sections.map { [NSSortDescriptor(key: $0, ascending: true)] } ?? [])
      + [NSSortDescriptor(key: "magnitude", ascending: true)]
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: "cache")
  }

  /// A controller with a delegate, after its first fetch.
  func shown(
    _ delegate: any NSFetchedResultsControllerDelegate, sections: String? = "place", _ predicate: String? = nil,
    limit: Int = 0
  ) throws -> NSFetchedResultsController<NSManagedObject> {
    let controller = controller(sections: sections, predicate, limit: limit)
    controller.delegate = delegate
    try controller.performFetch()
    return controller
  }

  /// Returns a registered quake without a fetch, which would process pending changes.
  func quake(_ code: String) throws -> NSManagedObject {
    try #require(context.registeredObjects.first { $0.entity.name == "Quake" && $0.shownCode == code })
  }

  func set(_ value: Any?, _ key: String, of code: String) throws { try quake(code).setValue(value, forKey: key) }

  /// Saves changes in another context, and merges the save.
  func elsewhere(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let other = container.newBackgroundContext()
    nonisolated(unsafe) var saved: Notification?
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: other, queue: nil
    ) { saved = $0 }
    defer { NotificationCenter.default.removeObserver(observer) }
    try other.performAndWait {
      try body(other)
      try other.save()
    }
    context.mergeChanges(fromContextDidSave: try #require(saved))
  }
}

extension NSFetchedResultsController<NSManagedObject> {
  /// "place: codes" of each section.
  var text: [String] {
    (sections ?? []).map { section in
      "\(section.name): "
        + (section.objects ?? []).compactMap { ($0 as? NSManagedObject)?.shownCode }.joined(separator: " ")
    }
  }
}
