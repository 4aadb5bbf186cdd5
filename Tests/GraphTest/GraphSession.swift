import CoreData
import StrataRandomRuns
import StrataTestSupport

/// Performs random steps on contexts of one store and on plain graphs, and compares the two.
///
/// At any time only one root context and the contexts below it have unsaved changes, so that what every context must
/// report is certain. The contexts of the other roots merge each commit.
final class GraphSession {
  let store: GraphStore
  private(set) var roots: [GraphContext] = []
  private(set) var active = 0
  /// The expected contents of the store.
  var saved = Graph()
  private(set) var nextKey = 1
  /// Whether to print each step as Swift code.
  private let printsCode: Bool
  let ids = PermanentIDs()
  /// The number of the newest commit.
  private(set) var tick = 0
  /// The number of the newest attempt to commit.
  private var attempt = 0
  /// Whether another process commits too, and that process once it has started.
  private var hasPeer = false
  private var peer: Peer?
  private var numberOfEdits = 0
  /// The objects that edits named since the set was emptied.
  var touched: Set<Int> = []

  init(seed: UInt64, kind: GraphStore.Kind, printsCode: Bool) throws {
    self.printsCode = printsCode
    store = try GraphStore(kind)
    var random = SeededRandom(seed: seed &+ 0x5EED)
    let coordinator = try store.makeCoordinator()
    try addRoot("a", of: coordinator, &random)
    if Bool.random(using: &random) { try addRoot("b", of: coordinator, &random) }
    if kind.isShared, Int.random(in: 0..<3, using: &random) == 0 {
      try addRoot("c", of: store.makeCoordinator(), &random)
    }
    hasPeer = kind.isShared && Int.random(in: 0..<4, using: &random) == 0
    try commitClock(roots[0])
  }

  /// Creates the session of another process on a store.
  init(peerAt url: URL, kind: GraphStore.Kind) throws {
    printsCode = false
    store = GraphStore(kind, at: url)
    var random = SeededRandom(seed: 1)
    try addRoot("peer", of: store.makeCoordinator(), &random)
    try roots[0].perform {
      for clock in try roots[0].context.fetch(NSFetchRequest<NSManagedObject>(entityName: GraphSchema.clock)) {
        roots[0].recordTick(clock.value(forKey: "tick") as? Int ?? 0)
      }
    }
  }

  /// Returns the other process, which starts when it is first needed; nil if the seed does not use one.
  func openPeer() throws -> Peer? {
    if hasPeer, peer == nil { peer = try Peer(on: store) }
    return peer
  }

  func adopt(_ commit: Peer.Commit) { (nextKey, tick, attempt) = (commit.nextKey, commit.tick, commit.attempt) }

  /// The numbers that another process needs to continue.
  var numbers: [Int] { [nextKey, tick, attempt] }

  private func addRoot(
    _ name: String, of coordinator: NSPersistentStoreCoordinator, _ random: inout SeededRandom
  ) throws {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let root = GraphContext(name, context, ids: ids)
    root.recordMerges()
    configure(root, &random)
    roots.append(root)
    var last = root
    for level in 1..<3 where Int.random(in: 0..<3, using: &random) == 0 {
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = last.context
      last = GraphContext("\(last.name)\(level)", child, parent: last, ids: ids)
      configure(last, &random)
    }
  }

  private func configure(_ context: GraphContext, _ random: inout SeededRandom) {
    context.context.automaticallyMergesChangesFromParent = true
    context.context.retainsRegisteredObjects = Int.random(in: 0..<4, using: &random) == 0
    guard Bool.random(using: &random) else { return log("\(context.name): no undo manager") }
    log("\(context.name): undo manager")
    context.perform {
      let manager = UndoManager()
      manager.groupsByEvent = false
      context.context.undoManager = manager
    }
  }

  /// Commits only a number, and waits until all roots have merged it and the commits before it.
  private func commitClock(_ root: GraphContext) throws {
    setClock(root)
    try root.perform { try root.context.save() }
    didCommit(root)
    for other in roots { try awaitClock(other) }
    for each in contexts {
      each.perform {}
      each.clearUndo()
    }
  }

  func log(_ line: String) { if printsCode { printLine("    \(line)") } }

  func makeKey() -> Int {
    defer { nextKey += 1 }
    return nextKey
  }

  var contexts: [GraphContext] { roots.flatMap(\.family) }

  /// The contexts that may change: not those above unsaved changes, because the contents below would be uncertain.
  var editable: [GraphContext] { roots[active].family.filter { !$0.hasDirtyDescendants } }
}

