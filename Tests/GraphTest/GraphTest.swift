import CoreData
import StrataTestSupport

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
    if let seed = options.seed { exit(run(seed, options) ? 0 : 1) }
    if let part = options.part {
      for seed in options.seeds where Int(seed) % options.jobs == part {
        printLine("begin \(seed)")
        _ = run(seed, options)
      }
      exit(0)
    }
    exit(try SeedRunner(options).run() ? 0 : 1)
  }

  /// The maximum time for a seed, in seconds. A signal then ends the process.
  private static let maximumTime: UInt32 = 120

  private static func run(_ seed: UInt64, _ options: Options) -> Bool {
    alarm(maximumTime)
    defer { alarm(0) }
    let steps = Step.sequence(seed: seed, count: options.steps)
    var last = -1
    do {
      let session = try GraphSession(seed: seed, kind: options.kind, printsCode: options.printsCode)
      for number in options.keep ?? Array(steps.indices) where number < steps.count && options.includes(steps[number]) {
        last = number
        if options.printsCode { printLine("    // \(number): \(steps[number].operation)") }
        try session.perform(steps[number])
      }
      last = steps.count
      try session.finish()
      return true
    } catch {
      printLine("failed seed \(seed) step \(last): \(error)")
      return false
    }
  }
}

/// Prints a line immediately, so that it is not lost if the process stops.
func printLine(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
