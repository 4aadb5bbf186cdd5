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
    for scene in Operation.allCases {
      for flavour in Faults.Flavour.allCases {
        for isLasting in [false, true] { try run(scene, flavour, isLasting) }
      }
    }
    print("calls failed \(failed): \(errors) led to an error, \(survived) to none; lost, torn or stuck \(faults.count)")
    for fault in faults.prefix(20) { print("FAULT: \(fault.prefix(300))") }
  }

  private func template(_ name: String) -> URL { root.appendingPathComponent("template-\(name)") }

  /// One store that was closed, and one as a killed process left it.
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

  private mutating func run(_ scene: Operation, _ flavour: Faults.Flavour, _ isLasting: Bool) throws {
    var (call, reached, thrown) = (1, 0, 0)
    // A checkpoint makes thousands of calls of two kinds, and writes 8 MiB.
    let step = scene == .checkpoint ? every * 16 : scene == .log ? (every + 7) / 8 : every
    var kinds: [Faults.Kind: Int] = [:]
    while true {
      let folder = root.appendingPathComponent("run")
      try? FileManager.default.removeItem(at: folder)
      let store = try prepare(scene, folder)
      Faults.arm(Faults.Plan(flavour: flavour, first: call, isLasting: isLasting, isOfLog: scene == .log))
      var failure: (any Error)?
      do { try act(scene, store) } catch { failure = error }
      if scene == .log { try keepAsAfterDeath(store) }
      let hits = Faults.disarm()
      let title = "\(scene), \(flavour) \(isLasting ? "from" : "at") call \(call)"
      if hits.isEmpty {
        if let failure { faults.append("\(title): no call failed, and yet: \(failure)") }
        break
      }
      reached += 1
      kinds.merge(hits) { $0 + $1 }
      if let failure {
        thrown += 1
        if !Self.names(failure, store.url) {
          faults.append("\(title): the error does not say what was tried: \(failure)")
        }
      }
      do { try judge(scene, store) } catch { faults.append("\(title): \(error)") }
      call += step
    }
    failed += reached
    errors += thrown
    survived += reached - thrown
    let list = kinds.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key) \($0.value)" }
    print(
      "\(scene), \(flavour)\(isLasting ? " from then on" : ""): \(reached) runs, \(thrown) errors; "
        + list.joined(separator: ", "))
  }

  private func prepare(_ scene: Operation, _ folder: URL) throws -> FaultStore {
    switch scene {
    case .create: return try FaultStore(folder)
    case .recover:
      try FileManager.default.copyItem(at: template("left"), to: folder)
      return try FaultStore(folder, acknowledged: Set(1...20))
    case .open, .migrate, .fetch, .save, .checkpoint, .close, .data, .log:
      try FileManager.default.copyItem(at: template("closed"), to: folder)
      let store = try FaultStore(folder, acknowledged: Set(1...20))
      if scene != .open, scene != .migrate { try store.open() }
      store.hasLargeData = scene == .data
      if scene == .close || scene == .save || scene == .data { try store.commit() }
      return store
    }
  }

  private func act(_ scene: Operation, _ store: FaultStore) throws {
    switch scene {
    case .create, .open, .recover: try store.open()
    case .fetch: _ = try store.commits()
    case .save: try store.commit()
    case .data: try commitAll([20, 20], to: store)
    // Pieces have 124 KiB.
    case .log: try commitAll([20, 200_000, 20, 60_000, 20], to: store)
    case .checkpoint:
      try commitAll([750_000, 750_000, 750_000, 750_000], to: store)
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

  private func folderAfterDeath(_ store: FaultStore) -> URL { store.folder.appendingPathComponent("dead") }

  /// Copies the files as they are, which is all that a process dying now would leave. Uses another process, because
  /// closing a store's file in this one would release its locks.
  private func keepAsAfterDeath(_ store: FaultStore) throws {
    let (from, to) = (store.url.path, folderAfterDeath(store).path)
    let copying = Process()
    copying.executableURL = URL(fileURLWithPath: "/bin/sh")
    copying.arguments = ["-c", "mkdir \"$1\" && cp \"$0\" \"$0-wal\" \"$1\"", from, to]
    try copying.run()
    copying.waitUntilExit()
    guard copying.terminationStatus == 0 else { throw FaultStore.Damage("the files cannot be copied") }
  }

  /// The store still works if open, opens otherwise, and contains every acknowledged commit; a failed one is there
  /// completely or not at all.
  private func judge(_ scene: Operation, _ store: FaultStore) throws {
    if scene == .migrate {
      if store.context == nil { try store.open(isNewModel: true) }
      return try judgeMigrated(store)
    }
    if store.context == nil { try store.open() }
    let acknowledged = store.acknowledged
    try store.commit()
    try judge(store, store.acknowledged)
    try store.close()
    if scene == .log {
      let dead = try FaultStore(folderAfterDeath(store))
      try dead.open()
      try judge(dead, acknowledged)
      try dead.checkIntegrity()
      try dead.close()
    }
    let after = try FaultStore(store.folder)
    after.hasLargeData = store.hasLargeData
    try after.open()
    if after.hasLargeData { try after.checkDataFiles() }
    try judge(after, store.acknowledged)
    try after.checkIntegrity()
    try after.close()
  }

  private func judge(_ store: FaultStore, _ acknowledged: Set<Int>) throws {
    let missing = acknowledged.subtracting(try store.commits())
    guard missing.isEmpty else { throw FaultStore.Damage("lost are the commits \(missing.sorted())") }
  }

  private func judgeMigrated(_ store: FaultStore) throws {
    try store.checkMigrated(commits: 20)
    try store.close()
    try store.checkIntegrity()
  }

  /// Whether an error says what was tried and on what.
  private static func names(_ error: any Error, _ url: URL) -> Bool {
    guard let error = error as? CocoaError else { return false }
    let text = error.localizedDescription
    return text.contains(url.path) && text.contains("annot ")
  }
}
