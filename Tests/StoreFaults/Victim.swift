import CoreData
import Foundation
import Synchronization

/// A process that performs all operations of a store's life, and dies at a given file operation, or just before or
/// after a commit signal.
enum Victim {
  /// The current operation, reported with the call at which it dies.
  private static let deed = Mutex("open")

  private static func now(_ name: String) { deed.withLock { $0 = name } }

  /// - Parameter migrates: whether it only migrates an older store to a new model.
  static func run(in folder: URL, dyingAt call: Int, migrates: Bool) throws -> Never {
    let ledger = open(ledgerPath(in: folder), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    @Sendable func say(_ line: String) {
      let text = line + "\n"
      _ = write(ledger, text, text.utf8.count)
    }
    Faults.install()
    Faults.die(atCall: call) { call in say("D \(deed.withLock { $0 }) \(call)") }
    let store = try FaultStore(folder)
    store.hasLargeData = true
    if migrates {
      now("migrate")
      try store.open(isNewModel: true)
    } else {
      try store.open()
      try store.adopt()
      try commit(to: store, say)
      now("purge")
      try store.purge()
    }
    now("close")
    try store.close()
    say("N \(Faults.count)")
    _exit(0)
  }

  private static func commit(to store: FaultStore, _ say: (String) -> Void) throws {
    // The third commit makes the WAL long enough for a checkpoint.
    for weight in [20, 20, 2_900_000, 20, 20] {
      now("save")
      try store.commit(weight: weight)
      say("A \(store.attempted)")
      now("rest")
      if weight > 20 { usleep(20_000) }
    }
  }

  static func ledgerPath(in folder: URL) -> String { folder.appendingPathComponent("ledger").path }
}
