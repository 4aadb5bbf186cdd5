import Foundation
import StrataQuakes

/// A program that runs in the terminal of this one, such as an editor or a pager.
struct ChildProcess {
  let identifier: pid_t

  /// Starts a program, by its path or as the folders of `PATH` have it.
  ///
  /// - Parameters:
  ///   - words: the program and its arguments.
  ///   - input: what its standard input is; nil for the same as this program's.
  ///   - isSilent: whether its output is discarded.
  /// - Returns: nil with `errno` set if it cannot be started.
  init?(_ words: [String], input: Int32? = nil, isSilent: Bool = false) {
    var spawn = Spawn(words.first ?? "", arguments: words)
    if let input { spawn.streams.append((STDIN_FILENO, .copy(input))) }
    if isSilent { spawn.streams += [(STDOUT_FILENO, .nothing), (STDERR_FILENO, .nothing)] }
    // Ignored signals would also be ignored by the child.
    spawn.defaultSignals = [SIGPIPE, SIGINT, SIGQUIT]
    do {
      identifier = try spawn.start()
    } catch {
      errno = error.code
      return nil
    }
  }

  /// Waits for its end.
  ///
  /// - Returns: its exit status, or 128 and the signal that ended it, as in shells.
  @discardableResult
  func wait() -> Int32 {
    let status = Spawn.wait(for: identifier)
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// The arguments for a command from a user: its own words if it is simple, else those that run it in a shell.
  static func words(of command: String) -> [String] {
    let special = "|&;<>()$`\\\"'*?[]#~=%!{}\n"
    if command.contains(where: special.contains) { return ["/bin/sh", "-c", command] }
    return command.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
