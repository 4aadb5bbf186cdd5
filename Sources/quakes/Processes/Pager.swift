import Foundation
import StrataQuakes
import StrataQuakesConfig
import Synchronization

/// The program that shows a long text a page at a time.
enum Pager {
  /// A pager that is running, and what this program's standard error was before.
  private struct Running {
    var process: ChildProcess
    var command: String
    var error: Int32
  }

  private static let running = Mutex<Running?>(nil)

  /// Sends standard output through a pager until this program ends, which then waits for it. Standard error goes the same
  /// way if it is on the terminal too: a note would be lost on the pager's screen. Does nothing if standard output is not
  /// a terminal. Ask for the terminal's capabilities first.
  static func start(_ choice: PagerChoice) {
    guard StandardStream.output.isTerminal, let command = command(choice, Environment.variable) else { return }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // The options that users of PAGER=less expect: quit if the text fits, and show colors and letters.
    setenv("LESS", "FRX", 0)
    setenv("LESSCHARSET", "utf-8", 0)
    // The terminal sends them to both processes; the pager handles them.
    for number in [SIGINT, SIGQUIT] { signal(number, SIG_IGN) }
    guard let process = ChildProcess(ChildProcess.words(of: command), input: ends[0]) else {
      let reason = Failure.systemError()
      for number in [SIGINT, SIGQUIT] { signal(number, SIG_DFL) }
      if command != defaultCommand { report(command, "cannot be started: \(reason)", to: .error) }
      for end in ends { close(end) }
      return
    }
    close(ends[0])
    let error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    if StandardStream.error.isTerminal { dup2(ends[1], STDERR_FILENO) }
    dup2(ends[1], STDOUT_FILENO)
    close(ends[1])
    running.withLock { $0 = Running(process: process, command: command, error: error) }
    atexit { Pager.wait() }
  }

  private static let defaultCommand = "less -FRX"

  /// The program's own variable counts more than its settings, and these more than what counts for all programs.
  ///
  /// - Returns: nil for none.
  static func command(_ choice: PagerChoice, _ environment: (String) -> String?) -> String? {
    var choice = choice
    if let own = environment("QUAKES_PAGER") { choice = PagerChoice(command: own) }
    if choice == .standard, let all = environment("PAGER") { choice = PagerChoice(command: all) }
    switch choice {
    case .none, .command("cat"): return nil
    case .command(let command): return command
    case .standard: return environment("TERM") == "dumb" ? nil : defaultCommand
    }
  }

  /// Ends the text, and waits until it is read.
  private static func wait() {
    guard let running = running.withLock({ $0 }) else { return }
    close(STDOUT_FILENO)
    close(STDERR_FILENO)
    let status = running.process.wait()
    // The status of shells for an unknown command.
    if 126...127 ~= status {
      report(running.command, "ended with status \(status)", to: StandardStream(descriptor: running.error))
    }
  }

  private static func report(_ command: String, _ what: String, to stream: StandardStream) {
    stream.line("quakes: the pager \"\(command)\" \(what); set QUAKES_PAGER to another, or use --no-pager")
  }
}
