import CoreData
import Foundation

/// Starts the processes, kills, stops and restarts them as planned, and finally lets the survivors finish.
final class Conductor {
  let plan: Plan
  let folder: String
  private(set) var lives: [Life] = []
  /// The running workers by slot.
  private var living: [Int: Child] = [:]
  private(set) var faults: [String] = []
  private(set) var processorSeconds = 0.0
  private(set) var counts = (
    killed: 0, stopped: 0, signalFilesReplaced: 0, restarted: 0, terminated: 0, cut: 0, gaveUp: 0
  )
  /// The number of times that idle processes woke, or nil if it was not counted.
  private(set) var idleWakeUps: Int?
  /// The server, or nil for a store in a file.
  private let server: SoakServer?
  private(set) var maximumLogBytes = 0
  private var nextLife: Int
  private var resumptions: [(time: Int, child: Child)] = []
  private let isOwnFolder: Bool
  private let firstItems: [Int: ItemState]
  private let firstCommit: Int

  init(_ plan: Plan) throws {
    self.plan = plan
    isOwnFolder = plan.folder == nil
    server = plan.isOnServer ? try SoakServer(hasNetwork: plan.cuts > 0) : nil
    folder = plan.folder ?? NSTemporaryDirectory() + "/store-soak-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasPrefix("ledger-") {
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
    nextLife = Int(Date().timeIntervalSince1970) * 10_000
    let container = try SoakStore.open(in: folder)
    try SoakStore.fill(container)
    firstItems = try ItemState.all(of: container)
    let context = container.newBackgroundContext()
    firstCommit = try context.performAndWait {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Commit"))
    }
    // Closes the store, so that the first worker opens it first.
    try SoakStore.close(container)
    if let server { try ServerStore(server: server).keepPurged() }
  }

  private func store() throws -> any VerifiedStore {
    if let server { return ServerStore(server: server) }
    return try RawStore(SoakStore.url(in: folder).path)
  }

  deinit {
    for child in living.values { child.killProcess() }
    if isOwnFolder, faults.isEmpty { try? FileManager.default.removeItem(atPath: folder) }
  }

  func run() throws -> Outcome {
    for slot in 0..<plan.processes { try start(slot) }
    let began = monotonicNow()
    var events = plan.events()[...]
    while true {
      let now = monotonicNow()
      let seconds = Double(now - began) / 1e9
      if seconds >= plan.seconds { break }
      while let next = events.first, next.time <= seconds { try perform(events.removeFirst().event) }
      for resumption in resumptions where resumption.time <= now { resumption.child.resume() }
      resumptions.removeAll { $0.time <= now }
      server?.restoreNetwork(at: now)
      try reap(restarting: true)
      noteLog()
      usleep(3_000)
    }
    for child in living.values { child.resume() }
    try endFaults()
    let last = try finishWorkers()
    return Outcome(
      folder: folder, store: try store(), lives: lives, firstItems: firstItems, firstCommit: firstCommit,
      lastCommit: last, faults: faults)
  }

  private func start(_ slot: Int) throws {
    nextLife += 1
    let pause = slot < plan.writers ? max(1, 1_000_000 * plan.writers / plan.rate) : 0
    let life = Life(nextLife, slot: slot)
    living[slot] = try Child(
      life,
      arguments: [
        "worker", folder, "\(nextLife)", "\(slot)", "\(pause)", "\(plan.seed)", plan.isSound ? "sound" : "faulty",
        "\(plan.threads)",
      ], at: server?.url(slot: slot), command: server?.command(slot: slot) ?? [])
    lives.append(life)
  }

