import Foundation

/// Runs the programs in the folder of this one.
enum Program {
  static func url(_ name: String) -> URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(name)
  }

  /// Runs a program to completion and returns its output.
  @discardableResult
  static func run(_ name: String, _ arguments: [String]) throws -> Data {
    try run(url(name), arguments)
  }

  @discardableResult
  static func run(_ program: URL, _ arguments: [String], _ environment: [String: String] = [:]) throws -> Data {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let command = ([program.path] + arguments).joined(separator: " ")
      throw Failure(description: "\(command) ended with \(process.terminationStatus)")
    }
    return data
  }

  struct Failure: Error, CustomStringConvertible { var description: String }
}

/// A program that runs alongside the workload until its input ends.
struct Follower {
  private let process = Process()
  private let input = Pipe()

  /// Returns once the program has printed that it is ready.
  init(_ name: String, _ arguments: [String]) throws {
    let output = Pipe()
    process.executableURL = Program.url(name)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    _ = output.fileHandleForReading.availableData
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
