import StrataTestSupport

/// One random step. Its numbers choose among the objects that exist when it runs, so any part of a sequence can run alone.
struct Step: Sendable {
  enum Operation: CaseIterable {
    case insert, setText, setNumber, setTarget, add, remove, insertMember, replace, delete
    case swapUnique, touchTransient
    case save, saveAll, rollback, undo, redo, reset, refreshAll, refresh, dropReferences
    case readSome, readAll, fetch, switchRoot, batch, conflict, interleave, commitElsewhere, saveTogether

    /// How often the operation occurs, relative to the others.
    var weight: Int {
      switch self {
      case .insert: 12
      case .setText, .setNumber: 6
      case .setTarget: 14
      case .add: 14
      case .remove: 7
      case .insertMember, .replace: 5
      case .delete: 6
      case .swapUnique: 4
      case .touchTransient: 1
      case .save: 7
      case .saveAll: 8
      case .rollback, .reset: 2
      case .undo: 5
      case .redo: 3
      case .refreshAll, .refresh: 3
      case .dropReferences: 5
      case .readSome: 10
      case .readAll: 4
      case .fetch: 6
      case .switchRoot: 5
      case .batch: 2
      case .conflict, .interleave, .commitElsewhere, .saveTogether: 3
      }
    }
  }

  let operation: Operation
  let a: Int
  let b: Int
  let c: Int
  let d: Int

  private static let weightedOperations = Operation.allCases.flatMap { Array(repeating: $0, count: $0.weight) }

  init(from random: inout SeededRandom) {
    operation = Self.weightedOperations.randomElement(using: &random) ?? .readAll
    (a, b) = (Int.random(in: 0..<1_000_000, using: &random), Int.random(in: 0..<1_000_000, using: &random))
    (c, d) = (Int.random(in: 0..<1_000_000, using: &random), Int.random(in: 0..<1_000_000, using: &random))
  }

  static func sequence(seed: UInt64, count: Int) -> [Step] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in Step(from: &random) }
  }
}

extension Array {
  /// Returns an element chosen by a number; nil if the array is empty.
  func choose(_ number: Int) -> Element? { isEmpty ? nil : self[number % count] }
}
