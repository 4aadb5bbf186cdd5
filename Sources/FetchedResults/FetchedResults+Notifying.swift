import Foundation
import StrataManagedModel
import StrataObjectGraph

/// Notifies the delegate. Swift on Linux cannot check whether an object implements a method: the first call finds out,
/// because the protocol's default implementation records that the delegate does not implement the method.
extension FetchedResults {
  /// Reports a fetch, which concerns only delegates that take complete contents.
  func notifyOfFetch() {
    guard let delegate, !missing.contains(.snapshot) else { return }
    delegate.controller(erased, didChangeContentWith: snapshot([]))
    known.insert(.snapshot)
  }

  /// Applies an edit and reports its changes.
  func notify(of edit: FetchedEdit) {
    guard let delegate else { return }
    let controller = erased
    let reportedSnapshot = notify(edit, by: .snapshot) {
      let changed = edit.arrivals.filter { $0.old != nil }.map(\.object)
      delegate.controller(controller, didChangeContentWith: snapshot(changed))
    }
    if reportedSnapshot { return }
    guard sectionNameKeyPath != nil || !missing.contains(.difference) || !missing.contains([.objects, .sections]) else {
      return notifySteps(edit, changes: nil, to: delegate, of: controller)
    }
    guard let changes = arrangement.map({ FetchedChanges(edit, of: $0) }) else { return }
    let reportedDifference =
      sectionNameKeyPath == nil
      && notify(edit, by: .difference) {
        delegate.controller(controller, didChangeContentWith: Self.difference(changes))
      }
    if !reportedDifference { notifySteps(edit, changes: changes, to: delegate, of: controller) }
  }

  /// Applies an edit and calls a method that excludes others. If the delegate turns out not to implement it, reverts
  /// the edit, because the methods called instead start from the old contents.
  private func notify(_ edit: FetchedEdit, by method: DelegateMethods, call: () -> Void) -> Bool {
    guard !missing.contains(method) else { return false }
    let before = known.contains(method) ? nil : arrangement
    change { $0?.apply(edit) }
    call()
    known.insert(method)
    guard missing.contains(method) else { return true }
    change { $0 = before }
    return false
  }

  private func notifySteps(
    _ edit: FetchedEdit, changes: FetchedChanges?, to delegate: any NSFetchedResultsControllerDelegate,
    of controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    let sections = arrangement?.sections ?? []
    delegate.controllerWillChangeContent(controller)
    change { $0?.apply(edit) }
    if let changes {
      notifyInsertedSections(of: changes, to: delegate, of: controller)
      notifyObjects(of: changes, before: sections, to: delegate, of: controller)
      notifyDeletedSections(of: changes, before: sections, to: delegate, of: controller)
    }
    delegate.controllerDidChangeContent(controller)
  }

  // The comment in Apple's header says that all sections are reported before all objects. But test suites that pass on
  // Apple's systems expect the deletion of the objects before that of their section, and shipping programs that
  // maintain their own sections rely on it: each object is reported while both sections that it concerns exist.

  private func notifyInsertedSections(
    of changes: FetchedChanges, to delegate: any NSFetchedResultsControllerDelegate,
    of controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    for number in changes.insertedSections where !missing.contains(.sections) {
      guard let infos = self.sections, infos.indices.contains(number) else { return }
      delegate.controller(controller, didChange: infos[number], atSectionIndex: number, for: .insert)
    }
  }

  /// Reports deleted sections with their names; they have no objects any more.
  private func notifyDeletedSections(
    of changes: FetchedChanges, before: [FetchedSection], to delegate: any NSFetchedResultsControllerDelegate,
    of controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    for number in changes.deletedSections where !missing.contains(.sections) {
      let empty = FetchedSection(name: before[number].name, start: 0, count: 0)
      delegate.controller(
        controller, didChange: FetchedSectionInfo(empty, of: [], self), atSectionIndex: number, for: .delete)
    }
  }

  private func notifyObjects(
    of changes: FetchedChanges, before: [FetchedSection], to delegate: any NSFetchedResultsControllerDelegate,
    of controller: NSFetchedResultsController<any NSFetchRequestResult>
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
    // Each object leaves at most one position and arrives at most at one, which is all that a difference requires.
    guard let difference = CollectionDifference(steps) else {
      fatalError("Changes that do not fit each other: \(steps)")
    }
    return difference
  }
}
