import StrataManagedModel
import StrataRowStore

/// The objects of a save and its batch. `inserted` and `updated` have the order of the batch; `deleted` has also objects whose
/// rows are gone.
struct PendingSave {
  var inserted: [NSManagedObject] = []
  var updated: [NSManagedObject] = []
  var deleted: [NSManagedObject] = []
  var batch = ChangeBatch()
  /// Whether the batch includes transient values: a parent takes them, a store does not.
  private var includesTransients = false
  /// Whether the merge policy merges links, so that the store may. Not in a context with undo, which keeps what others saved out
  /// of its next undo while the policy resolves a conflict.
  private var allowsNewerVersions = false
  /// Whether derived attributes of other rows may read what is saved.
  private var feedsDerivations = false

  /// Collects the unsaved changes of a context.
  init(of context: NSManagedObjectContext) {
    let (tracked, checked) = (context.tracker.tracked, context.tracker.checked)
    batch.author = context.transactionAuthor
    batch.contextName = context.name
    batch.origin = ObjectIdentifier(context)
    includesTransients = context.parent != nil
    allowsNewerVersions =
      !includesTransients && context.journal == nil && context.settings.mergePolicy.alwaysMergesLinks
    feedsDerivations = !includesTransients && context.model.hasRemoteDerivations
    reserve(for: tracked)
    tracked.forEachHeld { object in
      switch object.life {
      case .inserted: add(inserted: object)
      case .changed: add(updated: object)
      case .deleted: add(deleted: object)
      case .detached, .fault, .clean: break
      }
    }
    if !checked.isEmpty { add(checked: checked) }
    if allowsNewerVersions { askProgram(in: context) }
  }

  /// Leaves merging to the policy if the program has code that validates any object of the save: it is called again after the
  /// policy has changed one.
  private mutating func askProgram(in context: NSManagedObjectContext) {
    guard batch.updated.contains(where: \.allowsNewerVersion) else { return }
    var classes: Set<ObjectIdentifier> = []
    let asks = all.contains { object in
      classes.insert(ObjectIdentifier(type(of: object))).inserted && context.validationPlan(of: object).callsProgram
    }
    guard asks else { return }
    for index in batch.updated.indices { batch.updated[index].allowsNewerVersion = false }
  }

  init() {}

  /// Creates a batch of unsaved objects that only need their IDs.
  init(naming objects: [NSManagedObject]) {
    inserted = objects
    batch.inserted = objects.map(\.row)
    for object in objects { addAssignment(of: object) }
  }

  var all: [NSManagedObject] { inserted + updated + deleted }

  /// A long array that grows ends up with room for more than it holds.
  private mutating func reserve(for objects: [NSManagedObject]) {
    guard objects.count >= 1_000 else { return }
    var count = 0
    objects.forEachHeld { if $0.life == .inserted { count += 1 } }
    inserted.reserveCapacity(count)
    batch.inserted.reserveCapacity(count)
  }

  private mutating func add(inserted object: NSManagedObject) {
    inserted.append(object)
    batch.inserted.append(object.row)
    addAssignment(of: object)
    addLinks(of: object)
    if feedsDerivations { batch.noteDerivationInputs(of: object.row) }
  }

  private mutating func addAssignment(of object: NSManagedObject) {
    guard let store = object.heldEdits?._withUnsafeGuaranteedRef({ $0.assignedStore }), store != 0 else { return }
    batch.assigned[object.rowID] = store
  }

  /// Skips an object whose values equal the stored ones.
  private mutating func add(updated object: NSManagedObject) {
    guard let edits = object.edits else { return }
    let hasObjects = includesTransients && !edits.objects.isEmpty
    guard edits.snapshot != nil || !edits.links.areUntouched || hasObjects else { return }
    var mask = object.layout.noSlots
    for slot in object.changedSlots() where includesTransients || !object.layout.slots[slot].isTransient {
      mask[slot >> 6] |= 1 << UInt64(slot & 63)
    }
    let toMany = object.layout.toMany.indices.filter {
      edits.links[$0]?.isChanged == true && includes(toMany: $0, layout: object.layout)
    }
    guard !toMany.isEmpty || hasObjects || mask.contains(where: { $0 != 0 }) else { return }
    updated.append(object)
    let writesLinksOnly = !mask.contains { $0 != 0 }
    batch.updated.append(
      RowUpdate(
        row: object.row, slots: mask, toMany: toMany,
        allowsNewerVersion: allowsNewerVersions && writesLinksOnly && mayMergeLinks(toMany, of: object)))
    addLinks(of: object)
    if feedsDerivations { batch.noteDerivationInputs(of: object.row, slots: mask, previous: edits.snapshot) }
  }

