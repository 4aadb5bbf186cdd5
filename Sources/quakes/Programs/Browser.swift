import Foundation
import StrataQuakes

/// The user's browser.
enum Browser {
  /// Opens an address, and waits for the browser: one for the terminal needs it.
  ///
  /// - Returns: why no browser could be started; nil if one was.
  static func open(_ address: String) -> String? {
    let chosen = (Environment.variable("BROWSER") ?? "").split(separator: ":").map(String.init)
    var troubles: [String] = []
    for command in chosen.isEmpty ? ["xdg-open"] : chosen {
      guard let trouble = run(words(of: command, address: address)) else { return nil }
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

  /// - Returns: why it did not do it.
  private static func run(_ words: [String]) -> String? {
    guard let program = words.first else { return "a browser without a name" }
    var spawn = Spawn(program, arguments: words)
    // The browser expects the default action of SIGPIPE.
    spawn.defaultSignals = [SIGPIPE]
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
