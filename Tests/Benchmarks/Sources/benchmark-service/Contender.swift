import BenchmarkService
import Foundation

/// An implementation under comparison.
struct Contender: Sendable {
  var title: String
  var program: String
  var arguments: [String] = []

  static let grdb = Contender(title: "GRDB, records", program: "benchmark-service-grdb")
  /// Prepared statements without records, which know the keys of the tags.
  static let grdbSQL = Contender(title: "GRDB, SQL only", program: "benchmark-service-grdb", arguments: ["sql"])
  static let plain = Contender(title: "ours", program: "benchmark-service-strata")
  static let history = Contender(title: "ours, history", program: "benchmark-service-strata", arguments: ["history"])
  static let merging = Contender(
    title: "ours, history, merging", program: "benchmark-service-strata", arguments: ["history", "merging"])

  /// Runs the load once, on a new store in a folder of its own.
  func run(tasks: Int, seconds: Double, in folder: URL) throws -> ServiceFigures {
    let own = folder.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: own) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(program)
    process.arguments = [own.appendingPathComponent("Library.sqlite").path, "\(tasks)", "\(seconds)"] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { Options.fail("\(program) ended with \(process.terminationStatus)") }
    return try JSONDecoder().decode(ServiceFigures.self, from: data)
  }
}