// MARK: - Changes

extension GraphSession {
  func perform(_ edit: Edit, in context: GraphContext) throws {
    if edit.changesRelationship, numberOfEdits % 3 == 0 { try read(edit.keys, in: context) }
    numberOfEdits += 1
    touched.formUnion(edit.keys)
    log("\(context.name): \(edit)")
    let before = context.graph
    try context.perform { try context.group { try edit.perform(in: context) } }
    edit.perform(on: &context.graph)
    didChange(context, from: before)
  }

  /// Reads objects that are about to change, so that the change must update values that were read before.
  private func read(_ keys: [Int], in context: GraphContext) throws {
    for key in keys where context.graph.isLive(key) {
      log("\(context.name): read(o\(key), way: \(numberOfEdits / 3 % 4))")
      try compare(key, in: context, way: numberOfEdits / 3)
    }
  }

  func didChange(_ context: GraphContext, from before: Graph) {
    context.recordUndo(to: before)
    context.isDirty = true
    context.dropGone()
    refreshDescendants(of: context)
  }

  func undo(in context: GraphContext, isRedo: Bool) {
    guard isRedo ? context.canRedo : context.canUndo else { return }
    log("\(context.name): context.\(isRedo ? "redo" : "undo")()")
    if isRedo { context.redo() } else { context.undo() }
    context.isDirty = true
    context.dropGone()
    refreshDescendants(of: context)
  }

  private func refreshDescendants(of context: GraphContext) {
    for child in context.family.dropFirst() {
      child.perform { child.context.refreshAllObjects() }
      child.graph = context.graph
      child.dropGone()
      child.clearUndo()
    }
  }

  /// Discards the unsaved changes of a context and its descendants.
  func rollback(_ context: GraphContext, byReset: Bool = false) throws {
    log("\(context.name): context.\(byReset ? "reset" : "rollback")(), with the contexts below first")
    for each in context.family.reversed() {
      if byReset { each.dropAll() }
      each.perform { byReset ? each.context.reset() : each.context.rollback() }
      each.clearUndo()
    }
    context.graph = context.parent?.graph ?? saved
    context.isDirty = false
    for each in context.family.dropFirst() {
      each.isDirty = false
      if !byReset { each.perform { each.context.refreshAllObjects() } }
      each.graph = context.graph
    }
    for each in context.family { each.dropGone() }
  }

  func refreshAll(_ context: GraphContext) throws {
    log("\(context.name): context.refreshAllObjects()")
    context.perform { context.context.refreshAllObjects() }
  }
}

// MARK: - Saving

extension GraphSession {
  /// Saves a context.
  /// - Returns: false if the save must fail and did.
  @discardableResult
  func save(_ context: GraphContext, policy number: Int) throws -> Bool {
    let isRoot = context.parent == nil
    let (policy, name) = policy(number)
    let mustRefuse = context.graph.refusesDeletion(saved: context.parent?.graph ?? saved)
    let duplicates = isRoot ? context.graph.duplicates : [:]
    log("\(context.name): context.mergePolicy = .\(name); try context.save()")
    if isRoot { setClock(context) }
    var failure: CocoaError?
    do {
      try groupedInParent(context) {
        try context.perform {
          context.context.mergePolicy = policy
          try context.context.save()
        }
      }
    } catch let error as CocoaError { failure = error }
    if let failure {
      let code = failure.code.rawValue
      if mustRefuse, [1600, 1560].contains(code) { return false }
      if !duplicates.isEmpty, code == 133021 { return false }
      throw GraphFailure("\(context.name): the save failed: \(failure) \(failure.userInfo)")
    }
    if isRoot { didCommit(context) }
    if mustRefuse { throw GraphFailure("\(context.name): the save must fail: a delete rule denies a deletion") }
    if !duplicates.isEmpty {
      guard !policy.isFailing else { throw GraphFailure("\(context.name): saved duplicates: \(duplicates)") }
      try adoptResolution(by: context)
      return true
    }
    try didSave(context)
    return true
  }

  /// Returns a merge policy and its name in code.
  func policy(_ number: Int) -> (policy: NSMergePolicy, name: String) {
    let policies: [(NSMergePolicy, String)] = [
      (.error, "error"), (.mergeByPropertyObjectTrump, "mergeByPropertyObjectTrump"),
      (.mergeByPropertyStoreTrump, "mergeByPropertyStoreTrump"), (.overwrite, "overwrite"), (.rollback, "rollback"),
      (.mergingRelationships, "mergingRelationships"),
    ]
    return policies[number % policies.count]
  }

