import Foundation
import StrataTestSupport
import Synchronization

/// Runs seeds in several processes, detects processes that end, and shrinks the failures.
public final class SeedRunner: Sendable {
  private let options: RunOptions
  private let failures = Mutex<[UInt64: String]>([:])
  private let program: String
  private static let maximumReports = 3

  /// Makes a runner of the seeds that a command line names.
  public init(_ options: RunOptions) throws {
    self.options = options
    program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  }

  // MARK: This process

  /// Performs what the command line says: one seed, or the part of the seeds that is this process's, or all in other processes.
  ///
  /// - Parameter makeRun: makes the run of a seed.
  /// - Returns: the program's exit status.
  public func main(_ makeRun: (UInt64) throws -> RandomRun) throws -> Int32 {
    if let seed = options.seed { return perform(seed, makeRun) ? 0 : 1 }
    guard let part = options.part else { return run() ? 0 : 1 }
    for seed in options.seeds where Int(seed) % options.jobs == part {
      printLine("begin \(seed)")
      _ = perform(seed, makeRun)
    }
    return 0
  }

  /// The maximum time for a seed, in seconds. A signal then ends the process.
  private static let maximumTime: UInt32 = 120

  private func perform(_ seed: UInt64, _ makeRun: (UInt64) throws -> RandomRun) -> Bool {
    alarm(Self.maximumTime)
    defer { alarm(0) }
    var last = -1
    do {
      let run = try makeRun(seed)
      let names = run.operations
      for number in options.keep ?? Array(names.indices)
      where number < names.count && !options.excluded.contains(names[number]) {
        last = number
        if options.printsCode { printLine("    // \(number): \(names[number])") }
        try run.perform(number)
      }
      last = names.count
      try run.finish()
      return true
    } catch {
      printLine("failed seed \(seed) step \(last): \(error)")
      return false
    }
  }

  // MARK: Other processes

  /// Returns whether every seed passed.
  private func run() -> Bool {
    let start = Date()
    let group = DispatchGroup()
    for part in 0..<options.jobs {
      group.enter()
      Thread.detachNewThread { [self] in
        runPart(part)
        group.leave()
      }
    }
    group.wait()
    let failed = failures.withLock { $0.sorted { $0.key < $1.key } }
    for (seed, reason) in failed { printLine("seed \(seed): \(reason)") }
    if options.shrinks { for (seed, _) in failed.prefix(Self.maximumReports) { report(seed) } }
    let kind = options.ownWords.isEmpty ? "" : " with \(options.ownWords.joined(separator: " "))"
    let (seeds, seconds) = (options.seeds, Int(Date().timeIntervalSince(start)))
    printLine(
      "\(seeds.count) seeds of \(options.steps) steps\(kind) in \(seconds) s: "
        + "\(failed.count) failed")
    return failed.isEmpty
  }

  /// Runs the seeds of one process; if it stops, another one continues after the seed.
  private func runPart(_ part: Int) {
    var next = options.seeds.lowerBound
    while next <= options.seeds.upperBound {
      let (seed, status) = runProcess(part, from: next)
      guard status != 0, let seed else { return }
      failures.withLock { $0[seed] = $0[seed] ?? "the process ended with \(status)" }
      next = seed + 1
    }
  }

  /// - Returns: the seed begun last, and the exit status.
  private func runProcess(_ part: Int, from first: UInt64) -> (UInt64?, Int32) {
    let output = Pipe()
    let words =
      options.words + ["--seeds", "\(first)-\(options.seeds.upperBound)"]
      + ["--jobs", "\(options.jobs)", "--part", "\(part)"]
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    guard
      let process = try? SpawnedProcess(
        program, words, environment: environment, output: output.fileHandleForWriting,
        errors: output.fileHandleForWriting)
    else { return (first, -1) }
    try? output.fileHandleForWriting.close()
    var seed: UInt64?
    var rest = ""
    while true {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      rest += String(decoding: data, as: UTF8.self)
      while let end = rest.firstIndex(of: "\n") {
        parse(String(rest[..<end]), &seed)
        rest = String(rest[rest.index(after: end)...])
      }
    }
    return (seed, process.status() ?? -1)
  }

  private func parse(_ line: String, _ seed: inout UInt64?) {
    if line.hasPrefix("begin ") {
      seed = UInt64(line.dropFirst("begin ".count))
    } else if let seed, line.hasPrefix("failed seed") || line.contains("Fatal error") {
      failures.withLock { $0[seed] = $0[seed] ?? String(line.prefix(400)) }
    }
  }

  private func report(_ seed: UInt64) {
    let (kept, report) = Shrinker(program: program, seed: seed, options: options).shrink()
    printLine(
      "\nseed \(seed) fails with \(kept.count) steps: --seed \(seed) --keep \(kept.map(String.init).joined(separator: ","))"
    )
    printLine(String(report.prefix(8_000)))
  }
}
