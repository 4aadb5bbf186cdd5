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
  private let isQuiet = Atomic(false)

  /// - Parameters:
  ///   - life: the number of this process, which no other of the store ever had.
  ///   - pause: microseconds between two saves; 0 writes nothing.
  init(folder: String, life: Int, pause: Int, seed: UInt64) throws {
    self.folder = folder
    self.life = life
    self.pause = pause
    self.seed = seed
    ledger = try Ledger(creating: Ledger.path(of: life, in: folder))
    container = try SoakStore.open(in: folder)
    mirror = Mirror(container, ledger)
  }

  /// Works until the conductor says `finish KEY`: then everything up to that commit is merged, and told.
  func run() throws -> Never {
    try mirror.start()
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

  /// A process that writes nothing keeps old moments of the store for a while, and sees that they stay as they are.
  private func readLong(_ random: inout Seeded) throws {
    while !isQuiet.load(ordering: .relaxed) {
      usleep(UInt32.random(in: 100_000...1_000_000, using: &random))
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

  /// Reads the conductor's orders; a conductor that is gone ends the process.
  private func obey() {
    while let line = readLine() {
      let words = line.split(separator: " ")
      switch words.first {
      case "quiet": isQuiet.store(true, ordering: .relaxed)
      case "finish":
        mirror.finish(at: Int(words.last ?? "") ?? 0)
        exit(0)
      default: ledger.write("X an order that is none: \(line)")
      }
    }
    _exit(3)
  }
}
