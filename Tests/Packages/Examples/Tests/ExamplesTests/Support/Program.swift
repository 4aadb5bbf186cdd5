import Foundation

/// A process that runs one of the package's programs. Its output can be read while it runs.
final class Program {
  private let process = Process()
  private let output: URL
  private let errors: URL

  /// Starts a program in a separate environment, which does not refer to the user's stores.
  /// - Parameter input: the contents of the program's standard input.
  convenience init(_ name: String, _ arguments: [String] = [], home: TemporaryFolder, input: String = "") throws {
    let file = try home.write(input, to: "input-\(UUID().uuidString)")
    try self.init(name, arguments, home: home, input: FileHandle(forReadingFrom: file))
  }

  /// - Parameter input: a file handle or a pipe.
  init(_ name: String, _ arguments: [String], home: TemporaryFolder, input: Any) throws {
    output = try home.write("", to: "output-\(UUID().uuidString)")
    errors = try home.write("", to: "errors-\(UUID().uuidString)")
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent(name)
    process.arguments = arguments
    process.environment = [
      "HOME": home.url.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "STRATA_GROUP_CONTAINERS": home.url.path,
    ]
    process.standardInput = input
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// The complete lines printed so far.
  var lines: [String] { Self.lines(of: output) }
  var errorLines: [String] { Self.lines(of: errors) }

  private static func lines(of file: URL) -> [String] {
    ((try? String(contentsOf: file, encoding: .utf8)) ?? "").components(separatedBy: "\n").dropLast()
  }

  /// Sends a signal, as Control-C or a service manager does.
  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for the end of the program.
  /// - Returns: the exit status, or the negative number of the signal that ended it.
  func status() async -> Int32? {
    guard await eventually({ !process.isRunning }) else { return nil }
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }
}
