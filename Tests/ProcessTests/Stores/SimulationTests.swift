import Foundation
import StrataTestSupport
import Testing

#if arch(x86_64)
/// Simulated processes that share a store. `sh Tests/simulate.sh` does to many seeds what this does to some.
@Suite(.waitsForProcesses) struct SimulationTests {
  /// - Returns: the last line of output.
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

  /// A reader that is overlooked because its record was read in part loses history that it still needs (invariant 5).
  @Test func `a transfer that is cut short continues`() throws {
    _ = try simulate(seeds: Thoroughness.repetitions(1, all: 3), "--short")
  }

  /// A file that could not be opened for a moment is not open for reading only from then on.
  @Test func `a process writes again after the system recovers`() throws {
    _ = try simulate(seeds: Thoroughness.repetitions(1, all: 2), "--errors", "EMFILE")
  }
}
#endif
