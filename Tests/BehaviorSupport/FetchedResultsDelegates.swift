import CoreData
import Foundation

typealias AnyController = NSFetchedResultsController<any NSFetchRequestResult>

/// Logs a controller's callbacks, one line each.
class ChangeLog: NSObject, NSFetchedResultsControllerDelegate {
  var lines: [String] = []
  /// The codes of all objects at each `controllerWillChangeContent`.
  var contentsBefore: [[String]] = []

  func controllerWillChangeContent(_ controller: AnyController) {
    lines.append("will")
    contentsBefore.append((controller.fetchedObjects ?? []).map { ($0 as? NSManagedObject)?.shownCode ?? "" })
  }

  func controller(
    _ controller: AnyController, didChange sectionInfo: any NSFetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) { lines.append("section \(type) \(sectionInfo.name) \(sectionIndex)") }

  func controller(
    _ controller: AnyController, didChange anObject: Any, at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    let paths = [indexPath, newIndexPath].map { path in path.map { "\($0.section).\($0.item)" } ?? "-" }
    lines.append("\(type) \((anObject as? NSManagedObject)?.shownCode ?? "") \(paths[0]) \(paths[1])")
  }

  func controllerDidChangeContent(_ controller: AnyController) { lines.append("did") }

  /// The callbacks since the last call.
  func taken() -> [String] {
    defer { lines = [] }
    return lines
  }
}

/// Receives snapshots, although it implements the other methods too.
final class SnapshotLog: NSObject, NSFetchedResultsControllerDelegate {
  var snapshots: [NSDiffableDataSourceSnapshotReference] = []
  var others = 0

  func controller(_ controller: AnyController, didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference) {
    snapshots.append(snapshot)
  }
  func controller(_ controller: AnyController, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>) {
    others += 1
  }
  func controllerWillChangeContent(_ controller: AnyController) { others += 1 }
  func controllerDidChangeContent(_ controller: AnyController) { others += 1 }
}

/// Receives differences without sections, and single changes with sections.
final class DifferenceLog: NSObject, NSFetchedResultsControllerDelegate {
  var differences: [CollectionDifference<NSManagedObjectID>] = []
  var steps: [NSFetchedResultsChangeType] = []

  func controller(_ controller: AnyController, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>) {
    differences.append(diff)
  }
  func controller(
    _ controller: AnyController, didChange anObject: Any, at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) { steps.append(type) }
}

/// Displays a list as a table view does: only from callbacks.
final class Table: NSObject, NSFetchedResultsControllerDelegate {
  private(set) var names: [String] = []
  private(set) var rows: [[NSManagedObject]] = []
  private(set) var batches = 0
  private(set) var problems: [String] = []
  /// The number of callbacks by type of change.
  private(set) var kinds: [NSFetchedResultsChangeType: Int] = [:]

  private var deletedSections: [Int] = []
  private var insertedSections: [(number: Int, name: String)] = []
  private var changes: [(object: NSManagedObject, type: NSFetchedResultsChangeType, old: IndexPath?, new: IndexPath?)] =
    []

  /// Reloads everything.
  func reload(_ controller: NSFetchedResultsController<NSManagedObject>) {
    names = (controller.sections ?? []).map(\.name)
    rows = (controller.sections ?? []).map { ($0.objects ?? []).compactMap { $0 as? NSManagedObject } }
  }

  func controllerWillChangeContent(_ controller: AnyController) {
    (deletedSections, insertedSections, changes) = ([], [], [])
  }

  func controller(
    _ controller: AnyController, didChange sectionInfo: any NSFetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    check(type == .delete || changes.isEmpty, "an inserted section after an object")
    if type == .delete { deletedSections.append(sectionIndex) }
    if type == .insert { insertedSections.append((sectionIndex, sectionInfo.name)) }
  }

  func controller(
    _ controller: AnyController, didChange anObject: Any, at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard let object = anObject as? NSManagedObject else { return }
    kinds[type, default: 0] += 1
    changes.append((object, type, indexPath, newIndexPath))
  }

  func controllerDidChangeContent(_ controller: AnyController) {
    batches += 1
    check(Set(changes.map { ObjectIdentifier($0.object) }).count == changes.count, "an object twice")
    for change in changes {
      guard let old = change.old else { continue }
      let isThere = rows[old.section][old.row] === change.object
      check(isThere, "\(change.type) from \(old) of another object")
    }
    // The rules of batch updates: deletions at old positions, from the back, then insertions at new positions.
    for change in changes.filter({ $0.type == .delete || $0.type == .move }).sorted(by: { $0.old! > $1.old! }) {
      rows[change.old!.section].remove(at: change.old!.row)
    }
    for number in deletedSections.sorted(by: >) {
      check(rows[number].isEmpty, "a section was deleted with \(rows[number].count) objects")
      rows.remove(at: number)
      names.remove(at: number)
    }
    for (number, name) in insertedSections.sorted(by: { $0.number < $1.number }) {
      rows.insert([], at: number)
      names.insert(name, at: number)
    }
    for change in changes.filter({ $0.type == .insert || $0.type == .move }).sorted(by: { $0.new! < $1.new! }) {
      rows[change.new!.section].insert(change.object, at: change.new!.row)
    }
    for change in changes where change.type == .update {
      let isThere = rows[change.new!.section][change.new!.row] === change.object
      check(isThere, "update to \(change.new!) of another object")
    }
  }

  private func check(_ holds: Bool, _ problem: String) { if !holds { problems.append(problem) } }
}

extension NSManagedObject {
  var shownCode: String { value(forKey: "code") as? String ?? "" }
}
