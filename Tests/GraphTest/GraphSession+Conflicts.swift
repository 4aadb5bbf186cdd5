import CoreData
import StrataTestSupport

/// Two root contexts change the same objects: one of them does not merge what the other saves, and resolves the conflicts
/// with a merge policy.
extension GraphSession {
  func conflict(_ step: Step) throws {
    try settle(policy: 0)
    let writer = roots[active]
    guard let stale = roots.filter({ $0 !== writer }).choose(step.b) else { return }
    var random = SeededRandom(seed: UInt64(step.c))
    try stopMerging(stale)
    defer {
      stale.context.automaticallyMergesChangesFromParent = true
      stale.isStale = false
    }
    let base = saved
    try edit(writer, &random)
    guard try save(writer, policy: 0) else { return try startAgain() }
    let theirs = saved
    touched = []
    try edit(stale, &random)
    let round = ConflictRound(base: base, theirs: theirs, mine: stale.graph, touched: touched)
    try saveStale(stale, round, policy: step.d)
    try startAgain()
  }

  /// Two root contexts change objects at the same time, and one merges what the other saves into its unsaved changes.
  ///
  /// The store must then contain what the context reports, and relationships must lead back.
  func interleave(_ step: Step) throws {
    try settle(policy: 0)
    let writer = roots[active]
    guard let merging = roots.filter({ $0 !== writer }).choose(step.b) else { return }
    var random = SeededRandom(seed: UInt64(step.c))
    for child in merging.family.dropFirst().reversed() {
      child.dropAll()
      child.perform { child.context.reset() }
    }
    let before = merging.graph
    merging.isStale = true
    defer { merging.isStale = false }
    try edit(merging, &random)
    try edit(writer, &random)
    guard try save(writer, policy: 0) else { return try startAgain() }
    let theirs = saved
    try awaitClock(merging)
    log("\(merging.name): merges")
    if step.d % 3 == 0, merging.canUndo {
      log("\(merging.name): context.undo(); context.redo()")
      merging.perform {
        merging.context.undo()
        merging.context.redo()
      }
    }
    if step.d % 5 == 0 { try refreshAll(merging) }
    try saveMerged(merging, before: before, theirs: theirs)
    try startAgain()
  }

  private func saveMerged(_ context: GraphContext, before: Graph, theirs: Graph) throws {
    log("\(context.name): context.mergePolicy = .error; try context.save()")
    do {
      try context.perform {
        context.context.mergePolicy = NSMergePolicy.error
        try context.context.save()
      }
    } catch let error as CocoaError {
      // Another context may have used a unique value, or referred to an object that is deleted here.
      guard [133021, 1600, 1560].contains(error.code.rawValue) else {
        throw GraphFailure("\(context.name): the save after a merge failed: \(error) \(error.userInfo)")
      }
      let stored = try readStore(isNew: false)
      return try require(theirs.differences(from: stored), "the store after a save that failed")
    }
    let stored = try readStore(isNew: false)
    let faults = stored.contradictions.filter { !$0.contains(".spouse") }
    if let first = faults.first { throw GraphFailure("the store after a merge: \(first)") }
    let actual = try context.perform { try GraphReader(context: context.context, way: 2).all() }
    try require(stored.differences(from: actual), "\(context.name) after its save")
    saved = stored
  }

  /// Makes a context keep the store's current contents: it registers every object, and merges nothing.
  private func stopMerging(_ context: GraphContext) throws {
    log("\(context.name): stops merging, and reads everything")
    for child in context.family.dropFirst().reversed() {
      child.dropAll()
      child.perform { child.context.reset() }
    }
    context.context.automaticallyMergesChangesFromParent = false
    context.isStale = true
    try context.perform {
      for entity in GraphSchema.rootEntities {
        for object in try context.context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)) {
          guard let key = (object.value(forKey: GraphSchema.key) as? NSNumber)?.intValue else { continue }
          context.hold(object, as: key)
          _ = GraphReader(context: context.context, way: 2).record(of: object)
        }
      }
    }
  }

  /// Makes some changes.
  func edit(_ context: GraphContext, _ random: inout SeededRandom) throws {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let step = Step(from: &random)
      switch step.operation {
      case .setText, .setNumber, .setTarget, .add, .remove, .delete: try perform(step, in: context)
      default: break
      }
    }
  }

  private func saveStale(_ context: GraphContext, _ round: ConflictRound, policy number: Int) throws {
    let (policy, name) = policy(number)
    log("\(context.name): context.mergePolicy = .\(name); try context.save()    // after a commit it did not merge")
    let mayBeRefused = round.mine.refusesDeletion(saved: round.base)
    do {
      try context.perform {
        context.context.mergePolicy = policy
        try context.context.save()
      }
    } catch let error as CocoaError {
      let stored = try readStore(isNew: false)
      try require(round.theirs.differences(from: stored), "the store after a save that failed")
      switch error.code.rawValue {
      // A row counts as changed even if a change was reverted.
      case 133020 where policy == .error: return
      case 133020 where policy == .mergingRelationships && round.exceedsRelationships: return
      case 133021 where policy.isFailing: return
      // A merge policy can restore a link for which a delete rule denies the deletion.
      case 1600 where mayBeRefused || policy != .error, 1560 where mayBeRefused || policy != .error: return
      default: throw GraphFailure("\(context.name): the save failed: \(error) \(error.userInfo)")
      }
    }
    let stored = try readStore(isNew: false)
    let faults = stored.contradictions.filter { !$0.contains(".spouse") }
    if let first = faults.first { throw GraphFailure("the store after policy \(name): \(first)") }
    if !stored.duplicates.isEmpty { throw GraphFailure("the store has duplicates: \(stored.duplicates)") }
    try require(round.differences(from: stored, policy: policy), "the store after policy \(name)")
    saved = stored
  }
}

