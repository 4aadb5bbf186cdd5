/// The command line.
struct Options: Sendable {
  var kind = GraphStore.Kind.sqlite
  var seeds: ClosedRange<UInt64> = 1...10
  var steps = 200
  /// The number of processes that share the seeds.
  var jobs = 2
  /// The number of this process among those; nil for the process that starts them.
  var part: Int?
  /// The URL of the store of another process, for which this one commits.
  var peerURL: String?
  /// The only seed to run.
  var seed: UInt64?
  /// The only steps to run.
  var keep: [Int]?
  /// Whether to print each step as Swift code.
  var printsCode = false
  var shrinks = true
  /// The names of operations to leave out.
  var excluded: Set<String> = []

  init(_ words: ArraySlice<String>) throws {
    var words = words
    func value() throws -> String {
      guard let next = words.popFirst() else { throw GraphFailure("the last option has no value") }
      return next
    }
    func number<T: FixedWidthInteger>(_ text: String) throws -> T {
      guard let number = T(text) else { throw GraphFailure("'\(text)' is not a number") }
      return number
    }
    while let word = words.popFirst() {
      switch word {
      case "--store":
        let name = try value()
        guard let kind = GraphStore.Kind(rawValue: name) else { throw GraphFailure("unknown store '\(name)'") }
        self.kind = kind
      case "--steps": steps = try number(value())
      case "--jobs": jobs = try number(value())
      case "--part": part = try number(value())
      case "--peer": peerURL = try value()
      case "--seed": seed = try number(value())
      case "--keep": keep = try value().split(separator: ",").map { try number(String($0)) }
      case "--code": printsCode = true
      case "--without": excluded = Set(try value().split(separator: ",").map(String.init))
      case "--no-shrink": shrinks = false
      case "--seeds":
        let ends: [UInt64] = try value().split(separator: "-").map { try number(String($0)) }
        guard let first = ends.first, let last = ends.last, first <= last else {
          throw GraphFailure("--seeds takes a range, such as 1-100")
        }
        seeds = first...last
      default: throw GraphFailure("unknown option '\(word)'")
      }
    }
  }
}

extension Options {
  /// The arguments with which every process of a run performs the same steps.
  var words: [String] {
    ["--store", kind.rawValue, "--steps", "\(steps)"]
      + (excluded.isEmpty ? [] : ["--without", excluded.sorted().joined(separator: ",")])
  }

  func includes(_ step: Step) -> Bool { !excluded.contains("\(step.operation)") }
}
