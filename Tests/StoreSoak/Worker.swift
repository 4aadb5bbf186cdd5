import CoreData
import Foundation
import StrataTestSupport
import Synchronization

/// A soak process: it commits, merges all commits, and logs both.
final class Worker: Sendable {
  private let folder: String
  private let life: Int
  private let pause: Int
  private let threads: Int
  private let seed: UInt64
  private let wasSound: Bool
  private let isSound: Atomic<Bool>
  private let ledger: Ledger
  private let container: NSPersistentContainer
  private let mirror: Mirror
  private let follower: HistoryFollower
  /// The number of the last transaction that the follower delivered.
  private let followed = Atomic<Int>(0)
  private let isQuiet = Atomic(false)

  /// - Parameters:
  ///   - life: The unique number of this process.
  ///   - slot: The number of the history follower that this process continues for its killed predecessor.
  ///   - pause: The microseconds between two saves. If 0, the process does not write.
  ///   - threads: The number of threads that save at the same time.
  ///   - isSound: Whether the system works. Otherwise it works once the conductor sends `sound`. Until then, failed
  ///     operations are recorded and retried, or the process gives up.
  static func run(
    folder: String, life: Int, slot: Int, pause: Int, threads: Int, seed: UInt64, isSound: Bool
  ) throws -> Never {
    // A worker records what it reads, so it must exit if a value cannot be read.
    setenv("COREDATA_STRICT_FAULTS", "1", 1)
    let ledger = try Ledger(creating: Ledger.path(of: life, in: folder))
    do {
      try Worker(
        folder: folder, life: life, slot: slot, pause: pause, threads: threads, seed: seed, isSound: isSound, ledger
      ).run()
    } catch let error where !isSound {
      giveUp(after: error, ledger)
    }
  }

  /// The exit status of a process that cannot continue in a failing system.
  static let gaveUp: Int32 = 4

  private static func giveUp(after error: any Error, _ ledger: Ledger) -> Never {
    ledger.note(error)
    _exit(gaveUp)
  }

  private init(
    folder: String, life: Int, slot: Int, pause: Int, threads: Int, seed: UInt64, isSound: Bool, _ ledger: Ledger
  ) throws {
    self.folder = folder
    wasSound = isSound
    self.isSound = Atomic(isSound)
    self.ledger = ledger
    self.life = life
    (self.pause, self.threads) = (pause, threads)
    self.seed = seed
    container = try SoakStore.open(in: folder)
    mirror = Mirror(container, ledger)
    guard let store = container.persistentStoreCoordinator.persistentStores.first else {
      throw CocoaError(.persistentStoreOpen)
    }
    follower = try HistoryFollower(of: store, name: "slot \(slot)")
  }

