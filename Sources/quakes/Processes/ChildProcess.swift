import Foundation
import StrataQuakes

/// A program that runs in the terminal of this one, such as an editor or a pager. Foundation's `Process` would put it in a
/// group of its own, which the terminal stops as soon as it reads.
struct ChildProcess {
  let identifier: pid_t

  /// Starts a program, by its path or as the folders of `PATH` have it.
  ///
  /// - Parameters:
  ///   - words: the program and its arguments.
  ///   - input: what its standard input is; nil for the same as this program's.
  ///   - isSilent: whether nobody is to read what it says.
  /// - Returns: nil with `errno` set if it cannot be started.
  init?(_ words: [String], input: Int32? = nil, isSilent: Bool = false) {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
    for stream in isSilent ? [STDOUT_FILENO, STDERR_FILENO] : [] {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
    }
    // What this program ignores, the other one would ignore too.
    var usual = sigset_t()
    sigemptyset(&usual)
    for signal in [SIGPIPE, SIGINT, SIGQUIT] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, words.first ?? "", &actions, &attributes, &arguments, environ)
    guard code == 0 else {
      errno = code
      return nil
    }
    identifier = process
  }

  /// Waits for its end.
  ///
  /// - Returns: its exit status, or 128 and the signal that ended it, as in shells.
  @discardableResult
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 { guard errno == EINTR else { return 0 } }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// The words of a command that a person wrote: its own if they are plain, else those that let a shell read it.
  static func words(of command: String) -> [String] {
    let special = "|&;<>()$`\\\"'*?[]#~=%!{}\n"
    if command.contains(where: special.contains) { return ["/bin/sh", "-c", command] }
    return command.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
