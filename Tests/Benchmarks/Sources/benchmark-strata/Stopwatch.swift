import BenchmarkData

/// Measures one stretch of work.
final class Stopwatch {
  private(set) var cpu = 0.0
  private(set) var wall = 0.0

  func callAsFunction<T>(_ work: () throws -> T) rethrows -> T {
    benchmark_reset_peak()
    let (cpuBefore, wallBefore) = (benchmark_cpu_ms(), benchmark_wall_ms())
    let result = try work()
    (cpu, wall) = (benchmark_cpu_ms() - cpuBefore, benchmark_wall_ms() - wallBefore)
    return result
  }
}
