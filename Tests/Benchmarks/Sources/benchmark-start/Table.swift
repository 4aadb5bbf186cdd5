import Foundation

/// The programs' costs, interleaved so that all run under the same conditions.
struct Table {
  let size: Int
  let contenders: [(name: String, command: [String])]

  func print() throws {
    let warm = try measured(rounds: 30) {}
    let cold = try dropCaches() ? measured(rounds: 5) { _ = dropCaches() } : nil
    Swift.print(
      "\(size.formatted()) events".padding(toLength: 20, withPad: " ", startingAt: 0)
        + "warm ms     / C   cold ms     / C   peak MiB")
    for (index, contender) in contenders.enumerated() {
      func columns(_ launches: [[Launch]]) -> String {
        let milliseconds = median(launches[index].map(\.milliseconds))
        let base = median(zip(launches[index], launches[0]).map { $0.milliseconds / $1.milliseconds })
        return String(format: "%8.1f%8.1f", milliseconds, base)
      }
      let peak = try Double(Launch.peak(of: contender.command, launcher: contenders[0].command[0])) / 1_024
      Swift.print(
        contender.name.padding(toLength: 19, withPad: " ", startingAt: 0) + columns(warm) + "  "
          + (cold.map(columns) ?? "     not measured") + String(format: "%11.1f", peak))
    }
  }

  /// Returns the launches by contender, then by round.
  private func measured(rounds: Int, before: () throws -> Void) throws -> [[Launch]] {
    var launches = contenders.map { _ in [Launch]() }
    for _ in 0..<rounds {
      for (index, contender) in contenders.enumerated() {
        try before()
        launches[index].append(try Launch(contender.command))
      }
    }
    return launches
  }

  /// Drops the system's caches, so that the next run is cold. Returns false if that is not permitted.
  private func dropCaches() -> Bool {
    sync()
    guard let file = fopen("/proc/sys/vm/drop_caches", "w") else { return false }
    defer { fclose(file) }
    return fputs("3", file) >= 0 && fflush(file) == 0
  }

  private func median<T: Comparable>(_ values: [T]) -> T { values.sorted()[values.count / 2] }
}
