import CoreData
import Foundation
import Synchronization

/// A process of the soak: it commits, merges what all commit, and keeps account of both.
final class Worker: Sendable {
  private let folder: String
  private let life: Int
  private let pause: Int
  private let seed: UInt64
  private let ledger: Ledger
  private let container: NSPersistentContainer
  private let mirror: Mirror
  private let follower: HistoryFollower
  /// The number of the transaction that the follower had last.
  private let followed = Atomic<Int>(0)
  private let isQuiet = Atomic(false)

  /// - Parameters:
  ///   - life: the number of this process, which no other of the store ever had.
  ///   - slot: whose place in the history this process takes over from the one that was killed before it.
  ///   - pause: microseconds between two saves; 0 writes nothing.
  init(folder: String, life: Int, slot: Int, pause: Int, seed: UInt64) throws {
    self.folder = folder
    self.life = life
    self.pause = pause
    self.seed = seed
    ledger = try Ledger(creating: Ledger.path(of: life, in: folder))
    container = try SoakStore.open(in: folder)
    mirror = Mirror(container, ledger)
    guard let store = container.persistentStoreCoordinator.persistentStores.first else {
      throw CocoaError(.persistentStoreOpen)
    }
    follower = try HistoryFollower(of: store, name: "slot \(slot)")
  }

  /// Works until the conductor says `finish KEY`: then everything up to that commit is merged, and told.
  func run() throws -> Never {
    try mirror.start()
    Task.detached { [self] in await follow() }
    let orders = Thread { [self] in obey() }
    orders.start()
    var random = Seeded(seed &+ UInt64(life))
    if pause > 0 {
      try Writing(container, ledger, life).run(pause: pause, until: { isQuiet.load(ordering: .relaxed) }, &random)
    } else {
      try readLong(&random)
    }
    // The conductor looks for this file.
    close(open("\(Ledger.path(of: life, in: folder)).quiet", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    while true { sleep(60) }
  }

  /// Tells each transaction of the history. It is done with when the next one is asked for.
  private func follow() async {
    do {
      for try await transaction in follower.transactions {
        ledger.write("T \(transaction.transactionNumber) \(transaction.author ?? "nobody")")
        followed.store(Int(transaction.transactionNumber), ordering: .relaxed)
      }
    } catch {
      ledger.write("X cannot follow: \(error)")
    }
  }

  /// A process that writes nothing forgets what all have read of the history (invariant 5), and keeps old moments of the
  /// store for a while, and sees that they stay as they are.
  private func readLong(_ random: inout Seeded) throws {
    while !isQuiet.load(ordering: .relaxed) {
      usleep(UInt32.random(in: 100_000...1_000_000, using: &random))
      try HistoryFollower.purgeHistory(of: follower.store)
      guard Int.random(in: 0..<6, using: &random) == 0 else { continue }
      let context = container.newBackgroundContext()
      let hold = UInt32.random(in: 10_000...700_000, using: &random)
      try context.performAndWait {
        try context.setQueryGenerationFrom(.current)
        let items = NSFetchRequest<NSManagedObject>(entityName: "Item")
        let commits = NSFetchRequest<NSManagedObject>(entityName: "Commit")
        let before = try (context.count(for: items), context.count(for: commits))
        usleep(hold)
        let after = try (context.count(for: items), context.count(for: commits))
        if before != after { ledger.write("X a pinned moment changed from \(before) to \(after)") }
      }
    }
  }

  private func finishFollowing(at number: Int) {
    let end = Date(timeIntervalSinceNow: 120)
    let coordinator = container.persistentStoreCoordinator
    while followed.load(ordering: .relaxed) < number {
      // One that was told in a former life is not told again.
      if follower.token == coordinator.currentPersistentHistoryToken(fromStores: nil) { return }
      guard Date() < end else {
        return ledger.write("X followed up to \(followed.load(ordering: .relaxed)), not \(number)")
      }
      usleep(2_000)
    }
  }

  /// Reads the conductor's orders; a conductor that is gone ends the process.
  private func obey() {
    while let line = readLine() {
      let words = line.split(separator: " ")
      switch words.first {
      case "quiet": isQuiet.store(true, ordering: .relaxed)
      case "finish":
        let numbers = words.dropFirst().compactMap { Int($0) }
        mirror.finish(at: numbers[0])
        finishFollowing(at: numbers[1])
        exit(0)
      default: ledger.write("X an order that is none: \(line)")
      }
    }
    _exit(3)
  }
}
