import Foundation

/// One start of a program, from fork to exit.
struct Launch {
  var milliseconds: Double
  /// The most memory that was resident, in KiB.
  var peak: Int

  /// Runs a program with its output thrown away.
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
    var (status, usage) = (Int32(), rusage())
    guard wait4(process, &status, 0, &usage) == process, status == 0 else {
      throw Failure(description: "\(command.joined(separator: " ")) ended with status \(status)")
    }
    milliseconds = Double(DispatchTime.now().uptimeNanoseconds - began.uptimeNanoseconds) / 1e6
    peak = usage.ru_maxrss
  }

  struct Failure: Error, CustomStringConvertible { var description: String }
}
