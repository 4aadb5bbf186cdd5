import Foundation
import StrataTestSupport
import Testing

/// A store under injected faults. These tests inject them into a sample of calls, and `sh Tests/faults.sh` into all.
@Suite(.waitsForProcesses) struct FaultTests {
  /// Invariant 6: a process that dies at any instant leaves a store that opens and contains exactly what was committed.
  @Test(arguments: [
    (fault: "calls", every: 47, expectedEnd: "lost, torn or stuck 0"),
    (fault: "power", every: 197, expectedEnd: "most commits lost 0, torn, out of order or damaged 0"),
    (fault: "kills", every: 150, expectedEnd: "lost, torn or stuck 0"),
  ])
  func `a system failure does not lose committed data`(fault: String, every: Int, expectedEnd: String) async throws {
    try await onOwnThread {
      let home = try Home()
      let step = every * Thoroughness.repetitions(12, all: 1)
      let program = try Program("strata-store-faults", [fault, "--every", "\(step)"], home: home.url)
      #expect(program.status() == 0, "\(program.errorText)\(program.lines.joined(separator: "\n"))")
      #expect(program.lines.contains { $0.hasSuffix(expectedEnd) }, "\(program.lines.joined(separator: "\n"))")
    }
  }
}
