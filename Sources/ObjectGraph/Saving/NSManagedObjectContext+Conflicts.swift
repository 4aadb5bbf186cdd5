import Foundation
import StrataManagedModel
import StrataRowStore

extension NSManagedObjectContext {
  /// What a save does about conflicts: an `NSMergePolicy`. Default: `NSMergePolicy.error`.
  public var mergePolicy: Any {
    get { settings.mergePolicy }
    set {
      guard let new = newValue as? NSMergePolicy else {
        fatalError("A merge policy is an NSMergePolicy; this is a \(type(of: newValue)).")
      }
      settings.mergePolicy = new
    }
  }

  func watchForConflicts(_ object: NSManagedObject) {
    checkQueue("detectConflicts(for:)")
    guard object.context === self, !tracker.checked.contains(where: { $0 === object }) else { return }
    object.materialize()
    tracker.check(object)
  }

  /// The largest number of attempts: more than faster writers can plausibly cause.
  private static let mostResolutions = 100

  /// Commits the unsaved changes; the merge policy resolves conflicts, and the commit is retried.
  /// - Throws: what the policy throws; the store's error.
  /// With several stores, what one of them has written stays written, and the rest stays unsaved (134040).
  func commitResolvingConflicts() throws -> (PendingSave, CommitReceipt) {
    var partial: PartialCommit?
    do {
      return try commitResolvingConflicts(&partial)
    } catch {
      guard let partial else { throw error }
      throw CocoaError.incomplete(partial, objects: tracker.tracked.filter(\.life.isPending), cause: error)
    }
  }

  private func commitResolvingConflicts(_ partial: inout PartialCommit?) throws -> (PendingSave, CommitReceipt) {
    var pending = PendingSave(of: tracker.tracked, checking: tracker.checked, by: self)
    var attempts = SaveAttempts(turn: firstTurn(for: pending.batch))
    defer { attempts.turn?.end() }
    // Along a chain of unique values, each object may need a round of its own.
    let maximumRounds = Self.mostResolutions + tracker.tracked.count
    for round in 0..<maximumRounds {
      if round > 0 { pending = PendingSave(of: tracker.tracked, checking: tracker.checked, by: self) }
      if let receipt = try commit(pending, after: &attempts, partial: &partial) { return (pending, receipt) }
    }
    throw CocoaError.coreData(
      .conflict,
      "Cannot save: other writers committed the same objects \(maximumRounds) times in a row. Save again, or save fewer "
        + "objects in one save.")
  }

  /// The state that the attempts of one save share.
  private struct SaveAttempts {
    /// The conflicts that the merge policy resolved last.
    var last: [ConflictKey] = []
    var turn: RetryTurn?
  }

  /// Returns nil if the commit must be retried: after conflicts that the policy has resolved, or that are out of date.
  private func commit(
    _ pending: PendingSave, after attempts: inout SaveAttempts, partial: inout PartialCommit?
  ) throws -> CommitReceipt? {
    do {
      return try commit(pending)
    } catch {
      var cause = error
      if let part = error as? PartialCommit {
        adopt(part, of: pending)
        (partial, cause) = (part, part.cause)
      }
      guard let error = cause as? StoreError else { throw cause }
      guard error.code == .conflict || error.code == .constraint else { throw failure(of: error) }
      // Other saves may have committed while this one waited, so the conflicts are out of date.
      if takeTurn(for: pending.batch.contendedIDs(error), &attempts.turn) { return nil }
      let keys = error.conflicts.map(ConflictKey.init)
      // A policy that changes nothing would be called forever.
      guard keys != attempts.last, !keys.isEmpty else { throw conflictFailure(of: error) }
      attempts.last = keys
      try resolve(error)
      return nil
    }
  }

  /// Queues behind a save that writes the same rows. A child's save takes no turn: it waits for its parent, whose own save
  /// may be waiting for the turn.
  private func firstTurn(for batch: ChangeBatch) -> RetryTurn? {
    guard parent == nil, let source else { return nil }
    return RetryTurn.queue(behindSavesOf: batch, in: source, for: self)
  }

  /// Takes the turn, unless the save already has it or is going to fail.
  /// - Returns: whether the save had to wait for the turn.
  private func takeTurn(for rows: Set<RowID>, _ turn: inout RetryTurn?) -> Bool {
    if turn?.add(rows) == true { return false }
    let policy = settings.mergePolicy
    let isFailing = policy.mergeType == .errorMergePolicyType && type(of: policy) == NSMergePolicy.self
    guard !isFailing, parent == nil, let source else { return false }
    turn = RetryTurn.take(of: source, for: self, writing: rows, after: turn)
    return turn?.hasWaited == true
  }

