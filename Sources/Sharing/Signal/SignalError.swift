import Glibc

/// The reason a store could not be signaled or observed: the operation, the file, the cause and a remedy.
package struct SignalError: Error, CustomStringConvertible {
  package enum Kind: Equatable, Sendable {
    /// A system call failed with this `errno`.
    case system(Int32)
    /// The watcher belongs to the parent process: `fork` copies its memory but not its thread.
    case inheritedByFork
  }

  package let kind: Kind
  package let message: String
  package var description: String { message }

  package init(_ kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }

  /// The failure of a system call: "cannot <what>: <strerror>; <help>".
  static func system(_ code: Int32, what: String, help: String? = nil) -> SignalError {
    let reason = "cannot \(what): \(String(cString: strerror(code))) (errno \(code))"
    return SignalError(.system(code), message: help.map { "\(reason); \($0)" } ?? reason)
  }

  /// The failure to watch a file or folder.
  static func watch(folder: String, name: String, _ code: Int32) -> SignalError {
    system(code, what: "watch '\(folder)/\(name)'", help: code == ENOSPC ? "raise fs.inotify.max_user_watches" : nil)
  }
}