  /// Whether the merge policy would accept whatever others have saved of an object with changed links, and nothing else would
  /// notice that. The order of the later save wins only if the policy is asked.
  private func mayMergeLinks(_ toMany: [Int], of object: NSManagedObject) -> Bool {
    guard let context = object.context else { return false }
    return context.validationPlan(of: object).allowsAnyLinks
      && !toMany.contains { object.layout.toMany[$0].relationship.isOrdered }
  }

  private func includes(toMany: Int, layout: EntityLayout) -> Bool {
    includesTransients || !layout.transientToMany.contains(toMany)
  }

  /// Skips objects that are written, which are checked anyway.
  private mutating func add(checked objects: [NSManagedObject]) {
    let written = Set(updated.map(\.rowID))
    for object in objects where object.life == .clean || object.life == .changed && !written.contains(object.rowID) {
      guard let version = object.committedRow?.version else { continue }
      batch.checked.append(RowCheck(id: object.rowID, version: version))
    }
  }

  private mutating func add(deleted object: NSManagedObject) {
    deleted.append(object)
    guard !object.flags.contains(.inaccessible) else { return }
    batch.deleted.append(RowDeletion(id: object.rowID, version: object.committedRow?.version))
    if feedsDerivations, let row = object.committedRow { batch.noteDerivationInputs(of: row) }
  }

  /// Adds what no to-one slot stores: many-to-many pairs from one of their sides, and relationships without an inverse.
  private mutating func addLinks(of object: NSManagedObject) {
    guard let links = object.heldEdits?._withUnsafeGuaranteedRef({ $0.links }), !links.areUntouched else { return }
    for number in links.indices where links[number]?.isChanged == true && object.layout.writesLinks(number) {
      if links[number]?.isArranged == true { object.resolveLinks(number) }
      guard let state = object.edits?.links[number], includes(toMany: number, layout: object.layout) else { continue }
      var (removed, added) = state.difference
      if object.layout.toMany[number].isItsOwnInverse {
        removed.removeAll { $0.bits < object.rowID.bits }
        added.removeAll { $0.bits < object.rowID.bits }
      }
      guard !removed.isEmpty || !added.isEmpty else { continue }
      batch.links.append(LinkChange(owner: object.rowID, relationship: number, removed: removed, added: added))
    }
  }

  /// Returns the changes of the save, by the rows' new IDs.
  func changes(_ receipt: CommitReceipt) -> ObjectIDChanges {
    ObjectIDChanges(
      inserted: receipt.inserted, updated: batch.updated.map(\.row.id), deleted: batch.deleted.map(\.id),
      derivationInputs: batch.derivationInputs)
  }
}

extension ToManyProperty {
  var isItsOwnInverse: Bool { relationship.inverse === relationship }
}

extension EntityLayout {
  /// Whether this side of a to-many relationship writes its members to the store: a to-one inverse writes them itself,
  /// and of two to-many sides the one whose entity has the lower number, or the lower name.
  func writesLinks(_ number: Int) -> Bool {
    let relationship = toMany[number].relationship
    // Only the ordered side knows the order.
    if relationship.isOrdered { return true }
    // The rows at the other end store it; checked without following the relationship.
    if case .slot = toMany[number].inverse { return false }
    guard let inverse = relationship.inverse, inverse !== relationship else { return true }
    guard inverse.isToMany, !inverse.isOrdered else { return false }
    let (mine, other) = (relationship.declarer, inverse.declarer)
    return mine != other ? mine < other : relationship.name < inverse.name
  }
}

extension NSManagedObject {
  /// Sets the version that a save gave to the row.
  func setVersion(_ version: Int64) {
    // If only relationships changed, the row is unchanged and may be shared: it needs a copy.
    let row = ownsRow ? row : writableRow()
    row.page.setVersion(version, row: row.index)
  }

  /// Ends the unsaved state: the object's own row becomes the saved row.
  func markSaved() {
    flags.remove([.tracked, .neverSaved, .propagated])
    switch life {
    case .deleted: flags.insert(.gone)
    case .inserted, .changed:
      life = .clean
      markEditsSaved()
    case .fault: edits = nil
    case .detached, .clean: break
    }
  }

  private func markEditsSaved() {
    guard !endOwnRow(), let edits else { return }
    if !layout.transientToMany.isEmpty { keepTransientMembers() }
    edits.snapshot = nil
    edits.ownsRow = false
    edits.links.markSaved(keeping: layout.transientToMany)
    edits.detachedTargets = nil
    if edits.objects.isEmpty, edits.links.areUntouched { self.edits = nil }
  }
}

extension NSManagedObjectContext {
  func watchForConflicts(_ object: NSManagedObject) {
    checkQueue("detectConflicts(for:)")
    guard object.context === self, !tracker.checked.contains(where: { $0 === object }) else { return }
    object.materialize()
    tracker.check(object)
  }
}
