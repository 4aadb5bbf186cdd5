import Foundation

/// What a process did, in a file of its own. Each record is one write at the end of the file, so that it is there whole
/// as soon as the call has returned, whenever the process is killed.
///
/// | record | says |
/// | --- | --- |
/// | `S commits` | the contexts merge from here on; so many commits were there |
/// | `W number op op…` | what the next save holds: `=key,value,place,tags` an item as it is to be, `-key` one to delete |
/// | `A number began ended` | that save returned; nanoseconds |
/// | `R number code` | that save was refused |
/// | `M key life number time` | the context merged a commit: its row's key, whose it is, and when |
/// | `T number author` | the history told a transaction |
/// | `F item item…` | what the context holds at the end |
/// | `X text` | something that must not be |
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

  static func path(of life: Int, in folder: String) -> String { "\(folder)/ledger-\(life)" }
}
