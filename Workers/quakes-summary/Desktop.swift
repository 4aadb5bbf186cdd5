import Foundation
import StrataQuakes

/// The user's desktop.
enum Desktop {
  /// Opens an address in the user's browser, without a shell, and does not wait for it.
  ///
  /// - Throws: `Failure` if `xdg-open` cannot be started.
  static func open(_ address: String) throws(Failure) {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // The bar reads the output, and tells of clicks in the input.
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    // What this process ignores is no concern of a browser.
    var usual = sigset_t()
    sigfillset(&usual)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    // i3bar stops and ends the process group of what it runs: a browser is none of it.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    // Nobody asks how it ended.
    signal(SIGCHLD, SIG_IGN)
    let arguments: [String] = ["xdg-open", address]
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, "xdg-open", &actions, &attributes, &words, environ)
    guard code == 0 else {
      throw Failure(.programFailed, "cannot open \(address): xdg-open: \(Failure.systemError(code)); install xdg-utils")
    }
  }
}
