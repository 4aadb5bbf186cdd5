import Foundation
import StrataTestSupport
import SwiftData

/// Performs random steps on contexts of one store and on plain graphs, and compares the two.
///
/// At any time only one context has unsaved changes, except in `interleave`, so that what every context must report is certain.
/// The others merge each commit.
public final class ModelSession {
  private let folder: TemporaryFolder
  private(set) var spaces: [Space] = []
  private(set) var active = 0
  /// The expected contents of the store.
  var saved = PlainGraph()
  private var nextKey = 1
  /// The number of the newest commit, and of the newest attempt.
  private(set) var tick = 0
  private var attempt = 0
  private let log: (String) -> Void
  let ids = Identifiers()
  /// The properties that the step has set, by the name of the context and the key.
  var written: Set<String> = []

  var space: Space { spaces[active] }

  /// - Parameter log: called with each step as Swift code.
  public init(seed: UInt64, log: @escaping (String) -> Void = { _ in }) throws {
    self.log = log
    folder = try TemporaryFolder()
    var random = SeededRandom(seed: seed &+ 0x5EED)
    let container = try makeContainer()
    spaces.append(Space("a", container, ids))
    if Bool.random(using: &random) { spaces.append(Space("b", container, ids)) }
    if Bool.random(using: &random) { spaces.append(Space("c", try makeContainer(), ids)) }
  }

  /// The file of the store.
  public var url: URL { folder.url("Graph.store") }

  func makeContainer() throws -> ModelContainer {
    try ModelContainer(
      for: GraphTeam.self, GraphPerson.self, GraphBadge.self, GraphTask.self, GraphTag.self, GraphClock.self,
      configurations: ModelConfiguration(url: url))
  }

  func note(_ line: @autoclosure () -> String, _ space: Space? = nil) {
    log("\((space ?? self.space).name): \(line())")
  }

  func makeKey() -> Int {
    defer { nextKey += 1 }
    return nextKey
  }

  func activate(_ number: Int) { active = number % spaces.count }

  // MARK: Saving

  /// Saves a context.
  ///
  /// - Returns: false if the save must fail and did.
  @discardableResult
  func save(_ space: Space, while stale: Space? = nil) throws -> Bool {
    let (refusal, duplicates) = (space.graph.refusal(saved: saved), space.graph.duplicates)
    note("try context.save()    // \(refusal ?? (duplicates.isEmpty ? "" : "conflict of \(duplicates)"))", space)
    if let error = commit(space) {
      guard refusal != nil else { throw GraphFailure("\(space.name): the save failed: \(error)") }
      return false
    }
    if let refusal { throw GraphFailure("\(space.name): the save must fail: \(refusal)") }
    if duplicates.isEmpty { didSave(space) } else { try adoptResolution(of: duplicates, by: space) }
    if space.context.hasChanges { throw GraphFailure("\(space.name): the context has changes after its save") }
    try awaitMerges(except: stale)
    return true
  }

  /// Numbers and saves the changes of a context.
  ///
  /// - Returns: why the save failed; nil if it did not.
  func commit(_ space: Space) -> (any Error)? {
    attempt += 1
    let clock = space.clock ?? GraphClock(tick: attempt)
    clock.tick = attempt
    space.context.insert(clock)
    space.clock = clock
    do { try space.context.save() } catch { return error }
    (tick, space.tick, space.clock) = (attempt, attempt, nil)
    return nil
  }

  private func didSave(_ space: Space) {
    for (key, record) in space.graph.records where record.isDeleted {
      ids.byKey[key] = nil
      if space.held[key] != nil { space.gone[key] = record.alone }
    }
    space.graph.purge()
    saved = space.graph
    space.releaseGone()
    recordIdentifiers(of: space)
  }

  private func recordIdentifiers(of space: Space) {
    for (key, model) in space.held where space.graph.isLive(key) { ids.byKey[key] = model.persistentModelID }
  }

  /// Adopts what a save makes of objects with the same unique values, after checking that it is consistent.
  private func adoptResolution(of duplicates: [String: [Int]], by space: Space) throws {
    let before = space.graph
    let stored = try readStore()
    try require(stored.contradictions, "the store after a conflict")
    for (code, keys) in duplicates {
      let winners = stored.liveKeys(.badge).filter { stored.records[$0]?.code == code }
      guard winners.count == 1 else { throw GraphFailure("\(winners.count) stored badges have the code \(code)") }
      let changed = keys.filter { before.records[$0]?.alone != saved.records[$0]?.alone }
      if changed.count == 1, before.records[changed[0]]?.name != stored.records[winners[0]]?.name {
        throw GraphFailure("the stored badge with the code \(code) has not the values of \(changed[0])")
      }
    }
    for badge in before.records where badge.value.kind == .badge { ids.byKey[badge.key] = nil }
    try adopt(stored, in: space)
  }

  /// Makes a context's contents those of the store, after checking that it shows them.
  func adopt(_ stored: PlainGraph, in space: Space) throws {
    saved = stored
    space.graph = stored
    for key in space.held.keys where stored.records[key]?.kind == .badge { space.release(key) }
    for key in ids.byKey.keys where !stored.isLive(key) { ids.byKey[key] = nil }
    space.releaseGone()
    scrub(space)
    try require(stored.differences(from: try Reader(space: space).all()), "\(space.name) after its save")
  }

  /// Waits until the other contexts have merged the newest commit.
  func awaitMerges(except stale: Space? = nil) throws {
    for other in spaces where other.tick < tick && other !== stale {
      try awaitTick(other)
      other.graph = saved
      for key in other.gone.keys where saved.isLive(key) { other.release(key) }
      other.releaseGone()
      scrub(other)
    }
  }

  func awaitTick(_ space: Space) throws {
    let deadline = Date(timeIntervalSinceNow: 60)
    space.merge()
    while space.tick < tick {
      // Contexts of one container have it immediately.
      if space.container == self.space.container || Date() > deadline {
        throw GraphFailure("\(space.name): did not merge commit \(tick), only \(space.tick)")
      }
      usleep(500)
      space.merge()
    }
  }

  func rollback(_ space: Space) throws {
    note("context.rollback()", space)
    space.context.rollback()
    space.clock = nil
    for (key, record) in space.graph.records where !saved.isLive(key) {
      if record.isDeleted { space.release(key) } else if space.held[key] != nil { space.gone[key] = record.alone }
    }
    space.graph = saved
    space.releaseGone()
    scrub(space)
    if space.context.hasChanges { throw GraphFailure("\(space.name): the context has changes after its rollback") }
  }

  /// Saves, or discards the changes if the save is refused.
  func settle() throws {
    if try !save(space) { try rollback(space) }
  }

  /// Removes what does not exist any more from the relationships of models without a context, which would insert it again.
  func scrub(_ space: Space) {
    var isDone = false
    while !isDone {
      isDone = true
      for (key, record) in space.detached.records {
        for (name, targets) in record.links {
          let left = targets.filter { space.graph.isLive($0) || space.detached.records[$0] != nil }
          guard left != targets else { continue }
          isDone = false
          if record.kind.link(name).isRequired {
            space.detached.records[key] = nil
            space.release(key)
          } else {
            setDetached(name, of: key, to: left, in: space)
          }
        }
      }
    }
  }

  func setDetached(_ name: String, of key: Int, to targets: [Int], in space: Space) {
    guard let model = space.held[key], let kind = space.detached.records[key]?.kind else { return }
    space.detached.records[key]?.links[name] = targets
    kind.link(name).write(model, targets.compactMap { space.held[$0] })
  }
}
