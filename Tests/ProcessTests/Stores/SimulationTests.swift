import Foundation
import StrataTestSupport
import Testing

#if arch(x86_64)
/// Simulated processes that share a store. These tests run a few seeds, and `sh Tests/simulate.sh` runs many.
@Suite(.waitsForProcesses) struct SimulationTests {
  /// - Returns: The last line of output.
  private func simulate(seeds: Int, _ options: String...) throws -> String {
    let home = try Home()
    let program = try Program("strata-store-soak", ["simulate", "--seeds", "1-\(seeds)"] + options, home: home.url)
    #expect(program.status() == 0, "\(program.errorText)\(program.lines.joined(separator: "\n"))")
    let last = program.lines.last ?? ""
    #expect(last.hasPrefix("seeds \(seeds), "), "\(program.lines)")
    return last
  }

  @Test func `a seed makes the same calls in each run`() throws {
    let last = try simulate(seeds: Thoroughness.repetitions(1, all: 2), "--twice")
    #expect(last.hasSuffix("failed 0, unlike when repeated 0"), "\(last)")
  }

  /// If only a part of a reader's record were read, a purge would delete history that the reader needs (invariant 5).
  @Test func `a transfer that is cut short continues`() throws {
    _ = try simulate(seeds: Thoroughness.repetitions(1, all: 3), "--short")
  }

  /// A process that could not open a file for a moment does not keep it open for reading only.
  @Test func `a process writes again after the system recovers`() throws {
    _ = try simulate(seeds: Thoroughness.repetitions(1, all: 2), "--errors", "EMFILE")
  }
}
#endif
