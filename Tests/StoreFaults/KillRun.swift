import CoreData
import Foundation
import Synchronization

/// Kills a process at every file operation in turn, from opening the store to closing it, and before and after each
/// commit signal (invariant 6). The process commits, checkpoints, and purges the history.
///
/// `alone`: the next process that opens the store finds every acknowledged commit, and the one in progress completely or
/// not at all. `watched`: a process that has the store open merges the commits soon, and can write immediately.
/// `migrates`: the next process that opens the store completes its migration.
final class KillRun {
  enum Situation: String, CaseIterable { case alone, watched, migrates }

  private let root: URL
  private let every: Int
  private var faults: [String] = []
  private var counts: [String: Int] = [:]
  private var slowest = (merge: 0.0, saveTime: 0.0)

  init(in root: URL, every: Int) {
    self.root = root
    self.every = every
  }

  /// - Parameter only: one situation; nil for all.
  func run(only: Situation?) throws -> Int {
    let older = try FaultStore(root.appendingPathComponent("older"))
    try older.open()
    for _ in 0..<Self.olderCommits { try older.commit() }
    try older.close()
    for situation in Situation.allCases where only == nil || situation == only { try run(situation, older.folder) }
    Progress.report(
      String(format: "slowest merge %.1f ms, slowest save %.1f ms after a kill; ", slowest.merge, slowest.saveTime)
        + "lost, torn or stuck \(faults.count)")
    for fault in faults.prefix(20) { Progress.report("FAULT: \(fault.prefix(300))") }
    return faults.count
  }

  /// The number of commits in the store that is migrated.
  private static let olderCommits = 20

  /// The number of victims that share a store with one bystander.
  private static let victimsPerStore = 10

  private func run(_ situation: Situation, _ older: URL) throws {
    var (call, kills) = (1, 0)
    let before = faults.count
    var bystander: Bystander?
    counts = [:]
    while true {
      let isWatched = situation == .watched
      let folder = root.appendingPathComponent(isWatched ? "watched-\(kills / Self.victimsPerStore)" : "\(situation)")
      if isWatched, kills % Self.victimsPerStore == 0 { bystander = try Bystander(folder) }
      if !isWatched { try? FileManager.default.removeItem(at: folder) }
      if situation == .migrates { try FileManager.default.copyItem(at: older, to: folder) }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      guard try kill(atCall: call, situation, in: folder, bystander) else { break }
      kills += 1
      call += every
      if kills.isMultiple(of: 500) { Progress.update("\(situation): killed at \(kills) calls") }
    }
    let list = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    Progress.report("\(situation): killed at \(kills) calls: \(list); lost, torn or stuck \(faults.count - before)")
  }

  /// - Returns: false if the process finished before that call.
  private func kill(atCall call: Int, _ situation: Situation, in folder: URL, _ bystander: Bystander?) throws -> Bool {
    try? FileManager.default.removeItem(atPath: Victim.ledgerPath(in: folder))
    let victim = Process()
    victim.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    victim.arguments = ["victim", folder.path, "\(call)", "\(situation)"]
    try victim.run()
    victim.waitUntilExit()
    let ledger = (try? String(contentsOfFile: Victim.ledgerPath(in: folder), encoding: .utf8)) ?? ""
    let lines = ledger.split(separator: "\n").map { $0.split(separator: " ") }
    let acknowledged = Set(lines.filter { $0[0] == "A" }.compactMap { Int($0[1]) })
    let position = lines.last.map { $0[0] == "D" ? Self.position($0) : "the end" } ?? "nowhere"
    do {
      if let bystander {
        let times = try bystander.verify(acknowledged)
        slowest = (max(slowest.merge, times.merge), max(slowest.saveTime, times.saveTime))
      } else if situation == .migrates {
        let store = try FaultStore(folder)
        try store.open(isNewModel: true)
        try store.checkMigrated(commits: Self.olderCommits)
        try store.checkIntegrity()
        try store.close()
      } else {
        try verifyAlone(folder, acknowledged)
      }
    } catch {
      faults.append("killed at call \(call), \(position): \(error)")
    }
    guard victim.terminationReason == .uncaughtSignal, victim.terminationStatus == SIGKILL else {
      let status = victim.terminationStatus
      if status != 0 { faults.append("call \(call): the process ended with \(status)") }
      return false
    }
    counts[position, default: 0] += 1
    return true
  }

