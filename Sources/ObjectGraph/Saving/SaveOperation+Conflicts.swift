import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSupport

/// Conflicts with what others have committed, as the merge policy sees them.
extension SaveOperation {
  /// Resolves version conflicts first: the result may settle the others, which are found again if not.
  func resolveConflicts(of error: StoreError) throws {
    let versions = versionConflicts(error)
    let constraints = versions.isEmpty ? constraintConflicts(error) : []
    guard !versions.isEmpty || !constraints.isEmpty else { throw conflictError(of: error) }
    context.registerPendingUndo()
    try context.settings.mergePolicy.resolve(mergeConflicts: versions + constraints)
    // Undo must not revert others' saves.
    context.journal?.clear()
    let objects = versions.map(\.sourceObject) + constraints.flatMap(\.conflictingObjects)
    context.tracker.removeGoneFromChecked()
    for object in objects where object.context != nil && !object.flags.contains(.gone) { object.didResolve() }
    try settle()
  }

  func publicError(of error: StoreError) -> CocoaError {
    let made = CocoaError(error, saving: true)
    guard !error.rows.isEmpty else { return made }
    let objects = error.rows.compactMap(context.registry.object)
    return .printed(made.code, userInfo: made.userInfo.merging([NSAffectedObjectsErrorKey: objects]) { $1 })
  }

  /// Returns the error for the error policy, with the store's own as its cause.
  func conflictError(of error: StoreError) -> CocoaError {
    let versions = versionConflicts(error)
    let made = versions.isEmpty ? CocoaError.conflict(constraintConflicts(error)) : CocoaError.conflict(versions)
    return .printed(made.code, userInfo: made.userInfo.merging([NSUnderlyingErrorKey: error]) { $1 })
  }

  private func versionConflicts(_ error: StoreError) -> [NSMergeConflict] {
    error.conflicts.compactMap { conflict in
      guard conflict.constraint.isEmpty else { return nil }
      return context.registry.object(conflict.id).map { NSMergeConflict($0, conflict) }
    }
  }

  /// Returns one conflict per set of values, however many rows have them.
  private func constraintConflicts(_ error: StoreError) -> [NSConstraintConflict] {
    var order: [UniqueValues] = []
    var wanted: Set<UniqueValues> = []
    var rows: [UniqueValues: Row] = [:]
    for conflict in error.conflicts where !conflict.constraint.isEmpty {
      guard let object = context.registry.object(conflict.id),
        let entity = object.layout.declaring(conflict.constraint),
        let values = UniqueValues(of: object, conflict.constraint, entity)
      else { continue }
      if wanted.insert(values).inserted { order.append(values) }
      if let row = conflict.stored { rows[values] = row }
    }
    let sharing = pendingObjects(sharing: wanted)
    return order.compactMap { values in
      let objects = sharing[values] ?? []
      if objects.count > 1 { return NSConstraintConflict(values.names, stored: nil, objects) }
      guard let row = rows[values] else { return nil }
      return NSConstraintConflict(values.names, stored: (context.object(for: row), row), objects)
    }
  }

  private func pendingObjects(sharing wanted: Set<UniqueValues>) -> [UniqueValues: [NSManagedObject]] {
    var found: [UniqueValues: [NSManagedObject]] = [:]
    let constraints = Set(wanted.map { UniqueValues(entity: $0.entity, names: $0.names, values: []) })
    for object in context.tracker.tracked where object.life == .inserted || object.life == .changed {
      for constraint in constraints {
        let entity = context.model.layout(number: constraint.entity)
        guard object.layout.isKind(of: entity),
          let values = UniqueValues(of: object, constraint.names, entity), wanted.contains(values)
        else { continue }
        found[values, default: []].append(object)
      }
    }
    return found
  }
}

/// The values of an object that must be unique together.
private struct UniqueValues: Hashable {
  /// The number of the entity that declares the constraint.
  var entity: Int
  var names: [String]
  var values: [SlotValue]

  init(entity: Int, names: [String], values: [SlotValue]) {
    (self.entity, self.names, self.values) = (entity, names, values)
  }

  /// Returns nil if a value is nil: nil equals nothing.
  init?(of object: NSManagedObject, _ names: [String], _ entity: EntityLayout) {
    guard object.page != nil else { return nil }
    let row = object.row
    let values = names.compactMap { object.layout.slot(named: $0).map { row[$0] } }
    guard values.count == names.count, !values.contains(.null) else { return nil }
    self.init(entity: entity.number, names: names, values: values)
  }
}

extension EntityLayout {
  /// The topmost entity of the hierarchy with the constraint: subentities that repeat it add nothing.
  func declaring(_ names: [String]) -> EntityLayout? {
    lineage.reduce(nil) { found, entity in entity.uniqueNames.contains(names) ? entity : found }
  }
}

extension NSManagedObject {
  /// Notifies the object that a merge policy may have changed it.
  fileprivate func didResolve() {
    guard let context else { return }
    context.withoutChangeTracking { awake(fromSnapshotEvents: .mergePolicy) }
    context.noteEvent(self, flags: [])
  }
}
