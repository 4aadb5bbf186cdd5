import CoreData
import StrataRandomRuns

/// Compares Core Data with a plain model under random operations.
///
/// ```
/// strata-graph-test [--store KIND] [--seeds A-B] [--steps N] [--jobs N]
/// strata-graph-test --seed N [--keep 1,2,5] [--code]    one seed, or some of its steps, in this process
/// ```
@main
struct GraphTest {
  static func main() throws {
    let options = try Options(CommandLine.arguments.dropFirst())
    if let text = options.peerURL, let url = URL(string: text) { return try Peer.serve(options.kind, at: url) }
    exit(
      try SeedRunner(options.run).main { seed in
        let steps = Step.sequence(seed: seed, count: options.run.steps)
        let session = try GraphSession(seed: seed, kind: options.kind, printsCode: options.run.printsCode)
        return RandomRun(
          operations: steps.map { "\($0.operation)" }, perform: { try session.perform(steps[$0]) },
          finish: session.finish)
      })
  }
}
