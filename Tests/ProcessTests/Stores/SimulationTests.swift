import Foundation
import Testing

#if arch(x86_64)
/// Simulated processes that share a store. `sh Tests/simulate.sh` does to many seeds what this does to some.
@Suite struct SimulationTests {
  @Test func aSeedMakesTheSameCallsAgain() throws {
    let home = try Home()
    let program = try Program("strata-store-soak", ["simulate", "--seeds", "1-2", "--twice"], home: home.url)
    #expect(program.status() == 0, "\(program.errorText)\(program.lines.joined(separator: "\n"))")
    #expect(program.lines.last?.hasSuffix("failed 0, unlike when repeated 0") == true, "\(program.lines)")
    #expect(program.lines.last?.hasPrefix("seeds 2, ") == true, "\(program.lines)")
  }

  /// A reader that is overlooked because its record was read in part loses history that it still needs (invariant 5).
  @Test func aTransferThatIsCutShortGoesOn() throws {
    let home = try Home()
    let program = try Program("strata-store-soak", ["simulate", "--seeds", "1-3", "--short"], home: home.url)
    #expect(program.status() == 0, "\(program.errorText)\(program.lines.joined(separator: "\n"))")
    #expect(program.lines.last?.hasPrefix("seeds 3, ") == true, "\(program.lines)")
  }

  /// A file that could not be opened for a moment is not open for reading only from then on.
  @Test func aSystemThatRecoversIsWrittenAgain() throws {
    let home = try Home()
    let program = try Program(
      "strata-store-soak", ["simulate", "--seeds", "1-2", "--errors", "EMFILE"], home: home.url)
    #expect(program.status() == 0, "\(program.errorText)\(program.lines.joined(separator: "\n"))")
    #expect(program.lines.last?.hasPrefix("seeds 2, ") == true, "\(program.lines)")
  }
}
#endif
