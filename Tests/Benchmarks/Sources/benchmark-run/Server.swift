import Foundation

/// A PostgreSQL server, on which each run gets a database of its own.
struct Server: Sendable {
  /// The folder of its socket.
  var socket: String

  /// Tells the programs whose CPU to count.
  var environment: [String: String] {
    let lines = (try? String(contentsOfFile: "\(socket)/data/postmaster.pid", encoding: .utf8)) ?? ""
    return ["BENCHMARK_SERVER": lines.split(separator: "\n").first.map(String.init) ?? ""]
  }

  /// Makes the databases that each run gets a copy of.
  func prepare(rows: Int) throws {
    for (name, rows) in [("empty", 0), ("full", rows)] {
      try make(name)
      try Program.run("benchmark-postgresql-strata", ["prepare", url(name), String(rows)])
      // The statistics, and the marks of rows that all can see, without which the first to read would write.
      try tool("vacuumdb", ["--analyze", name])
    }
  }

  /// A copy of the workload's initial store.
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
