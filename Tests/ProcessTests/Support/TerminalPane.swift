import Foundation

/// A shell in a real terminal: tmux with a server of its own.
final class TerminalPane: Sendable {
  private let home: Home
  private let socket: String
  /// Runs in the foreground, because a daemon would not be a child process and would keep its output open.
  private let server: Program

  /// - Parameter variables: Additional environment variables of the shell.
  init(_ home: Home, columns: Int = 80, rows: Int = 24, variables: [String: String] = [:]) throws {
    self.home = home
    // A socket's path must be short.
    socket = "/tmp/quakes-\(UUID().uuidString.prefix(8))"
    let given = variables.merging(["PS1": "$ ", "SWIFT_BACKTRACE": "enable=no"]) { given, _ in given }
    let shell = (["exec", "env"] + given.map { "\($0)='\($1)'" } + ["sh"]).joined(separator: " ")
    server = try Program(
      "tmux", ["-D", "-S", socket, "-f", "/dev/null"], home: home.url, file: Self.tmux,
      variables: ["SHELL": "/bin/sh"])
    let end = Date(timeIntervalSinceNow: 60)
    // The socket exists a moment before the server responds.
    while try tmux(["list-sessions", "-F", "#{session_id}"]).isEmpty, Date() < end {
      try tmux(["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c", home.url.path, shell])
      usleep(10_000)
    }
  }

  deinit {
    _ = try? tmux(["kill-server"])
    _ = server.status()
    try? FileManager.default.removeItem(atPath: socket)
  }

  private static let tmux = URL(fileURLWithPath: "/usr/bin/tmux")

  /// Runs a command of tmux. It is not a `Program`, because waiting for a condition runs hundreds of commands.
  ///
  /// - Returns: The output.
  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let words = ["-S", socket, "-N", "-u"] + arguments
    let line = ([Self.tmux.path] + words.map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" })
      .joined(separator: " ")
    guard let stream = popen("\(line) 2>/dev/null", "r") else { throw POSIXError(.EMFILE) }
    defer { pclose(stream) }
    var (text, buffer) = (Data(), [UInt8](repeating: 0, count: 4096))
    while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { text += buffer.prefix(count) }
    let output = String(decoding: text, as: UTF8.self)
    return output.hasSuffix("\n") ? String(output.dropLast()) : output
  }

  /// Presses keys by their names in tmux.
  func press(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

  /// Types text as it is.
  func type(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

  /// Pastes the text of a file.
  ///
  /// - Parameter isMarked: Whether the terminal says that it is a paste.
  func paste(file: String, isMarked: Bool) throws {
    try tmux(["load-buffer", "-b", "paste", file])
    try tmux(["paste-buffer", "-b", "paste", "-r", "-d"] + (isMarked ? ["-p"] : []))
  }

  /// Runs a line in the shell.
  func run(_ line: String) throws {
    try type(line)
    try press("Enter")
  }

  func resize(columns: Int, rows: Int) throws { try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"]) }

  var text: String { (try? tmux(["capture-pane", "-p"])) ?? "" }

  var isAlternateScreen: Bool { (try? tmux(["display-message", "-p", "#{alternate_on}"])) == "1" }

  /// The process of the shell.
  var shell: Int32? { (try? tmux(["display-message", "-p", "#{pane_pid}"])).flatMap { Int32($0) } }

  /// The process that the shell runs.
  var job: Int32? {
    guard let shell else { return nil }
    let children = try? String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
    return children?.split(separator: " ").first.flatMap { Int32($0) }
  }

  /// Waits until the screen satisfies a condition, and returns whether it did in time.
  func wait(seconds: Double = Program.defaultTimeout, until condition: (String) -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      if condition(text) { return true }
      usleep(50_000)
    }
    return condition(text)
  }

  /// Waits for the shell's prompt, which appears once the last program has ended or stopped.
  func waitForPrompt() -> Bool {
    wait { text in
      !isAlternateScreen && text.split(separator: "\n").last?.trimmingCharacters(in: .whitespaces) == "$"
    }
  }

  func wait(for part: String) -> Bool { wait { $0.contains(part) } }
}
