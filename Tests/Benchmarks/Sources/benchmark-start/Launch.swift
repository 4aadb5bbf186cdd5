import Foundation

/// One run of a program, from fork to exit.
struct Launch {
  var milliseconds: Double

  /// Runs a program and discards its output.
  init(_ command: [String]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    let arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    let began = DispatchTime.now()
    var process = pid_t()
    let result = posix_spawn(&process, command[0], &actions, nil, arguments, environ)
    guard result == 0 else {
      throw Failure(description: "\(command[0]) cannot be started: \(String(cString: strerror(result)))")
    }
    var status = Int32()
    guard waitpid(process, &status, 0) == process, status == 0 else {
      throw Failure(description: "\(command.joined(separator: " ")) ended with status \(status)")
    }
    milliseconds = Double(DispatchTime.now().uptimeNanoseconds - began.uptimeNanoseconds) / 1e6
  }

  /// A program's peak resident memory in KiB, as measured by `launcher`.
  static func peak(of command: [String], launcher: String) throws -> Int {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: launcher)
    process.arguments = ["--peak"] + command
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0, let peak = Int(text.dropLast()) else {
      throw Failure(description: "\(command.joined(separator: " ")) failed: \(text)")
    }
    return peak
  }

  struct Failure: Error, CustomStringConvertible { var description: String }
}
