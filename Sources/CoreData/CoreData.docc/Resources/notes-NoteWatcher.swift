import CoreData

/// Prints notes as they come, from whichever process.
final class NoteWatcher: NSObject, NSFetchedResultsControllerDelegate {
  private let controller: NSFetchedResultsController<Note>

  init(context: NSManagedObjectContext) {
    controller = NSFetchedResultsController(
      fetchRequest: Note.request(), managedObjectContext: context,
      sectionNameKeyPath: nil, cacheName: nil)
    super.init()
    controller.delegate = self
  }

  /// Prints until the program is interrupted.
  func run() throws -> Never {
    try controller.performFetch()
    let count = controller.fetchedObjects?.count ?? 0
    show("Notes: \(count). New ones appear here; Control-C ends it.")
    dispatchMain()
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange object: Any, at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard type == .insert, let note = object as? Note else { return }
    show(note.line)
  }

  /// Prints immediately, also into a pipe.
  private func show(_ line: String) {
    print(line)
    fflush(nil)
  }
}
