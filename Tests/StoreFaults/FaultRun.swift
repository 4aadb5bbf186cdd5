import CoreData
import Foundation

/// Makes every call fail in turn, during all operations of a store, and verifies that nothing is lost.
struct FaultRun {
  /// The operation during which calls fail.
  enum Operation: String, CaseIterable {
    case create, open, recover, fetch, save, checkpoint, migrate, close
    /// Saves with external data files.
    case data
    /// Saves of all sizes, where only writes to the WAL fail, which reach it in few large pieces.
    case log
    /// Saves of several threads in one COMMIT.
    case group
  }

  private let root: URL
  private let every: Int
  private(set) var failed = 0
  private(set) var errors = 0
  private(set) var survived = 0
  private(set) var faults: [String] = []

  /// - Parameter every: fail only each n-th call, to save time; 1 for all.
  init(in root: URL, every: Int) {
    self.root = root
    self.every = every
  }

  mutating func run() throws {
    try makeTemplates()
    for operation in Operation.allCases {
      for mode in Faults.FailureMode.allCases {
        for isLasting in [false, true] { try run(operation, mode, isLasting) }
      }
    }
    print("calls failed \(failed): \(errors) led to an error, \(survived) did not; lost, torn or stuck \(faults.count)")
    for fault in faults.prefix(20) { print("FAULT: \(fault.prefix(300))") }
  }

  private func template(_ name: String) -> URL { root.appendingPathComponent("template-\(name)") }

  /// Creates a store that was closed, and one as a killed process left it.
  private func makeTemplates() throws {
    let closed = try FaultStore(template("closed"))
    try closed.open()
    for _ in 0..<20 { try closed.commit(weight: 600) }
    let manager = FileManager.default
    try manager.createDirectory(at: template("left"), withIntermediateDirectories: true)
    for suffix in ["", "-wal"] {
      let name = "Faults.sqlite" + suffix
      try manager.copyItem(
        at: closed.folder.appendingPathComponent(name), to: template("left").appendingPathComponent(name))
    }
    try closed.close()
  }

