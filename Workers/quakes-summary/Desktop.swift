import Foundation
import StrataQuakes

/// The user's desktop.
enum Desktop {
  /// Opens an address in the user's browser, without a shell, and does not wait for it.
  ///
  /// - Throws: `Failure` if `xdg-open` cannot be started.
  static func open(_ address: String) throws(Failure) {
    var spawn = Spawn("xdg-open", arguments: ["xdg-open", address])
    // The bar reads the output, and writes clicks to the input.
    spawn.streams = [(STDIN_FILENO, .nothing), (STDOUT_FILENO, .copy(STDERR_FILENO))]
    // The browser must not inherit ignored signals.
    spawn.defaultSignals = Spawn.allSignals
    // i3bar stops and ends the process group of its programs, which must not include the browser.
    spawn.separation = .group
    // The exit status is not collected.
    signal(SIGCHLD, SIG_IGN)
    do {
      _ = try spawn.start()
    } catch {
      let reason = Failure.systemError(error.code)
      throw Failure(.programFailed, "cannot open \(address): xdg-open: \(reason); install xdg-utils")
    }
  }
}
