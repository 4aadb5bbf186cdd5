import Foundation
import StrataTestSupport
import Testing

/// A store under injected faults. `sh Tests/faults.sh` does to every call what these tests do to some.
@Suite(.waitsForProcesses) struct FaultTests {
  /// Invariant 6: a process that dies at any instant leaves a store that opens and contains exactly what was committed.
  @Test(arguments: [
    (deed: "calls", every: 47, promise: "lost, torn or stuck 0"),
    (deed: "power", every: 197, promise: "most commits lost 0, torn, out of order or damaged 0"),
    (deed: "kills", every: 150, promise: "lost, torn or stuck 0"),
  ])
  func `a system failure loses no committed data`(deed: String, every: Int, promise: String) async throws {
    try await onOwnThread {
      let home = try Home()
      let step = every * Thoroughness.repetitions(12, all: 1)
      let program = try Program("strata-store-faults", [deed, "--every", "\(step)"], home: home.url)
      #expect(program.status() == 0, "\(program.errorText)\(program.lines.joined(separator: "\n"))")
      #expect(program.lines.contains { $0.hasSuffix(promise) }, "\(program.lines.joined(separator: "\n"))")
    }
  }
}