  /// "save: write -wal", from "D save write /tmp/…/Faults.sqlite-wal".
  private static func position(_ words: [Substring]) -> String {
    let name: String
    switch words[2] {
    // A writer holds SQLite's lock from BEGIN to the end. Before that it holds only the writer lock. Once SQLite's lock is
    // released, the commit is visible to all processes.
    case "sharedLock0": name = "with the writer lock, before BEGIN"
    case "sharedUnlock0": name = "after COMMIT, before the lock is released"
    case "signal": name = "after COMMIT, before the signal"
    case "signaled": name = "after the signal"
    default:
      let isOfData = words[2].hasPrefix("data")
      let file = words.last?.split(separator: "/").last?.replacing("Faults.sqlite", with: "") ?? ""
      name = isOfData ? String(words[2]) : "\(words[2]) \(file.isEmpty ? "store" : file)"
    }
    return "\(words[1]): \(name)"
  }

  private func verifyAlone(_ folder: URL, _ acknowledged: Set<Int>) throws {
    let store = try FaultStore(folder)
    store.hasLargeData = true
    try store.open()
    let missing = acknowledged.subtracting(try store.commits())
    guard missing.isEmpty else { throw FaultStore.Damage("these commits are lost: \(missing.sorted())") }
    if !acknowledged.isEmpty { try store.checkDataFiles() }
    try store.adopt()
    try store.commit()
    try store.checkIntegrity()
    try store.close()
  }
}

/// A process that has the store open while another one is killed.
private final class Bystander {
  private let store: FaultStore
  private let merging: NSManagedObjectContext
  private let merged = Merged()
  private var known: Set<Int> = []

  init(_ folder: URL) throws {
    store = try FaultStore(folder)
    store.hasLargeData = true
    try store.open()
    merging = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    merging.persistentStoreCoordinator = store.context?.persistentStoreCoordinator
    _ = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: merging, queue: nil
    ) { [merged] note in
      let new = note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
      let batches = new.filter { $0.entity.name == "Note" }.compactMap { $0.value(forKey: "batch") as? Int }
      merged.batches.withLock { $0.formUnion(batches) }
    }
    merging.automaticallyMergesChangesFromParent = true
  }

  /// The number of seconds after which a merge or a save counts as stuck. The usual time is milliseconds; the rest is for
  /// slow machines.
  private static let maximumDelay = 60.0

  /// - Returns: the milliseconds until everything was merged, and those that this process's own save took.
  func verify(_ acknowledged: Set<Int>) throws -> (merge: Double, saveTime: Double) {
    let stored = try store.commits()
    let missing = acknowledged.subtracting(stored)
    guard missing.isEmpty else { throw FaultStore.Damage("these commits are lost: \(missing.sorted())") }
    let began = Date()
    while merged.batches.withLock({ !$0.isSuperset(of: stored) }) {
      guard Date().timeIntervalSince(began) < Self.maximumDelay else {
        let missing = stored.subtracting(merged.batches.withLock { $0 })
        throw FaultStore.Damage("not merged in time: \(missing.sorted())")
      }
      usleep(500)
    }
    let merge = Date().timeIntervalSince(began) * 1_000
    try store.adopt()
    let start = Date()
    try store.commit()
    let saveTime = Date().timeIntervalSince(start) * 1_000
    guard saveTime < Self.maximumDelay * 1_000 else { throw FaultStore.Damage("the next save took \(saveTime) ms") }
    try store.checkIntegrity()
    return (merge, saveTime)
  }
}

/// The commits whose notes a context merged.
private final class Merged: Sendable {
  let batches = Mutex<Set<Int>>([])
}
