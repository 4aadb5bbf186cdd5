import Foundation

/// The load of a web service: concurrent tasks that each save one book after another.
public struct ServiceLoad: Sendable {
  private let tasks: Int
  private let seconds: Double

  /// Seconds of load before the measurement: connections open, statements are prepared, caches fill.
  private static let warmUp = 0.5

  public init(tasks: Int, seconds: Double) {
    (self.tasks, self.seconds) = (tasks, seconds)
  }

  /// Runs the tasks and measures them.
  /// - Parameters:
  ///   - store: the path of the store, whose write-ahead log is watched for its size.
  ///   - save: saves the book with a number that no other call gets.
  public func run(on store: String, save: @escaping @Sendable (Int) async throws -> Void) async throws -> ServiceFigures
  {
    _ = try await saves(from: 0, for: Self.warmUp, save)
    let first = 1_000_000_000
    let log = Task.detached { await Self.maximumLog(of: store) }
    let (start, startCPU) = (ContinuousClock.now, Self.processorTime)
    let latencies = try await saves(from: first, for: seconds, save)
    let (elapsed, cpu) = (start.duration(to: .now).seconds, Self.processorTime - startCPU)
    log.cancel()
    return ServiceFigures(latencies: latencies, elapsed: elapsed, cpu: cpu, largestLog: await log.value)
  }

  private func saves(
    from first: Int, for seconds: Double, _ save: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> [Double] {
    let end = ContinuousClock.now.advanced(by: .seconds(seconds))
    let tasks = tasks
    return try await withThrowingTaskGroup(of: [Double].self) { group in
      for task in 0..<tasks {
        group.addTask {
          var latencies: [Double] = []
          var number = first + task
          while ContinuousClock.now < end {
            let start = ContinuousClock.now
            try await save(number)
            latencies.append(start.duration(to: .now).seconds)
            number += tasks
          }
          return latencies
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  private static func maximumLog(of store: String) async -> Int {
    var largest = 0
    while !Task.isCancelled {
      var log = stat()
      if stat(store + "-wal", &log) == 0 { largest = max(largest, Int(log.st_size)) }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return largest
  }

  /// The seconds of CPU that this process has used.
  private static var processorTime: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
  }
}

extension Duration {
  fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
