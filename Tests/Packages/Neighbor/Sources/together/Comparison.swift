import Foundation
import NeighborFacts

/// Compares the process with one that does not have the framework, and prints the differences.
final class Comparison {
  private(set) var failures = 0
  private let expected: [String: String]
  private let folder: URL

  /// - Parameters:
  ///   - facts: a file of facts, in JSON.
  ///   - folder: for databases.
  init(with facts: URL, in folder: URL) throws {
    self.folder = folder.appendingPathComponent("Neighbor")
    expected = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: facts))
  }

  func compare(_ moment: String) throws {
    let found = try Facts.current(in: folder)
    let names = Set(expected.keys).union(found.keys).sorted()
    let different = names.filter { expected[$0] != found[$0] }
    for name in different {
      print("\(moment), \(name): \(found[name] ?? "missing") instead of \(expected[name] ?? "missing")")
    }
    let same = names.count - different.count
    check("\(moment): \(same) of \(names.count) facts are those without the framework", different.isEmpty)
  }

  func check(_ promise: String, _ holds: Bool) {
    print("\(holds ? "ok    " : "FAILED") \(promise)")
    if !holds { failures += 1 }
  }
}
