import Foundation
import StrataModelGraph
import StrataRandomRuns

/// Compares SwiftData with a plain model under random operations.
///
/// ```
/// strata-model-test [--seeds A-B] [--steps N] [--jobs N]
/// strata-model-test --seed N [--keep 1,2,5] [--code]    one seed, or some of its steps, in this process
/// ```
@main
struct ModelTest {
  static func main() throws {
    let options = try RunOptions(CommandLine.arguments.dropFirst(), steps: 150)
    exit(
      try SeedRunner(options).main { seed in
        let steps = Step.sequence(seed: seed, count: options.steps)
        let session = try ModelSession(seed: seed) { if options.printsCode { printLine("    \($0)") } }
        return RandomRun(
          operations: steps.map { "\($0.operation)" }, perform: { try session.perform(steps[$0]) },
          finish: session.finish)
      })
  }
}
