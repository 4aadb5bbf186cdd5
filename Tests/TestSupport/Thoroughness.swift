import Foundation

/// The share of a large test's inputs that is tried: all of them with `sh Tests/run.sh --all`, and otherwise a sample.
public enum Thoroughness {
  public static let isFull = ProcessInfo.processInfo.environment["STRATA_TEST_ALL"] != nil

  /// Returns the number of repetitions.
  public static func repetitions(_ sample: Int, all: Int) -> Int { isFull ? all : sample }
}

extension Collection {
  /// Returns all elements, or every n-th for a sample.
  /// - Parameter first: The index of the sample's first element. Tests that use the same elements in several ways start at
  ///   different indexes, so that together they try more elements.
  public func sampled(every step: Int, from first: Int = 0) -> [Element] {
    guard !Thoroughness.isFull else { return Array(self) }
    return enumerated().filter { $0.offset % step == first % step }.map(\.element)
  }
}
