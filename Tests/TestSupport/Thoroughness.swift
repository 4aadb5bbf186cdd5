import Foundation

/// How many of the inputs of a large test are tried: all under `sh Tests/run.sh --all`, otherwise a sample.
public enum Thoroughness {
  public static let isFull = ProcessInfo.processInfo.environment["STRATA_TEST_ALL"] != nil

  /// Returns the number of repetitions.
  public static func repetitions(_ sample: Int, all: Int) -> Int { isFull ? all : sample }
}

extension Collection {
  /// Returns all elements, or every n-th for a sample.
  /// - Parameter first: the number of the sample's first element. Tests that try the same elements in several ways choose
  ///   different ones, so that together they try more.
  public func sampled(every step: Int, from first: Int = 0) -> [Element] {
    guard !Thoroughness.isFull else { return Array(self) }
    return enumerated().filter { $0.offset % step == first % step }.map(\.element)
  }
}
