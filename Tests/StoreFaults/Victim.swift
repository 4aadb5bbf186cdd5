import CoreData
import Foundation

/// A process that does all that a store's process does, and dies at a given call of a file.
enum Victim {
  static func run(in folder: URL, dyingAt call: Int) throws -> Never {
    let ledger = open(ledgerPath(in: folder), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    @Sendable func say(_ line: String) {
      let text = line + "\n"
      _ = write(ledger, text, text.utf8.count)
    }
    Faults.install()
    Faults.die(atCall: call) { say("D \($0)") }
    let store = try FaultStore(folder)
    try store.open()
    try store.adopt()
    // The third one makes a log that is to be copied back.
    for weight in [20, 20, 2_900_000, 20, 20] {
      try store.commit(weight: weight)
      say("A \(store.attempted)")
      if weight > 20 { usleep(20_000) }
    }
    try store.close()
    say("N \(Faults.count)")
    _exit(0)
  }

  static func ledgerPath(in folder: URL) -> String { folder.appendingPathComponent("ledger").path }
}
