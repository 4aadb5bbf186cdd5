import Foundation
import StrataQuakes

/// The user's browser.
enum Browser {
  /// Opens an address, and waits for the browser: one for the terminal needs it.
  ///
  /// - Returns: why no browser could be started; nil if one was.
  static func open(_ address: String) -> String? {
    open(address) { words in
      var spawn = Spawn(words[0], arguments: words)
      // The browser expects the default action of SIGPIPE.
      spawn.defaultSignals = [SIGPIPE]
      return spawn
    }
  }

  /// Opens an address without the terminal, in a session of its own, and does not wait for the browser.
  ///
  /// - Parameters:
  ///   - output: the file for what the browser writes; nil for none.
  ///   - onEnd: runs on the main queue with what `open` returns.
  static func openDetached(
    _ address: String, output: Int32?, onEnd: @escaping @MainActor @Sendable (String?) -> Void
  ) {
    Thread.detachNewThread {
      let trouble = open(address) { words in
        var spawn = Spawn.detached(words[0], arguments: words)
        spawn.separation = .session
        spawn.streams += [STDOUT_FILENO, STDERR_FILENO].map { ($0, output.map(Spawn.Stream.copy) ?? .nothing) }
        return spawn
      }
      DispatchQueue.main.async { MainActor.assumeIsolated { onEnd(trouble) } }
    }
  }

  /// Whether a browser may need the terminal: without a graphical session, or because it is known to be one for terminals.
  static var needsTerminal: Bool {
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(Environment.variable($0) ?? "").isEmpty }
    return !hasDisplay
      || commands.contains { command in
        let program = command.split(separator: " ").first ?? ""
        return textBrowsers.contains(String(program.split(separator: "/").last ?? ""))
      }
  }

  private static let textBrowsers: Set = [
    "browsh", "carbonyl", "cha", "elinks", "links", "links2", "lynx", "w3m", "www-browser",
  ]

  private static var commands: [String] {
    let chosen = (Environment.variable("BROWSER") ?? "").split(separator: ":").map(String.init)
    return chosen.isEmpty ? ["xdg-open"] : chosen
  }

  private static func open(_ address: String, _ spawn: ([String]) -> Spawn) -> String? {
    var troubles: [String] = []
    for command in commands {
      let words = words(of: command, address: address)
      guard let trouble = words.isEmpty ? "a browser without a name" : run(spawn(words)) else { return nil }
      troubles.append(trouble)
    }
    return troubles.joined(separator: ", ")
  }

  /// A program and its arguments, one of which is, or contains, the address.
  private static func words(of command: String, address: String) -> [String] {
    let words = command.split(separator: " ").map(String.init)
    guard words.contains(where: { $0.contains("%s") }) else { return words + [address] }
    return words.map { $0.replacingOccurrences(of: "%s", with: address) }
  }

  /// - Returns: why the browser failed; nil if it succeeded.
  private static func run(_ spawn: Spawn) -> String? {
    let program = spawn.program
    let status: Int32
    do {
      status = Spawn.wait(for: try spawn.start())
    } catch {
      return "\(program): \(Failure.systemError(error.code))"
    }
    if status & 0x7F != 0 { return "\(program): ended by signal \(status & 0x7F)" }
    let exit = (status >> 8) & 0xFF
    return exit == 0 ? nil : "\(program): ended with status \(exit)"
  }
}
