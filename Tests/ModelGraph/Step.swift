import StrataTestSupport

/// One random step. Its numbers choose among the objects that exist when it runs, so any part of a sequence can run alone.
public struct Step: Sendable {
  public enum Operation: CaseIterable, Sendable {
    case make, insert, insertAgain, setName, setNumber, setCode, swapCodes, link, unlink, replace, delete
    case save, rollback, process, fetch, identify, release, switchContext, reopen, interleave

    /// How often the operation occurs, relative to the others.
    var weight: Int {
      switch self {
      case .make: 14
      case .insert: 10
      case .insertAgain: 3
      case .setName, .setNumber: 5
      case .setCode, .swapCodes: 2
      case .link: 18
      case .unlink: 6
      case .replace: 5
      case .delete: 6
      case .save: 10
      case .rollback: 3
      case .process: 2
      case .fetch: 8
      case .identify: 4
      case .release: 5
      case .switchContext: 4
      case .reopen: 1
      case .interleave: 3
      }
    }
  }

  public let operation: Operation
  let a: Int
  let b: Int
  let c: Int
  let d: Int

  private static let weightedOperations = Operation.allCases.flatMap { Array(repeating: $0, count: $0.weight) }

  init(from random: inout SeededRandom) {
    operation = Self.weightedOperations.randomElement(using: &random) ?? .save
    (a, b) = (Int.random(in: 0..<1_000_000, using: &random), Int.random(in: 0..<1_000_000, using: &random))
    (c, d) = (Int.random(in: 0..<1_000_000, using: &random), Int.random(in: 0..<1_000_000, using: &random))
  }

  public static func sequence(seed: UInt64, count: Int) -> [Step] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in Step(from: &random) }
  }
}

extension Array {
  /// Returns an element chosen by a number; nil if the array is empty.
  func choose(_ number: Int) -> Element? { isEmpty ? nil : self[number % count] }
}

/// A difference between SwiftData and the plain model.
struct GraphFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
