import Foundation
import StrataQuakes

/// The user's desktop.
enum Desktop {
  /// Opens an address in the user's browser, without a shell, and does not wait for it.
  ///
  /// - Throws: `Failure` if `xdg-open` cannot be started.
  static func open(_ address: String) throws(Failure) {
    var spawn = Spawn("xdg-open", arguments: ["xdg-open", address])
    // The bar reads the output, and tells of clicks in the input.
    spawn.streams = [(STDIN_FILENO, .nothing), (STDOUT_FILENO, .copy(STDERR_FILENO))]
    // What this process ignores is no concern of a browser.
    spawn.defaultSignals = Spawn.allSignals
    // i3bar stops and ends the process group of what it runs: a browser is none of it.
    spawn.separation = .group
    // Nobody asks how it ended.
    signal(SIGCHLD, SIG_IGN)
    do {
      _ = try spawn.start()
    } catch {
      let reason = Failure.systemError(error.code)
      throw Failure(.programFailed, "cannot open \(address): xdg-open: \(reason); install xdg-utils")
    }
  }
}