  /// Writes and merges until the conductor sends `finish COMMITS TRANSACTION ROW`. Then merges and logs everything up to
  /// that commit.
  private func run() throws -> Never {
    try mirror.start()
    Task.detached { [self] in await follow() }
    let commandReader = Thread { [self] in readCommands() }
    commandReader.start()
    var random = SeededRandom(seed: seed &+ UInt64(life))
    if pause > 0 {
      try write(&random)
    } else {
      try purgeAndHoldSnapshots(&random)
    }
    // The conductor waits for this file.
    close(open("\(Ledger.path(of: life, in: folder)).quiet", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    // The simulator does not support pause(2). The sleep is long, because processes should be idle.
    while true { sleep(SoakStore.isOnServer ? 3_600 : 60) }
  }

  /// Saves on several threads until the conductor asks for quiet.
  private func write(_ random: inout SeededRandom) throws {
    let ended = DispatchGroup()
    for number in 1..<threads {
      let seed = random.next()
      ended.enter()
      Thread.detachNewThread { [self] in
        var own = SeededRandom(seed: seed)
        do { try write(number, &own) } catch { ledger.write("X cannot write: \(error)") }
        ended.leave()
      }
    }
    try write(0, &random)
    ended.wait()
  }

  private func write(_ thread: Int, _ random: inout SeededRandom) throws {
    try Writing(container, ledger, life, isSound: { [self] in isSound.load(ordering: .relaxed) }).run(
      pause: pause * threads, from: thread + 1, by: threads, until: { isQuiet.load(ordering: .relaxed) }, &random)
  }

  /// Logs each transaction of the history. Requesting the next one marks it as processed. If a server could not be
  /// reached, following restarts, and only the transaction whose position could not be recorded is delivered again.
  private func follow() async {
    while true {
      await followOnce()
      guard SoakStore.isOnServer else { return }
      usleep(20_000)
      ledger.write("L")
    }
  }

  private func followOnce() async {
    do {
      for try await transaction in follower.transactions {
        ledger.write("T \(transaction.transactionNumber) \(transaction.author ?? "nobody")")
        followed.store(Int(transaction.transactionNumber), ordering: .relaxed)
      }
    } catch {
      if SoakStore.isOnServer, !wasSound { return ledger.note(error) }
      if !isSound.load(ordering: .relaxed) { Self.giveUp(after: error, ledger) }
      ledger.write("X cannot follow: \(error)")
    }
  }

  /// Purges the history that all processes have read (invariant 5), holds old snapshots of the store for a while, and
  /// verifies that they do not change.
  private func purgeAndHoldSnapshots(_ random: inout SeededRandom) throws {
    while !isQuiet.load(ordering: .relaxed) {
      usleep(UInt32.random(in: 100_000...1_000_000, using: &random))
      do {
        try HistoryFollower.purgeHistory(of: follower.store)
        if Int.random(in: 0..<6, using: &random) == 0 { try holdSnapshot(&random) }
      } catch let error where !isSound.load(ordering: .relaxed) {
        ledger.note(error)
      }
    }
  }

  private func holdSnapshot(_ random: inout SeededRandom) throws {
    let context = container.newBackgroundContext()
    let hold = UInt32.random(in: 10_000...700_000, using: &random)
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      let items = NSFetchRequest<NSManagedObject>(entityName: "Item")
      let commits = NSFetchRequest<NSManagedObject>(entityName: "Commit")
      let before = try (context.count(for: items), context.count(for: commits))
      usleep(hold)
      let after = try (context.count(for: items), context.count(for: commits))
      if before != after { ledger.write("X a pinned snapshot changed from \(before) to \(after)") }
    }
  }

  /// Merges up to a commit. Purges may delete history that this process needs, if a fault prevented it from recording its
  /// position.
  private func finishMerging(at key: Int, transaction: Int, row: Int) {
    do {
      try mirror.finish(at: key, row: row) { commit in
        if SoakStore.isOnServer { return false }
        let store = try RawStore(SoakStore.url(in: folder).path)
        let oldest = try store.integer("SELECT ifnull(min(Z_PK), \(transaction + 1)) FROM ATRANSACTION")
        return !wasSound && oldest > commit + 1 + transaction - key
      }
    } catch {
      ledger.write("X cannot finish: \(error)")
    }
  }

  private func finishFollowing(at number: Int) {
    let end = Date(timeIntervalSinceNow: 120)
    let coordinator = container.persistentStoreCoordinator
    while followed.load(ordering: .relaxed) < number {
      // A transaction that a predecessor processed is not delivered again.
      if follower.token == coordinator.currentPersistentHistoryToken(fromStores: nil) { return }
      guard Date() < end else {
        return ledger.write("X followed up to \(followed.load(ordering: .relaxed)), not \(number)")
      }
      usleep(2_000)
    }
  }

  /// Reads the conductor's commands; exits if the conductor is gone.
  private func readCommands() {
    while let line = readLine() {
      let words = line.split(separator: " ")
      switch words.first {
      case "sound": isSound.store(true, ordering: .relaxed)
      case "quiet": isQuiet.store(true, ordering: .relaxed)
      case "finish":
        let numbers = words.dropFirst().compactMap { Int($0) }
        finishMerging(at: numbers[0], transaction: numbers[1], row: numbers[2])
        finishFollowing(at: numbers[1])
        exit(0)
      default: ledger.write("X unknown command: \(line)")
      }
    }
    _exit(3)
  }
}
