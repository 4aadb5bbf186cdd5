import CoreData
import Foundation
import StrataTestSupport
import Synchronization

/// Cuts the power at every write of a recorded run: writes since a file's last sync are dropped, torn or reordered, as
/// determined by the seed. The store must then open and contain a prefix of the acknowledged commits; all of them if
/// `synchronous` is FULL.
final class PowerRun {
  private let root: URL
  private let every: Int
  private let levels: [String?]
  private var random: SeededRandom
  private var faults: [String] = []
  private static let commits = 40

  /// - Parameter level: the only level of `synchronous` to run with; nil for all.
  init(in root: URL, every: Int, level: String?, seed: UInt64) {
    self.root = root
    self.every = every
    // The default has the durability of NORMAL, but writes to the WAL differently.
    levels = level.map { [$0] } ?? [nil, "NORMAL", "FULL"]
    random = SeededRandom(seed: seed)
  }

  func run() throws -> Int {
    for level in levels {
      try run(level, hasLargeData: false)
      try run(level, hasLargeData: true)
    }
    for fault in faults.prefix(20) { Progress.report("FAULT: \(fault.prefix(300))") }
    return faults.count
  }

  private func run(_ chosen: String?, hasLargeData: Bool) throws {
    let options: [AnyHashable: Any] = chosen.map { [NSSQLitePragmasOption: ["synchronous": $0]] } ?? [:]
    let level = chosen ?? "default"
    let folder = root.appendingPathComponent("recorded-\(level)-\(hasLargeData)")
    let recording = Recording(files: hasLargeData ? folder.appendingPathComponent(Self.dataFolder).path : nil)
    let store = try FaultStore(folder, options: options)
    store.hasLargeData = hasLargeData
    Faults.record { recording.record($0) }
    try store.open()
    for number in 1...Self.commits {
      try store.commit(weight: number == 20 && !hasLargeData ? 2_900_000 : 600)
      recording.acknowledge(number)
      // The WAL is checkpointed on another thread.
      if number % 20 == 0 { usleep(20_000) }
    }
    try store.close()
    Faults.record(nil)
    try replay(recording, level, options)
  }

  /// The folder of external data files.
  private static let dataFolder = ".Faults_SUPPORT/_EXTERNAL_DATA"

  private func replay(_ recording: Recording, _ level: String, _ options: [AnyHashable: Any]) throws {
    let changes = recording.changes
    var disk = Disk()
    var largeData: [String: Data]? = recording.hasFiles ? [:] : nil
    var (acknowledged, states, maximumLost, syncs) = (0, 0, 0, 0)
    let before = faults.count
    for (index, change) in changes.enumerated() {
      if case .acknowledged(let number) = change {
        acknowledged = number
        continue
      }
      if case .synced = change { syncs += 1 }
      if case .files(let files) = change { largeData = files }
      disk.record(change)
      guard disk.isUncertain, index % every == 0 else { continue }
      for loss in Disk.Loss.allCases {
        states += 1
        if states.isMultiple(of: 1_000) {
          Progress.update("power cut in \(states) states, after \(index) of \(changes.count) changes")
        }
        do {
          let found = try commits(on: disk.afterPowerLoss(loss, &random), largeData, options)
          if level == "FULL", found < acknowledged {
            throw FaultStore.Damage("the commits \(found + 1) to \(acknowledged) are lost")
          }
          maximumLost = max(maximumLost, acknowledged - found)
        } catch {
          faults.append("\(level), power cut after change \(index), \(loss): \(error)")
        }
      }
    }
    Progress.report(
      "synchronous \(level)\(recording.hasFiles ? ", large data" : ""): \(changes.count) changes of files, \(syncs) syncs, \(Self.commits) commits; power cut in "
        + "\(states) states; most commits lost \(maximumLost), torn, out of order or damaged \(faults.count - before)")
  }

  /// - Returns: the number of commits, which are the first ones, each complete.
  private func commits(
    on files: [String: [UInt8]], _ largeData: [String: Data]?, _ options: [AnyHashable: Any]
  ) throws -> Int {
    let folder = root.appendingPathComponent("after")
    try? FileManager.default.removeItem(at: folder)
    let store = try FaultStore(folder, options: options)
    store.hasLargeData = largeData != nil
    if let largeData {
      let data = folder.appendingPathComponent(Self.dataFolder)
      try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
      for (name, bytes) in largeData { try bytes.write(to: data.appendingPathComponent(name)) }
    }
    for (name, bytes) in files { try Data(bytes).write(to: folder.appendingPathComponent(name)) }
    try store.open()
    let found = try store.commits()
    guard found == Set(0...found.count).subtracting([0]) else {
      throw FaultStore.Damage("the commits are not a prefix: \(found.sorted())")
    }
    try store.checkIntegrity()
    try store.adopt()
    try store.commit()
    try store.close()
    return found.count
  }
}

/// The recorded file operations of a run, in order.
final class Recording: Sendable {
  enum Change {
    case wrote(file: String, bytes: [UInt8], offset: Int)
    case truncated(file: String, size: Int)
    case synced(file: String)
    case deleted(file: String, isSynced: Bool)
    case acknowledged(Int)
    /// The external data files from here on. Deletions and new files take effect immediately, which is the worst case,
    /// because data is synced before anything refers to it.
    case files([String: Data])
  }

  private let recording = Mutex<[Change]>([])
  private let files: String?
  private let known = Mutex<[String: Data]>([:])

  /// - Parameter files: the folder of external data files, if the store has one.
  init(files: String?) { self.files = files }

  var changes: [Change] { recording.withLock { $0 } }
  var hasFiles: Bool { files != nil }

  private func recordFiles() {
    guard let files else { return }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: files)) ?? []
    let found: [String: Data]? = known.withLock { known in
      guard Set(known.keys) != Set(names) else { return nil }
      let contents = names.map { name in
        (name, known[name] ?? FileManager.default.contents(atPath: "\(files)/\(name)") ?? Data())
      }
      known = Dictionary(uniqueKeysWithValues: contents)
      return known
    }
    if let found { recording.withLock { $0.append(.files(found)) } }
  }

  func acknowledge(_ number: Int) { recording.withLock { $0.append(.acknowledged(number)) } }

  func record(_ call: Faults.Call) {
    // An external data file is incomplete between the calls that write it.
    switch call.kind {
    case .dataOpen, .dataWrite, .dataSync, .dataRemove, .signal, .signaled: return
    default: recordFiles()
    }
    let file = String(call.path.split(separator: "/").last ?? "")
    let change: Change
    switch call.kind {
    case .write: change = .wrote(file: file, bytes: Array(call.bytes), offset: call.offset)
    case .truncate: change = .truncated(file: file, size: call.offset)
    case .sync: change = .synced(file: file)
    case .delete: change = .deleted(file: file, isSynced: call.count != 0)
    default: return
    }
    recording.withLock { $0.append(change) }
  }
}