/// The three graphs of a save after a commit that its context did not merge.
private struct ConflictRound {
  let base: Graph
  let theirs: Graph
  let mine: Graph
  /// The objects that were edited here, even if the result is unchanged.
  let touched: Set<Int>

  /// Whether an object here has the unique value that another one was given there.
  private var competesForValues: Bool {
    let (entity, attribute) = GraphSchema.unique
    return mine.liveKeys(of: entity).contains { key in
      guard let text = mine.text(attribute, of: key) else { return false }
      return theirs.liveKeys(of: entity).contains { $0 != key && theirs.text(attribute, of: $0) == text }
    }
  }

  /// Whether a policy that merges only changes of relationships may fail: both sides changed attributes of one object, or set
  /// one of its to-one relationships, or one side deleted it.
  var exceedsRelationships: Bool {
    base.liveKeys.contains { key in
      guard theirs.isLive(key), mine.isLive(key) else { return true }
      let attributes = base.attributes(of: key, theirs, mine)
      if attributes.contains(where: { $0.first != $0.second }), attributes.contains(where: { $0.first != $0.third }) {
        return true
      }
      let (old, their, my) = (base.targets(of: key), theirs.targets(of: key), mine.targets(of: key))
      return Set(old.keys).union(their.keys).union(my.keys).contains { old[$0] != their[$0] && old[$0] != my[$0] }
    }
  }

  /// Returns the attributes that the policy merged wrongly, of the objects in all three graphs.
  func differences(from stored: Graph, policy: NSMergePolicy) -> [String] {
    // A policy that resolves a conflict over unique values may delete an object.
    guard !competesForValues else { return [] }
    return base.liveKeys.filter { theirs.isLive($0) && mine.isLive($0) }.flatMap { key -> [String] in
      guard stored.isLive(key) else { return ["\(base.entity(of: key)) \(key) is missing"] }
      let isMine = base.isChanged(key, in: mine)
      let isTheirs = base.isChanged(key, in: theirs)
      return base.attributes(of: key, theirs, mine).compactMap { name, old, their, my in
        // A conflict over unique values, or over a row that was changed and changed back, discards changes too.
        if name == GraphSchema.unique.attribute || policy == .rollback { return nil }
        let expected =
          switch (isMine, isTheirs, policy) {
          case (true, true, .overwrite): my
          case (true, true, .mergeByPropertyStoreTrump): their != old ? their : my
          case (true, true, _): my != old ? my : their
          case (true, false, _): my
          default: their
          }
        let actual = stored.attribute(name, of: key)
        // An object whose changes were reverted may count as changed.
        if policy == .overwrite, !isMine, isTheirs, touched.contains(key), actual == my { return nil }
        return actual == expected
          ? nil : "\(base.entity(of: key)) \(key).\(name) is \(actual ?? "nil"), must be \(expected ?? "nil")"
      }
    }
  }
}

extension Graph {
  func attribute(_ name: String, of key: Int) -> String? {
    records[key]?.texts[name] ?? records[key]?.numbers[name].map(String.init)
  }

  /// Returns the attributes of an object here and in two other graphs.
  fileprivate func attributes(
    of key: Int, _ second: Graph, _ third: Graph
  ) -> [(name: String, first: String?, second: String?, third: String?)] {
    let entity = entity(of: key)
    return (GraphSchema.texts(of: entity) + GraphSchema.numbers(of: entity)).map { name in
      (name, attribute(name, of: key), second.attribute(name, of: key), third.attribute(name, of: key))
    }
  }

  fileprivate func targets(of key: Int) -> [String: Int] { records[key]?.one ?? [:] }

  /// Whether anything about an object differs in another graph.
  fileprivate func isChanged(_ key: Int, in other: Graph) -> Bool { records[key] != other.records[key] }
}
