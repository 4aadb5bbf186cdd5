import Foundation

/// How many of the inputs of a large test are tried: all under `sh Tests/run.sh --all`, otherwise a sample.
public enum Thoroughness {
  public static let isFull = ProcessInfo.processInfo.environment["STRATA_TEST_ALL"] != nil

  /// Returns the number of repetitions.
  public static func repetitions(_ sample: Int, all: Int) -> Int { isFull ? all : sample }
}

extension Collection {
  /// Returns all elements, or every n-th, from the first on, for a sample.
  public func sampled(every step: Int) -> [Element] {
    Thoroughness.isFull ? Array(self) : enumerated().filter { $0.offset % step == 0 }.map(\.element)
  }
}