  private func perform(_ event: Plan.Event) throws {
    switch event {
    case .kill(let slot):
      // A slot whose process is dead and not restarted yet is skipped in favor of another.
      let isAlive = living[slot]?.life.wasKilled == false
      kill([isAlive ? slot : living.first { !$0.value.life.wasKilled }?.key ?? slot])
    case .killAll: kill(Array(living.keys))
    case .stop(let slot, let seconds):
      guard let child = living[slot], !child.isStopped else { return }
      child.stop()
      resumptions.append((monotonicNow() + Int(seconds * 1e9), child))
      counts.stopped += 1
    case .replaceSignalFile(let variant):
      let path = SoakStore.url(in: folder).path + "-notify"
      switch variant {
      case 0: unlink(path)
      case 1: rename(path, path + ".away")
      case 2:
        unlink(path)
        symlink("/dev/null", path)
      default:
        close(open(path + ".new", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        rename(path + ".new", path)
      }
      counts.signalFilesReplaced += 1
    case .restart(let isImmediate):
      server?.restart(isImmediate: isImmediate)
      counts.restarted += 1
    case .terminate:
      server?.terminate()
      counts.terminated += 1
    case .cut(let seconds):
      server?.cut(seconds: seconds, from: monotonicNow())
      counts.cut += 1
    }
  }

  private func kill(_ slots: [Int]) {
    for child in slots.compactMap({ living[$0] }) where !child.life.wasKilled {
      child.killProcess()
      counts.killed += 1
    }
  }

  private func reap(restarting: Bool) throws {
    for (slot, child) in living {
      guard let end = child.end() else { continue }
      living[slot] = nil
      processorSeconds += end.seconds
      resumptions.removeAll { $0.child === child }
      if end.status == Worker.gaveUp << 8, !plan.isSound {
        child.life.wasKilled = true
        counts.gaveUp += 1
        if restarting { try start(slot) }
        continue
      }
      let isExpected = child.life.wasKilled ? end.status == SIGKILL : end.status == 0 && !restarting
      if !isExpected { faults.append("life \(child.life.number) ended with status \(end.status)") }
      if restarting { try start(slot) }
    }
  }

  private func noteLog() {
    var log = stat()
    if stat(SoakStore.url(in: folder).path + "-wal", &log) == 0 {
      maximumLogBytes = max(maximumLogBytes, Int(log.st_size))
    }
  }

  /// Ends all faults, and notifies the processes once they have started.
  private func endFaults() throws {
    guard let server, !plan.isSound else { return }
    faults += server.endFaults()
    let end = monotonicNow() + 3_000_000_000
    while monotonicNow() < end {
      try reap(restarting: true)
      usleep(3_000)
    }
    for child in living.values { child.send("sound") }
  }

  /// Counts the wake-ups of processes that have merged everything and wait for the next commit.
  private func countIdleWakeUps() {
    // Dispatch threads end after 5 idle seconds.
    sleep(8)
    let before = living.mapValues(\.sleepCounts)
    sleep(UInt32(plan.idleSeconds))
    let wakeUps = living.map { slot, child in
      child.sleepCounts.map { thread, count in count - (before[slot]?[thread] ?? 0) }.reduce(0, +)
    }
    idleWakeUps = wakeUps.reduce(0, +)
  }

  /// Lets the writers finish, and then all processes merge the rest.
  private func finishWorkers() throws -> Int {
    try reap(restarting: true)
    for child in living.values { child.send("quiet") }
    try waitUntil("the writers finish") {
      living.values.allSatisfy { access("\(Ledger.path(of: $0.life.number, in: folder)).quiet", F_OK) == 0 }
    }
    if plan.idleSeconds > 0 { countIdleWakeUps() }
    let newest = try store().newest()
    for child in living.values { child.send(newest.command) }
    try waitUntil("all processes merge all commits") { living.isEmpty }
    return newest.commit
  }

  private func waitUntil(_ what: String, _ condition: () -> Bool) throws {
    let end = monotonicNow() + 180_000_000_000
    while !condition() {
      try reap(restarting: false)
      if monotonicNow() > end {
        faults.append("timed out after 180 s: \(what); the remaining lives are \(living.values.map(\.life.number))")
        return
      }
      usleep(5_000)
    }
  }
}
