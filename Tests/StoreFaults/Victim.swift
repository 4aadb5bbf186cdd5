import CoreData
import Foundation
import Synchronization

/// A process that performs all operations on a store, and kills itself at a given file operation, or just before or after
/// a commit signal.
enum Victim {
  /// The current operation, which is recorded with the call at which the process is killed.
  private static let operation = Mutex("open")

  private static func begin(_ name: String) { operation.withLock { $0 = name } }

  /// - Parameter migrates: whether it only migrates an older store to a new model.
  static func run(in folder: URL, dyingAt call: Int, migrates: Bool) throws -> Never {
    let ledger = open(ledgerPath(in: folder), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    @Sendable func record(_ line: String) {
      let text = line + "\n"
      _ = write(ledger, text, text.utf8.count)
    }
    Faults.install()
    Faults.killProcess(atCall: call) { call in record("D \(operation.withLock { $0 }) \(call)") }
    let store = try FaultStore(folder)
    store.hasLargeData = true
    if migrates {
      begin("migrate")
      try store.open(isNewModel: true)
    } else {
      try store.open()
      try store.adopt()
      try commit(to: store, record)
      begin("purge")
      try store.purge()
    }
    begin("close")
    try store.close()
    record("N \(Faults.count)")
    _exit(0)
  }

  private static func commit(to store: FaultStore, _ record: (String) -> Void) throws {
    // The third commit makes the WAL long enough for a checkpoint.
    for weight in [20, 20, 2_900_000, 20, 20] {
      begin("save")
      try store.commit(weight: weight)
      record("A \(store.attempted)")
      begin("rest")
      if weight > 20 { usleep(20_000) }
    }
  }

  static func ledgerPath(in folder: URL) -> String { folder.appendingPathComponent("ledger").path }
}
