import CoreData
import Foundation

/// The events of a store in sections by writer, sorted by number, maintained only from the callbacks of a fetched
/// results controller.
@MainActor
final class EventList: NSObject {
  private typealias Change = (object: NSManagedObject, old: IndexPath?, new: IndexPath?)

  private let controller: NSFetchedResultsController<NSManagedObject>
  private let last: Int
  private var rows: [[NSManagedObject]] = []
  private var changes: [Change] = []
  private var sections: [(type: NSFetchedResultsChangeType, number: Int)] = []

  /// - Parameter last: the number of the event that ends the program.
  init(_ context: NSManagedObjectContext, last: Int) {
    self.last = last
    controller = NSFetchedResultsController(
      fetchRequest: Self.request(), managedObjectContext: context, sectionNameKeyPath: "writer", cacheName: nil)
    context.automaticallyMergesChangesFromParent = true
  }

  private nonisolated static func request() -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Event")
    request.sortDescriptors = [
      NSSortDescriptor(key: "writer", ascending: true), NSSortDescriptor(key: "number", ascending: true),
    ]
    return request
  }

  /// Prints the callbacks until the last event arrives, and then the list.
  func follow() throws {
    controller.delegate = self
    try controller.performFetch()
    rows = (controller.sections ?? []).map { ($0.objects ?? []).compactMap { $0 as? NSManagedObject } }
    StoreProbe.printLine("ready")
  }

  /// Commits changes one by one: inserts an event, changes its number or writer, or deletes it. Finally inserts the
  /// last event and prints the current contents.
  nonisolated static func edit(_ count: Int, _ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      for step in 0..<count {
        let known = try context.fetch(request())
        let event = known.isEmpty ? nil : known[step * 7 % known.count]
        switch step % 6 {
        case 3: event?.setValue(step, forKey: "number")
        case 4: event?.setValue(step % 3, forKey: "writer")
        case 5: event.map(context.delete)
        default: insert(step, writer: step % 4, context)
        }
        try context.save()
      }
      insert(count, writer: 9, context)
      try context.save()
      for event in try context.fetch(request()) { StoreProbe.printLine(text(event)) }
    }
  }

  private nonisolated static func insert(_ number: Int, writer: Int, _ context: NSManagedObjectContext) {
    let event = NSEntityDescription.insertNewObject(forEntityName: "Event", into: context)
    event.setValue(number, forKey: "number")
    event.setValue(writer, forKey: "writer")
  }

  private nonisolated static func text(_ event: NSManagedObject) -> String {
    "\(event.value(forKey: "writer") ?? "") \(event.value(forKey: "number") ?? "")"
  }
}

extension EventList: @MainActor NSFetchedResultsControllerDelegate {
  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    (changes, sections) = ([], [])
    StoreProbe.printLine("will")
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    sections.append((type, sectionIndex))
    StoreProbe.printLine("section \(type)")
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    StoreProbe.printLine("object \(type)")
    guard type != .update, let object = anObject as? NSManagedObject else { return }
    changes.append((object, indexPath, newIndexPath))
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    StoreProbe.printLine("did")
    for path in changes.compactMap(\.old).sorted(by: >) { rows[path.section].remove(at: path.item) }
    for section in sections where section.type == .delete { rows.remove(at: section.number) }
    for section in sections where section.type == .insert { rows.insert([], at: section.number) }
    let arrivals = changes.compactMap { change in change.new.map { (object: change.object, path: $0) } }
    for arrival in arrivals.sorted(by: { $0.path < $1.path }) {
      rows[arrival.path.section].insert(arrival.object, at: arrival.path.item)
    }
    guard rows.joined().contains(where: { $0.value(forKey: "number") as? Int == last }) else { return }
    for event in rows.joined() { StoreProbe.printLine("shown \(Self.text(event))") }
    exit(0)
  }
}
