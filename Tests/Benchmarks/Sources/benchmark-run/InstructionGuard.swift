import Foundation

/// Instruction counts of this project's workloads, which do not depend on the machine's load.
struct InstructionGuard {
  let bench: Bench
  let file: URL

  /// The growth of a count that is not yet a regression.
  static let maximumGrowth = 0.05

  /// Records the current counts. The file names the compiler and SQLite versions, because they affect the counts.
  func record(_ workloads: [Workload]) throws -> Bool {
    let counts = try counted(workloads)
    let lines = workloads.map { "\($0.name) \(counts[$0.name] ?? 0)" }
    try Data(("# \(try toolVersions())\n" + lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    return true
  }

  /// Returns whether no workload exceeds its recorded count by more than `maximumGrowth`.
  func check(_ workloads: [Workload]) throws -> Bool {
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let recorded = lines.reduce(into: [String: Int]()) { recorded, line in
      let parts = line.split(separator: " ")
      if parts.count == 2 { recorded[String(parts[0])] = Int(parts[1]) }
    }
    print("recorded with \(lines.first.map { $0.dropFirst(2) } ?? "nothing")\ncounted with  \(try toolVersions())")
    let counts = try counted(workloads.filter { recorded[$0.name] != nil })
    var isWithinLimit = true
    for work in workloads {
      guard let before = recorded[work.name], let now = counts[work.name] else { continue }
      let change = Double(now) / Double(before) - 1
      let verdict =
        change > Self.maximumGrowth
        ? "MORE THAN RECORDED" : change < -Self.maximumGrowth ? "less: record again" : "held"
      if change > Self.maximumGrowth { isWithinLimit = false }
      print(
        work.title.padding(toLength: 35, withPad: " ", startingAt: 0)
          + String(format: "%14d %14d %+7.1f %%  ", before, now, change * 100) + verdict)
    }
    return isWithinLimit
  }

  private func counted(_ workloads: [Workload]) throws -> [String: Int] {
    try bench.prepare()
    // callgrind cannot read the compiler's debug information.
    let program = bench.folder.appendingPathComponent("benchmark-strata")
    try Program.run(
      URL(fileURLWithPath: "/usr/bin/strip"), ["-g", "-o", program.path, Program.url("benchmark-strata").path])
    return try workloads.reduce(into: [:]) { $0[$1.name] = try count($1, program) }
  }

  private func count(_ work: Workload, _ program: URL) throws -> Int {
    let output = bench.folder.appendingPathComponent("callgrind.out")
    let store = try bench.freshStore(for: work)
    try Program.run(
      URL(fileURLWithPath: "/usr/bin/valgrind"),
      [
        "--tool=callgrind", "--toggle-collect=benchmark_stretch", "--callgrind-out-file=\(output.path)",
        program.path, work.name, store, String(bench.rows),
      ], ["SWIFT_DETERMINISTIC_HASHING": "1"])
    let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n")
    let totals = lines.last { $0.hasPrefix("totals: ") }
    guard let count = totals.flatMap({ Int($0.dropFirst("totals: ".count)) }), count > 0 else {
      throw Program.Failure(description: "callgrind counted nothing of the workload '\(work.name)'")
    }
    return count
  }

  private func toolVersions() throws -> String {
    let versions = try Program.run("benchmark-c", ["versions"])
    return String(decoding: versions, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
