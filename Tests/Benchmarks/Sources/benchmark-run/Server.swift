import Foundation

/// A PostgreSQL server, on which each run gets its own database.
struct Server: Sendable {
  /// The folder of its socket.
  var socket: String

  /// The variable with the server's process ID, so that the programs can measure the server's CPU time.
  var environment: [String: String] {
    let lines = (try? String(contentsOfFile: "\(socket)/data/postmaster.pid", encoding: .utf8)) ?? ""
    return ["BENCHMARK_SERVER": lines.split(separator: "\n").first.map(String.init) ?? ""]
  }

  /// Creates the databases that each run copies.
  func prepare(rows: Int) throws {
    for (name, rows) in [("empty", 0), ("full", rows)] {
      try make(name)
      try Program.run("benchmark-postgresql-strata", ["prepare", url(name), String(rows)])
      // Gathers statistics and marks rows as visible to all. Otherwise the first reader would write these marks.
      try tool("vacuumdb", ["--analyze", name])
    }
  }

  /// Creates a copy of the workload's initial store, and returns its URL.
  func freshStore(for work: Workload) throws -> String {
    try make("work", copying: work.isFresh ? "empty" : "full")
    return url("work")
  }

  private func make(_ name: String, copying template: String = "template0") throws {
    try tool("dropdb", ["--if-exists", "--force", name])
    try tool("createdb", ["--strategy=file_copy", "--template=\(template)", name])
  }

  private func url(_ database: String) -> String {
    "postgresql://strata@/\(database)?host=\(socket)&schema=quakes"
  }

  private func tool(_ name: String, _ arguments: [String]) throws {
    let server = ["--host=\(socket)", "--username=strata"]
    try Program.run(URL(fileURLWithPath: "/usr/bin/env"), [name] + server + arguments)
  }
}
