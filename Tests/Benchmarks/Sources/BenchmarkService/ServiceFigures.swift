import Foundation

/// The measurements of one run.
public struct ServiceFigures: Codable, Sendable {
  /// The number of saves.
  public var saves: Int
  public var savesPerSecond: Double
  /// Milliseconds of a save.
  public var median, percentile99, maximum: Double
  /// Microseconds of CPU a save, of all threads of the process.
  public var cpu: Double
  /// The largest size of the write-ahead log, in MiB.
  public var log: Double

  init(latencies: [Double], elapsed: Double, cpu: Double, largestLog: Int) {
    let sorted = latencies.sorted()
    let place = { (part: Double) in sorted.isEmpty ? 0 : sorted[Int(Double(sorted.count - 1) * part)] * 1_000 }
    saves = sorted.count
    savesPerSecond = Double(sorted.count) / elapsed
    (median, percentile99, maximum) = (place(0.5), place(0.99), place(1))
    self.cpu = cpu / Double(max(1, sorted.count)) * 1e6
    log = Double(largestLog) / Double(1 << 20)
  }

  /// The median of each measurement of several runs.
  public init(medianOf runs: [ServiceFigures]) {
    let median = { (value: (ServiceFigures) -> Double) in runs.map(value).sorted()[runs.count / 2] }
    saves = runs.map(\.saves).reduce(0, +)
    savesPerSecond = median(\.savesPerSecond)
    (self.median, percentile99, maximum) = (median(\.median), median(\.percentile99), median(\.maximum))
    (cpu, log) = (median(\.cpu), median(\.log))
  }

  /// Prints the figures for the program that compares them.
  public func report() throws {
    FileHandle.standardOutput.write(try JSONEncoder().encode(self))
  }
}
