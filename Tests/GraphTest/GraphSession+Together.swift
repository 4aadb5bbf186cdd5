import CoreData
import Foundation
import StrataTestSupport
import Synchronization

/// Several contexts save at the same time, on threads of their own, so that one COMMIT may make several of the saves.
extension GraphSession {
  /// Makes changes that lead to the same result in every order, and saves them together.
  ///
  /// Each context inserts objects, changes attributes of objects that no other changes, and adds links to objects that all share,
  /// which they have all read before. So each save has conflicts with the others, and must succeed with the policy that merges
  /// relationships.
  func saveTogether(_ step: Step) throws {
    try settle(policy: 0)
    log("// \(2 + step.b % 3) contexts save together, seed \(step.c)")
    var random = SeededRandom(seed: UInt64(step.c))
    let contexts = (0..<2 + step.b % 3).map { number in
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = roots[number % roots.count].context.persistentStoreCoordinator
      context.mergePolicy = NSMergePolicy.mergingRelationships
      let one = GraphContext("thread \(number)", context, ids: ids)
      one.graph = saved
      return one
    }
    var result = saved
    for (number, context) in contexts.enumerated() {
      let own = saved.liveKeys.enumerated().filter { $0.offset % contexts.count == number }.map(\.element)
      for edit in edits(of: own, &random) {
        log("\(context.name): \(edit)")
        try context.perform { try edit.perform(in: context) }
        edit.perform(on: &context.graph)
        edit.perform(on: &result)
      }
    }
    try saveOnThreads(contexts)
    saved = result
    for context in contexts {
      context.graph = result
      context.perform { context.recordIDs() }
    }
    try compareStore(isNew: step.d % 4 == 0)
    // The contexts of the session have merged the saves once they have merged a later one.
    setClock(contexts[0])
    try contexts[0].perform { try contexts[0].context.save() }
    didCommit(contexts[0])
    try awaitMerges()
    for root in roots { try compareAll(root, way: step.d) }
  }

  /// Returns some changes that commute with those of other contexts.
  /// - Parameter own: the objects whose attributes only this context changes.
  private func edits(of own: [Int], _ random: inout SeededRandom) -> [Edit] {
    var edits: [Edit] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let people = saved.liveKeys(of: "Person")
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let key = makeKey()
        edits += [.insert(key, entity: "Work"), .setText(key, "title", "together")]
        if let author = people.randomElement(using: &random) { edits.append(.setTarget(key, "author", author)) }
      case 1:
        let works = saved.liveKeys(of: "Work")
        guard let work = works.randomElement(using: &random), let tag = tags(in: own).randomElement(using: &random)
        else { continue }
        edits.append(.add(work, "tags", tag, way: 0))
      case 2:
        guard let one = people.randomElement(using: &random), let other = people.randomElement(using: &random),
          one != other
        else { continue }
        edits.append(.add(one, "friends", other, way: 0))
      default:
        guard let key = own.randomElement(using: &random) else { continue }
        let names = GraphSchema.texts(of: saved.entity(of: key)).filter { $0 != GraphSchema.unique.attribute }
        if let name = names.randomElement(using: &random) { edits.append(.setText(key, name, "of one thread")) }
      }
    }
    return edits
  }

  private func tags(in keys: [Int]) -> [Int] { keys.filter { saved.entity(of: $0) == "Tag" } }

  /// Saves each context on its own thread. Another process's lock keeps the saves of a SQLite store waiting until all are
  /// there.
  private func saveOnThreads(_ contexts: [GraphContext]) throws {
    let lock = store.kind == .sqlite ? try HeldWriterLock(of: store.url) : nil
    let failures = Mutex<[String]>([])
    let ended = DispatchGroup()
    for context in contexts {
      let (name, context) = (context.name, context.context)
      ended.enter()
      Thread.detachNewThread {
        do {
          try context.performAndWait { try context.save() }
        } catch {
          failures.withLock { $0.append("\(name): the save failed: \(error) \((error as NSError).userInfo)") }
        }
        ended.leave()
      }
    }
    if let lock {
      usleep(5_000)
      lock.release()
    }
    ended.wait()
    if let first = failures.withLock({ $0.first }) { throw GraphFailure(first) }
  }
}
