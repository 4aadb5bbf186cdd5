import Foundation

/// The command line of a program that performs random steps.
public struct RunOptions: Sendable {
  public var seeds: ClosedRange<UInt64> = 1...10
  public var steps: Int
  /// The number of processes that share the seeds.
  public var jobs = 2
  /// The number of this process among those; nil for the process that starts them.
  public var part: Int?
  /// The only seed to run.
  public var seed: UInt64?
  /// The only steps to run.
  public var keep: [Int]?
  /// Whether to print each step as Swift code.
  public var printsCode = false
  public var shrinks = true
  /// The names of operations to leave out.
  public var excluded: Set<String> = []
  /// The program's own arguments, which every process of a run gets.
  public var ownWords: [String] = []

  /// Reads a command line.
  ///
  /// - Parameters:
  ///   - words: the arguments.
  ///   - steps: the default number of steps.
  ///   - own: called with each option of the program's own, and a function that reads its value; returns false if the program
  ///     has no such option.
  /// - Throws: a `RunFailure` for what it does not understand.
  public init(
    _ words: ArraySlice<String>, steps: Int, own: (String, () throws -> String) throws -> Bool = { _, _ in false }
  ) throws {
    self.steps = steps
    var words = words
    func value() throws -> String {
      guard let next = words.popFirst() else { throw RunFailure("the last option has no value") }
      return next
    }
    func number<T: FixedWidthInteger>(_ text: String) throws -> T {
      guard let number = T(text) else { throw RunFailure("'\(text)' is not a number") }
      return number
    }
    while let word = words.popFirst() {
      switch word {
      case "--steps": self.steps = try number(value())
      case "--jobs": jobs = try number(value())
      case "--part": part = try number(value())
      case "--seed": seed = try number(value())
      case "--keep": keep = try value().split(separator: ",").map { try number(String($0)) }
      case "--code": printsCode = true
      case "--without": excluded = Set(try value().split(separator: ",").map(String.init))
      case "--no-shrink": shrinks = false
      case "--seeds":
        let ends: [UInt64] = try value().split(separator: "-").map { try number(String($0)) }
        guard let first = ends.first, let last = ends.last, first <= last else {
          throw RunFailure("--seeds takes a range, such as 1-100")
        }
        seeds = first...last
      default: if try !own(word, value) { throw RunFailure("unknown option '\(word)'") }
      }
    }
  }

  /// The arguments with which every process of a run performs the same steps.
  var words: [String] {
    ownWords + ["--steps", "\(steps)"]
      + (excluded.isEmpty ? [] : ["--without", excluded.sorted().joined(separator: ",")])
  }
}

/// Why a command line is not understood.
public struct RunFailure: Error, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}

/// The steps of one seed.
public struct RandomRun {
  let operations: [String]
  let perform: (Int) throws -> Void
  let finish: () throws -> Void

  /// Makes a run.
  ///
  /// - Parameters:
  ///   - operations: the names of the steps' operations.
  ///   - perform: performs the step of a number, and compares; throws what is wrong.
  ///   - finish: called after the last step.
  public init(operations: [String], perform: @escaping (Int) throws -> Void, finish: @escaping () throws -> Void) {
    (self.operations, self.perform, self.finish) = (operations, perform, finish)
  }
}

/// Prints a line immediately, so that it is not lost if the process stops.
public func printLine(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