  /// Resolves version conflicts first: the result may settle the others, which are found again if not.
  private func resolve(_ error: StoreError) throws {
    let versions = versionConflicts(error)
    let constraints = versions.isEmpty ? constraintConflicts(error) : []
    guard !versions.isEmpty || !constraints.isEmpty else { throw conflictFailure(of: error) }
    registerPendingUndo()
    try settings.mergePolicy.resolve(mergeConflicts: versions + constraints)
    // Undo must not revert others' saves.
    journal?.clear()
    let objects = versions.map(\.sourceObject) + constraints.flatMap(\.conflictingObjects)
    tracker.removeGoneFromChecked()
    for object in objects where object.context != nil && !object.flags.contains(.gone) { object.didResolve() }
    endEvent()
    propagateDeletes()
    try readTouchedFaults()
  }

  private func failure(of error: StoreError) -> CocoaError {
    let made = CocoaError(error, saving: true)
    guard !error.rows.isEmpty else { return made }
    let objects = error.rows.compactMap(registry.object)
    return CocoaError(made.code, userInfo: made.userInfo.merging([NSAffectedObjectsErrorKey: objects]) { $1 })
  }

  /// Returns the error for the error policy, with the store's own as its cause.
  private func conflictFailure(of error: StoreError) -> CocoaError {
    let versions = versionConflicts(error)
    let made = versions.isEmpty ? CocoaError.conflict(constraintConflicts(error)) : CocoaError.conflict(versions)
    return CocoaError(made.code, userInfo: made.userInfo.merging([NSUnderlyingErrorKey: error]) { $1 })
  }

  private func versionConflicts(_ error: StoreError) -> [NSMergeConflict] {
    error.conflicts.compactMap { conflict in
      guard conflict.constraint.isEmpty else { return nil }
      return registry.object(conflict.id).map { NSMergeConflict($0, conflict) }
    }
  }

  /// Returns one conflict per set of values, however many rows have them.
  private func constraintConflicts(_ error: StoreError) -> [NSConstraintConflict] {
    var order: [UniqueValues] = []
    var wanted: Set<UniqueValues> = []
    var rows: [UniqueValues: Row] = [:]
    for conflict in error.conflicts where !conflict.constraint.isEmpty {
      guard let object = registry.object(conflict.id),
        let entity = object.layout.entity.declaring(conflict.constraint),
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
      return NSConstraintConflict(values.names, stored: (object(for: row), row), objects)
    }
  }

  private func pendingObjects(sharing wanted: Set<UniqueValues>) -> [UniqueValues: [NSManagedObject]] {
    var found: [UniqueValues: [NSManagedObject]] = [:]
    let constraints = Set(wanted.map { UniqueValues(entity: $0.entity, names: $0.names, values: []) })
    for object in tracker.tracked where object.life == .inserted || object.life == .changed {
      for constraint in constraints {
        let entity = model.layout(number: constraint.entity).entity
        guard object.entity.isKindOf(entity: entity),
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
  init?(of object: NSManagedObject, _ names: [String], _ entity: NSEntityDescription) {
    guard object.page != nil else { return nil }
    let row = object.row
    let values = names.compactMap { object.layout.slot(named: $0).map { row[$0] } }
    guard values.count == names.count, !values.contains(.null) else { return nil }
    self.init(entity: entity.layout.number, names: names, values: values)
  }
}

/// Identifies a conflict, to recognise it in the next round.
private struct ConflictKey: Equatable {
  let id: RowID
  let expected: Int64
  let stored: RowID?
  let version: Int64?
  let constraint: [String]

  init(_ conflict: RowConflict) {
    id = conflict.id
    expected = conflict.expectedVersion
    (stored, version) = (conflict.stored?.id, conflict.stored?.version)
    constraint = conflict.constraint
  }
}

extension NSEntityDescription {
  /// The topmost entity of the hierarchy with the constraint: subentities that repeat it add nothing.
  func declaring(_ names: [String]) -> NSEntityDescription? {
    var found: NSEntityDescription?
    var next: NSEntityDescription? = self
    while let entity = next {
      if entity.uniqueNames.contains(names) { found = entity }
      next = entity.superentity
    }
    return found
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
