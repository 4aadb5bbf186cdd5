import Foundation
import StrataManagedModel
import StrataObjectGraph

/// Telling the delegate. Swift on Linux cannot ask an object which methods it has: the first call of one finds it out, as
/// the protocol's own implementation notes that the delegate has none.
extension FetchedResults {
  /// After a fetch only a delegate that takes all contents at once is told.
  func tellOfFetch() {
    guard let delegate, !missing.contains(.snapshot) else { return }
    delegate.controller(erased, didChangeContentWith: snapshot([]))
    known.insert(.snapshot)
  }

  /// Takes an edit over and tells what it changes.
  func tell(of edit: FetchedEdit) {
    guard let delegate else { return }
    let controller = erased
    let isToldAll = tell(edit, by: .snapshot) {
      let changed = edit.arrivals.filter { $0.old != nil }.map(\.object)
      delegate.controller(controller, didChangeContentWith: snapshot(changed))
    }
    if isToldAll { return }
    guard sectionNameKeyPath != nil || !missing.contains(.difference) || !missing.contains([.objects, .sections]) else {
      return tellSteps(edit, nil, delegate, controller)
    }
    guard let changes = arrangement.map({ FetchedChanges(edit, of: $0) }) else { return }
    let isToldDifference =
      sectionNameKeyPath == nil
      && tell(edit, by: .difference) {
        delegate.controller(controller, didChangeContentWith: Self.difference(changes))
      }
    if !isToldDifference { tellSteps(edit, changes, delegate, controller) }
  }

  /// Takes an edit over and calls a method that excludes others. If the delegate turns out not to have it, the edit is taken
  /// back, since what is called then begins with the old contents.
  private func tell(_ edit: FetchedEdit, by method: DelegateMethods, _ call: () -> Void) -> Bool {
    guard !missing.contains(method) else { return false }
    let before = known.contains(method) ? nil : arrangement
    change { $0?.apply(edit) }
    call()
    known.insert(method)
    guard missing.contains(method) else { return true }
    change { $0 = before }
    return false
  }

  private func tellSteps(
    _ edit: FetchedEdit, _ changes: FetchedChanges?, _ delegate: any NSFetchedResultsControllerDelegate,
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    let sections = arrangement?.sections ?? []
    delegate.controllerWillChangeContent(controller)
    change { $0?.apply(edit) }
    if let changes {
      tellInsertedSections(changes, delegate, controller)
      tellObjects(changes, sections, delegate, controller)
      tellDeletedSections(changes, sections, delegate, controller)
    }
    delegate.controllerDidChangeContent(controller)
  }

  // The comment in Apple's header says that all sections come before all objects. Suites that pass on Apple's systems wait
  // for the deletion of the objects before that of their section, and shipping programs that keep sections of their own
  // need it so: each object is told of while both sections that it has to do with are there.

  private func tellInsertedSections(
    _ changes: FetchedChanges, _ delegate: any NSFetchedResultsControllerDelegate,
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    for number in changes.insertedSections where !missing.contains(.sections) {
      guard let infos = self.sections, infos.indices.contains(number) else { return }
      delegate.controller(controller, didChange: infos[number], atSectionIndex: number, for: .insert)
    }
  }

  /// A section that was deleted is told with its name; it has no objects any more.
  private func tellDeletedSections(
    _ changes: FetchedChanges, _ before: [FetchedSection], _ delegate: any NSFetchedResultsControllerDelegate,
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    for number in changes.deletedSections where !missing.contains(.sections) {
      let empty = FetchedSection(name: before[number].name, start: 0, count: 0)
      delegate.controller(
        controller, didChange: FetchedSectionInfo(empty, of: [], self), atSectionIndex: number, for: .delete)
    }
  }

  private func tellObjects(
    _ changes: FetchedChanges, _ before: [FetchedSection], _ delegate: any NSFetchedResultsControllerDelegate,
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    let after = arrangement?.sections ?? []
    for change in changes.objects where !missing.contains(.objects) {
      delegate.controller(
        controller, didChange: change.object, at: change.old.map { before.indexPath(of: $0) }, for: change.type,
        newIndexPath: change.new.map { after.indexPath(of: $0) })
    }
  }

  // MARK: Whole contents

  private func snapshot(_ changed: [NSManagedObject]) -> NSDiffableDataSourceSnapshotReference {
    NSDiffableDataSourceSnapshotReference(
      sections: arrangement?.sections ?? [], objects: arrangement?.objects ?? [], changed: changed)
  }

  private static func difference(_ changes: FetchedChanges) -> CollectionDifference<NSManagedObjectID> {
    let steps = changes.objects.flatMap { change -> [CollectionDifference<NSManagedObjectID>.Change] in
      let id = change.object.objectID
      let isBoth = change.old != nil && change.new != nil
      return [
        change.old.map { .remove(offset: $0, element: id, associatedWith: isBoth ? change.new : nil) },
        change.new.map { .insert(offset: $0, element: id, associatedWith: isBoth ? change.old : nil) },
      ].compactMap(\.self)
    }
    // Each object leaves one place at most and comes to one at most, which is all that a difference asks.
    guard let difference = CollectionDifference(steps) else {
      fatalError("Changes that do not fit each other: \(steps)")
    }
    return difference
  }
}