  private mutating func run(_ operation: Operation, _ mode: Faults.FailureMode, _ isLasting: Bool) throws {
    var (call, reached, thrown) = (1, 0, 0)
    // A checkpoint makes thousands of calls of two kinds, and writes 8 MiB.
    let step = operation == .checkpoint ? every * 16 : [.log, .group].contains(operation) ? (every + 7) / 8 : every
    var kinds: [Faults.Kind: Int] = [:]
    while true {
      let folder = root.appendingPathComponent("run")
      try? FileManager.default.removeItem(at: folder)
      let store = try prepare(operation, folder)
      Faults.arm(Faults.Plan(mode: mode, first: call, isLasting: isLasting, isLogOnly: operation == .log))
      var failure: (any Error)?
      do { try perform(operation, store) } catch { failure = error }
      if operation == .log { try copyFilesAsAfterKill(store) }
      let hits = Faults.disarm()
      let title = "\(operation), \(mode) \(isLasting ? "from" : "at") call \(call)"
      if hits.isEmpty {
        if let failure { faults.append("\(title): no call failed, but the operation threw: \(failure)") }
        break
      }
      reached += 1
      kinds.merge(hits) { $0 + $1 }
      if let failure {
        thrown += 1
        if !Self.isDescriptive(failure, store.url) {
          faults.append("\(title): the error does not name the operation and the file: \(failure)")
        }
      }
      do { try verify(operation, store) } catch { faults.append("\(title): \(error)") }
      // The first write is that of the group's COMMIT. Each save is then made alone.
      if operation == .group, mode == .full, !isLasting, call == 1, let failure {
        faults.append("\(title): a COMMIT that failed once made saves of its group fail: \(failure)")
      }
      call += step
    }
    failed += reached
    errors += thrown
    survived += reached - thrown
    let list = kinds.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key) \($0.value)" }
    print(
      "\(operation), \(mode)\(isLasting ? " from then on" : ""): \(reached) runs, \(thrown) errors; "
        + list.joined(separator: ", "))
  }

  private func prepare(_ operation: Operation, _ folder: URL) throws -> FaultStore {
    switch operation {
    case .create: return try FaultStore(folder)
    case .recover:
      try FileManager.default.copyItem(at: template("left"), to: folder)
      return try FaultStore(folder, acknowledged: Set(1...20))
    case .open, .migrate, .fetch, .save, .checkpoint, .close, .data, .log, .group:
      try FileManager.default.copyItem(at: template("closed"), to: folder)
      let store = try FaultStore(folder, acknowledged: Set(1...20))
      if operation != .open, operation != .migrate { try store.open() }
      store.hasLargeData = operation == .data
      if operation == .close || operation == .save || operation == .data { try store.commit() }
      return store
    }
  }

  private func perform(_ operation: Operation, _ store: FaultStore) throws {
    switch operation {
    case .create, .open, .recover: try store.open()
    case .fetch: _ = try store.commits()
    case .save: try store.commit()
    case .data: try commitAll([20, 20], to: store)
    // Pieces are 124 KiB long.
    case .log: try commitAll([20, 200_000, 20, 60_000, 20], to: store)
    case .checkpoint:
      try commitAll([750_000, 750_000, 750_000, 750_000], to: store)
    case .group: try store.commitTogether(4)
    case .migrate: try store.open(isNewModel: true)
    case .close: try store.close()
    }
  }

  /// Continues after failed commits, and throws the last error.
  private func commitAll(_ weights: [Int], to store: FaultStore) throws {
    var failure: (any Error)?
    for weight in weights {
      do { try store.commit(weight: weight) } catch { failure = error }
    }
    // A long WAL is checkpointed on another thread, in a pause between saves.
    if weights.reduce(0, +) > 1_000_000 { usleep(60_000) }
    if let failure { throw failure }
  }

  private func folderAfterKill(_ store: FaultStore) -> URL { store.folder.appendingPathComponent("killed") }

  /// Copies the files as they would be if the process were killed now. Uses another process, because closing a store's
  /// file in this one would release its locks.
  private func copyFilesAsAfterKill(_ store: FaultStore) throws {
    let (from, to) = (store.url.path, folderAfterKill(store).path)
    let copyProcess = Process()
    copyProcess.executableURL = URL(fileURLWithPath: "/bin/sh")
    copyProcess.arguments = ["-c", "mkdir \"$1\" && cp \"$0\" \"$0-wal\" \"$1\"", from, to]
    try copyProcess.run()
    copyProcess.waitUntilExit()
    guard copyProcess.terminationStatus == 0 else { throw FaultStore.Damage("the files cannot be copied") }
  }

  /// Verifies that the store still works if open, opens otherwise, and contains every acknowledged commit. A failed commit
  /// is stored completely or not at all.
  private func verify(_ operation: Operation, _ store: FaultStore) throws {
    if operation == .migrate {
      if store.context == nil { try store.open(isNewModel: true) }
      return try verifyMigrated(store)
    }
    if store.context == nil { try store.open() }
    let acknowledged = store.acknowledged
    try store.commit()
    try verify(store, store.acknowledged)
    try store.close()
    if operation == .log {
      let killedStore = try FaultStore(folderAfterKill(store))
      try killedStore.open()
      try verify(killedStore, acknowledged)
      try killedStore.checkIntegrity()
      try killedStore.close()
    }
    let after = try FaultStore(store.folder)
    after.hasLargeData = store.hasLargeData
    try after.open()
    if after.hasLargeData { try after.checkDataFiles() }
    try verify(after, store.acknowledged)
    try after.checkIntegrity()
    try after.close()
  }

  private func verify(_ store: FaultStore, _ acknowledged: Set<Int>) throws {
    let missing = acknowledged.subtracting(try store.commits())
    guard missing.isEmpty else { throw FaultStore.Damage("these commits are lost: \(missing.sorted())") }
  }

  private func verifyMigrated(_ store: FaultStore) throws {
    try store.checkMigrated(commits: 20)
    try store.close()
    try store.checkIntegrity()
  }

  /// Whether an error names the operation and the file.
  private static func isDescriptive(_ error: any Error, _ url: URL) -> Bool {
    guard let error = error as? CocoaError else { return false }
    let text = error.localizedDescription
    return text.contains(url.path) && text.contains("annot ")
  }
}
