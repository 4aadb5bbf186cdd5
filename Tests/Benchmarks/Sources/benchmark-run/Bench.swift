import Foundation

/// Runs the programs.
struct Bench {
  let options: Options
  let folder: URL
  private let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

  init(options: Options, folder: URL) {
    self.options = options
    self.folder = folder
  }

  /// What one program says of one run.
  struct Report: Decodable {
    var cpu, wall: Double
    var peak: Int
    var reals: Double
    var integers: Int
  }

  /// Makes the stores that each run gets a copy of.
  func prepare() throws {
    try run("benchmark-strata", ["empty", path("empty.sqlite"), "0"])
    try run("benchmark-strata", ["prepare", path("full.sqlite"), String(options.rows)])
  }

  func row(for work: Work) throws -> Row {
    var rounds: [[String: Report]] = []
    for _ in 0..<options.rounds {
      var round: [String: Report] = [:]
      for program in Row.programs { round[program] = try report(of: program, work) }
      rounds.append(round)
    }
    return Row(work, rounds)
  }

  private func report(of program: String, _ work: Work) throws -> Report {
    for ending in ["", "-wal", "-shm", "-turn", "-notify"] {
      try? FileManager.default.removeItem(atPath: path("work.sqlite" + ending))
    }
    try FileManager.default.copyItem(
      atPath: path(work.isFresh ? "empty.sqlite" : "full.sqlite"), toPath: path("work.sqlite"))
    var arguments = [work.name, path("work.sqlite"), String(options.rows)]
    if options.history, program == "strata" { arguments.append("history") }
    return try JSONDecoder().decode(Report.self, from: run("benchmark-\(program)", arguments))
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Runs a program to its end and answers what it printed.
  @discardableResult
  private func run(_ name: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = programs.appendingPathComponent(name)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(name) \(arguments.joined(separator: " ")) ended with \(process.terminationStatus)")
    }
    return data
  }

  struct Failure: Error, CustomStringConvertible { var description: String }
}
