import Foundation

/// A process's log in a file of its own. Each record is a single append, so that it is complete once the call returns,
/// whenever the process is killed.
///
/// | record | meaning |
/// | --- | --- |
/// | `S commits` | the contexts merge from now on; the number of commits so far |
/// | `W number op op…` | the contents of the next save: `=key,value,place,tags` for an item's new state, `-key` for a
/// deletion |
/// | `A number began ended` | that save returned; nanoseconds |
/// | `R number code` | that save was refused |
/// | `E number` | that save failed because of a system fault |
/// | `N text` | another operation failed because of a system fault |
/// | `M key life number time` | the context merged a commit: its row's key, its writer, and when |
/// | `U commits` | the history was purged before it was read, and the context fetched its contents again; as `S` |
/// | `T number author` | the history reported a transaction |
/// | `L` | following restarts, from the transaction whose position was not recorded |
/// | `F item item…` | the context's contents at the end |
/// | `X text` | an error |
struct Ledger: Sendable {
  private let descriptor: Int32

  init(creating path: String) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
  }

  func write(_ lines: String...) { write(lines) }

  func write(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    let text = lines.joined(separator: "\n") + "\n"
    let count = text.utf8.count
    guard Glibc.write(descriptor, text, count) == count else { fatalError("The ledger cannot be written: \(errno).") }
  }

  /// Records an error that a system fault caused.
  func note(_ error: any Error) { write("N " + "\(error)".replacing("\n", with: " ")) }

  static func path(of life: Int, in folder: String) -> String { "\(folder)/ledger-\(life)" }
}
