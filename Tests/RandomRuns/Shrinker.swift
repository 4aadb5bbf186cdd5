import Foundation
import StrataTestSupport

/// Reduces a failing seed to few steps that still fail. Each attempt runs in a separate process, because a failure may end
/// the process.
struct Shrinker {
  let program: String
  let seed: UInt64
  let options: RunOptions
  /// The maximum number of attempts, so that a slow failure does not take forever.
  private static let maximumAttempts = 600

  /// Runs some steps.
  /// - Returns: what the process printed; nil if the steps pass.
  func failure(of kept: [Int], printsCode: Bool = false) -> String? {
    let output = Pipe()
    let arguments =
      options.words + ["--seed", "\(seed)"]
      + ["--keep", kept.map(String.init).joined(separator: ",")] + (printsCode ? ["--code"] : [])
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    guard
      let process = try? SpawnedProcess(
        program, arguments, environment: environment, output: output.fileHandleForWriting,
        errors: output.fileHandleForWriting)
    else { return "the process did not start" }
    try? output.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return process.status() == 0 ? nil : text
  }

  /// Returns the fewest failing steps found, and the code of the last failing attempt.
  func shrink() -> (kept: [Int], report: String) {
    var kept = Array(0..<options.steps)
    guard let first = failure(of: kept, printsCode: true) else {
      return (kept, "seed \(seed) passes when it runs again: the failure depends on time")
    }
    if let last = lastStep(in: first) { kept = kept.filter { $0 <= last } }
    var (size, attempts) = (max(1, kept.count / 2), 0)
    while size >= 1, attempts < Self.maximumAttempts {
      var start = 0
      var isSmaller = false
      while start < kept.count, attempts < Self.maximumAttempts {
        var candidate = kept
        candidate.removeSubrange(start..<min(start + size, kept.count))
        attempts += 1
        if failure(of: candidate) != nil {
          kept = candidate
          isSmaller = true
        } else {
          start += size
        }
      }
      if size == 1, !isSmaller { break }
      size = size == 1 ? 1 : size / 2
    }
    return (kept, failure(of: kept, printsCode: true) ?? first)
  }

  /// Returns the step at which a run failed.
  private func lastStep(in output: String) -> Int? {
    for line in output.split(separator: "\n") where line.hasPrefix("failed seed") {
      if let number = line.split(separator: " ").dropFirst(4).first.flatMap({ Int($0.dropLast()) }) { return number }
    }
    return nil
  }
}