  /// A child's save is one group for the undo manager of its parent.
  private func groupedInParent(_ context: GraphContext, _ body: () throws -> Void) throws {
    guard let parent = context.parent, let manager = parent.context.undoManager else { return try body() }
    parent.perform {
      parent.context.processPendingChanges()
      manager.beginUndoGrouping()
    }
    defer { parent.perform { parent.group { manager.endUndoGrouping() } } }
    try body()
  }

  private func didSave(_ context: GraphContext) throws {
    let present = (context.parent?.graph ?? saved).liveKeys
    let gone = Set(context.graph.records.filter(\.value.isDeleted).keys).union(present)
      .subtracting(context.graph.liveKeys)
    for key in gone { ids.forget(key) }
    context.isDirty = false
    if let parent = context.parent {
      let before = parent.graph
      parent.graph = context.graph
      parent.recordUndo(to: before)
      parent.isDirty = true
      parent.dropGone()
      context.graph.purge(keepingDeletedIn: before)
    } else {
      context.graph.purge()
      saved = context.graph
      for each in context.family { each.removeLinks(to: gone) }
    }
    adoptByCleanDescendants(of: context)
    for each in context.family { each.perform { each.recordIDs() } }
    if context.parent == nil {
      try awaitMerges(except: context)
      try compareStore(isNew: tick % 4 == 0)
    }
  }

  private func adoptByCleanDescendants(of context: GraphContext) {
    for child in context.children where !child.isDirty {
      child.graph = context.graph
      adoptByCleanDescendants(of: child)
    }
  }

  /// Numbers the commit that a root context is about to make.
  func setClock(_ root: GraphContext) {
    attempt += 1
    root.perform {
      root.context.processPendingChanges()
      root.context.undoManager?.disableUndoRegistration()
      let clock = NSEntityDescription.insertNewObject(forEntityName: GraphSchema.clock, into: root.context)
      clock.setValue(attempt, forKey: "tick")
      root.context.processPendingChanges()
      root.context.undoManager?.enableUndoRegistration()
    }
  }

  func didCommit(_ root: GraphContext) {
    tick = attempt
    root.recordTick(tick)
  }

  /// Waits until the other roots, and the contexts below them, have merged the newest commit.
  func awaitMerges(except saver: GraphContext? = nil) throws {
    for root in roots where root !== saver && !root.isStale {
      try awaitClock(root)
      for each in root.family {
        each.perform {}
        each.graph = saved
        each.isDirty = false
        each.clearUndo()
        each.dropGone()
      }
    }
  }

  /// Waits until a root has merged the newest commit, and with it all before.
  func awaitClock(_ root: GraphContext) throws {
    let deadline = Date(timeIntervalSinceNow: 600)
    while root.tick < tick {
      if Date() > deadline { throw GraphFailure("\(root.name): did not merge commit \(tick), only \(root.tick)") }
      usleep(500)
    }
    root.perform {}
  }

  /// Adopts the result of a merge policy for objects with the same unique value, after checking that it is consistent.
  private func adoptResolution(by context: GraphContext) throws {
    let stored = try readStore(isNew: false)
    let faults = stored.contradictions + stored.duplicates.map { "\($0.value) have the same code \($0.key)" }
    if let first = faults.first { throw GraphFailure("the store after a conflict: \(first)") }
    log("// the merge policy resolved a conflict; every context starts again from the store")
    saved = stored
    try startAgain()
  }

  /// Resets every context to the store's content.
  func startAgain() throws {
    for root in roots { try rollback(root, byReset: true) }
    forgetGoneIDs()
    for root in roots { root.context.automaticallyMergesChangesFromParent = true }
    if roots.count > 1 { try commitClock(roots[0]) }
  }

  /// Forgets the IDs of objects that do not exist any more.
  func forgetGoneIDs() { for key in 1..<max(2, nextKey) where !saved.isLive(key) { ids.forget(key) } }

  /// Saves everything to the store, or discards it if a save is rejected.
  func settle(policy: Int) throws {
    for context in roots[active].family.reversed() where context.isDirty {
      guard try save(context, policy: policy) else { return try rollback(roots[active]) }
    }
  }

  func switchRoot(to number: Int, policy: Int) throws {
    try settle(policy: policy)
    active = number % roots.count
  }
}

extension NSMergePolicy {
  /// Whether saves fail that would give two objects the same unique values.
  var isFailing: Bool { mergeType == .errorMergePolicyType }
}
