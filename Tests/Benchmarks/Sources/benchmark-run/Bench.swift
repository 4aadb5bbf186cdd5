import Foundation

/// Runs the programs on copies of one store.
struct Bench {
  let rows: Int
  let rounds: Int
  let folder: URL
  /// The server that has the stores, or nil if they are in the folder.
  var server: Server?

  /// One program's report on one run: milliseconds and KiB.
  struct Report: Decodable {
    var cpu, wall: Double
    var server: Double?
    var peak, held: Int
    var reals: Double
    var integers: Int
  }

  /// Creates the stores that each run copies.
  func prepare() throws {
    if let server { return try server.prepare(rows: rows) }
    try Program.run("benchmark-strata", ["empty", path("empty.sqlite"), "0"])
    try Program.run("benchmark-strata", ["prepare", path("full.sqlite"), String(rows)])
  }

  func row(for work: Workload, _ comparison: Comparison) throws -> Row {
    Row(work, rows: rows, comparison, try (0..<rounds).map { try reports(of: comparison.contenders, work, round: $0) })
  }

  /// Alternates the order between rounds, so that no contender always follows the same one and inherits its side
  /// effects, such as pages that the system has yet to write.
  private func reports(of contenders: [Contender], _ work: Workload, round: Int) throws -> [Report] {
    guard round % 2 == 1 else { return try contenders.map { try report(of: $0, work) } }
    return try contenders.reversed().map { try report(of: $0, work) }.reversed()
  }

  private func report(of contender: Contender, _ work: Workload) throws -> Report {
    let history = work.keepsHistory ? ["history"] : []
    let store = try server?.freshStore(for: work) ?? freshStore(for: work)
    let arguments = [work.name, store, String(rows)] + contender.arguments + history
    let followers = try (0..<contender.followers).map { _ in
      try Follower("benchmark-strata", ["follow"] + arguments.dropFirst())
    }
    defer { for follower in followers { follower.end() } }
    let environment = server?.environment ?? [:]
    let report =
      try contender.isPython
      ? Program.run(URL(fileURLWithPath: "/usr/bin/env"), ["python3", contender.program] + arguments, environment)
      : Program.run(Program.url(contender.program), arguments, environment)
    return try JSONDecoder().decode(Report.self, from: report)
  }

  /// Creates a copy of the workload's initial store, and returns its path.
  func freshStore(for work: Workload) throws -> String {
    for ending in ["", "-wal", "-shm", "-turn", "-notify"] {
      try? FileManager.default.removeItem(atPath: path("work.sqlite" + ending))
    }
    try FileManager.default.copyItem(
      atPath: path(work.isFresh ? "empty.sqlite" : "full.sqlite"), toPath: path("work.sqlite"))
    return path("work.sqlite")
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
