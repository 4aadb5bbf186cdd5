import Containers
import CoreData

/// Ends the program once all stops have arrived.
final class Arrivals: NSObject, NSFetchedResultsControllerDelegate {
  private let total: Int

  init(total: Int) { self.total = total }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    endIfComplete(controller.fetchedObjects as? [Stop] ?? [], in: controller.managedObjectContext)
  }

  /// - Parameter context: the stops' context. The program does not end while it has unsaved stops.
  func endIfComplete(_ stops: [Stop], in context: NSManagedObjectContext) {
    guard stops.count == total, !context.hasChanges else { return }
    let counts = Dictionary(grouping: stops) { $0.traveler ?? "" }.mapValues(\.count)
    print(counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    exit(0)
  }
}
