import StrataTestSupport
import SwiftData

/// Two contexts change objects at the same time.
extension ModelSession {
  /// One context saves, the other merges that into its unsaved changes and saves too.
  ///
  /// The store must then contain what the second shows, its own changes and those of the first that it has not changed.
  func interleave(_ step: Step) throws {
    try settle()
    let writer = space
    guard let (number, other) = spaces.enumerated().filter({ $0.element !== writer }).choose(step.a) else { return }
    let (base, writing) = (saved, active)
    var random = SeededRandom(seed: UInt64(step.b))
    activate(number)
    try edit(&random)
    let mine = other.graph
    activate(writing)
    try edit(&random)
    if writer.graph.refusal(saved: saved) != nil || !writer.graph.duplicates.isEmpty {
      activate(number)
      try rollback(other)
      activate(writing)
      return try rollback(writer)
    }
    try save(writer, while: other)
    let theirs = saved
    try awaitTick(other)
    activate(number)
    try saveMerged(other, base, theirs, mine)
    if step.c % 2 == 0 { activate(writing) }
  }

  /// Makes some changes.
  private func edit(_ random: inout SeededRandom) throws {
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let step = Step(from: &random)
      switch step.operation {
      case .setName, .setNumber, .link, .unlink, .replace, .delete, .make, .insert: try run(step)
      default: break
      }
    }
  }

  private func saveMerged(_ space: Space, _ base: PlainGraph, _ theirs: PlainGraph, _ mine: PlainGraph) throws {
    note("try context.save()    // after a merge into unsaved changes")
    let isSaved = commit(space) == nil
    let stored = try readStore()
    guard isSaved else {
      try require(theirs.differences(from: stored), "the store after a save that failed")
      for key in space.held.keys { space.release(key) }
      return try rollback(space)
    }
    // Both sides of a one-to-one relationship are in the store. Each context may have changed one that the other does not know.
    let faults = stored.contradictions.filter { !$0.contains(".badge leads") && !$0.contains(".person leads") }
    try require(faults, "the store after a merge")
    for key in base.liveKeys where theirs.isLive(key) && mine.isLive(key) {
      for name in ["name", "number"] {
        let (old, their, my) = (base.shown(key)[name], theirs.shown(key)[name], mine.shown(key)[name])
        let expected = my != old ? my : their
        if stored.isLive(key), stored.shown(key)[name] != expected {
          throw GraphFailure(
            "\(key).\(name) is \(stored.shown(key)[name] ?? "nil") after a merge, must be \(expected ?? "nil")")
        }
      }
    }
    try adopt(stored, in: space)
    try awaitMerges()
  }
}
