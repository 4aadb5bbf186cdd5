import CoreData
import Foundation

/// Fails every call in turn, in everything that a store does, and sees that nothing is lost.
struct FaultRun {
  /// What is done while calls fail.
  enum Scene: String, CaseIterable {
    case create, open, recover, fetch, save, checkpoint, migrate, close
  }

  private let root: URL
  private let every: Int
  private(set) var failed = 0
  private(set) var errors = 0
  private(set) var survived = 0
  private(set) var faults: [String] = []

  /// - Parameter every: fails each n-th call only, to save time; 1 fails them all.
  init(in root: URL, every: Int) {
    self.root = root
    self.every = every
  }

  mutating func run() throws {
    try makeTemplates()
    for scene in Scene.allCases {
      for flavour in Faults.Flavour.allCases {
        for isLasting in [false, true] { try run(scene, flavour, isLasting) }
      }
    }
    print("calls failed \(failed): \(errors) led to an error, \(survived) to none; lost, torn or stuck \(faults.count)")
    for fault in faults.prefix(20) { print("FAULT: \(fault.prefix(300))") }
  }

  private func template(_ name: String) -> URL { root.appendingPathComponent("template-\(name)") }

  /// A store that was closed, and one that a process left as it died.
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

  private mutating func run(_ scene: Scene, _ flavour: Faults.Flavour, _ isLasting: Bool) throws {
    var (call, reached, thrown) = (1, 0, 0)
    // A checkpoint is thousands of calls of two kinds, and 8 MiB.
    let step = scene == .checkpoint ? every * 16 : every
    var kinds: [Faults.Kind: Int] = [:]
    while true {
      let folder = root.appendingPathComponent("run")
      try? FileManager.default.removeItem(at: folder)
      let store = try prepare(scene, folder)
      Faults.arm(Faults.Plan(flavour: flavour, first: call, isLasting: isLasting))
      var failure: (any Error)?
      do { try act(scene, store) } catch { failure = error }
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

  private func prepare(_ scene: Scene, _ folder: URL) throws -> FaultStore {
    switch scene {
    case .create: return try FaultStore(folder)
    case .recover:
      try FileManager.default.copyItem(at: template("left"), to: folder)
      return try FaultStore(folder, acknowledged: Set(1...20))
    case .open, .migrate, .fetch, .save, .checkpoint, .close:
      try FileManager.default.copyItem(at: template("closed"), to: folder)
      let store = try FaultStore(folder, acknowledged: Set(1...20))
      if scene != .open, scene != .migrate { try store.open() }
      if scene == .close || scene == .save { try store.commit() }
      return store
    }
  }

  private func act(_ scene: Scene, _ store: FaultStore) throws {
    switch scene {
    case .create, .open, .recover: try store.open()
    case .fetch: _ = try store.commits()
    case .save: try store.commit()
    case .checkpoint:
      var failure: (any Error)?
      for _ in 0..<4 {
        do { try store.commit(weight: 750_000) } catch { failure = error }
        // The log is copied back on another thread, after the save.
        usleep(4_000)
      }
      if let failure { throw failure }
    case .migrate: try store.open(isNewModel: true)
    case .close: try store.close()
    }
  }

  /// The store goes on where it is open, opens where it is not, and holds every commit that was acknowledged; one that
  /// failed is there whole or not at all.
  private func judge(_ scene: Scene, _ store: FaultStore) throws {
    if scene == .migrate {
      if store.context == nil { try store.open(isNewModel: true) }
      return try judgeMigrated(store)
    }
    if store.context == nil { try store.open() }
    try store.commit()
    try judge(store, store.acknowledged)
    try store.close()
    let after = try FaultStore(store.folder)
    try after.open()
    try judge(after, store.acknowledged)
    try after.checkIntegrity()
    try after.close()
  }

  private func judge(_ store: FaultStore, _ acknowledged: Set<Int>) throws {
    let missing = acknowledged.subtracting(try store.commits())
    guard missing.isEmpty else { throw FaultStore.Damage("lost are the commits \(missing.sorted())") }
  }

  private func judgeMigrated(_ store: FaultStore) throws {
    guard let context = store.context else { throw CocoaError(.persistentStoreOpen) }
    let whole = try context.performAndWait {
      let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      return notes.filter { ($0.value(forKey: "words") as? String)?.isEmpty == false }.count
    }
    guard whole == 20 * 2 + 1 else { throw FaultStore.Damage("after the migration there are \(whole) notes of 41") }
    try store.close()
    try store.checkIntegrity()
  }

  /// An error says what was tried and on what.
  private static func names(_ error: any Error, _ url: URL) -> Bool {
    guard let error = error as? CocoaError else { return false }
    let text = error.localizedDescription
    return text.contains(url.path) && text.contains("annot ")
  }
}
