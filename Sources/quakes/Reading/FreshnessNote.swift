import CoreData
import Foundation
import StrataQuakes

/// What people must know who take a list for what happens now: a feed that fails, or news that stopped.
struct FreshnessNote {
  /// Timers fetch every minute, careful ones every quarter of an hour; a store that a person fills is as old as it is.
  private static let longestSilence: TimeInterval = 3600

  /// Says it on standard error. A broken fetch log breaks no answer.
  static func tell(of location: StoreLocation, at now: Date, in context: NSManagedObjectContext) {
    let note = try? context.performAndWait { try text(of: location, at: now, in: context) }
    if let note { StandardStream.error.line("quakes: \(note)") }
  }

  /// - Returns: nil if there is nothing to say.
  /// - Throws: what `fetch` throws.
  static func text(of location: StoreLocation, at now: Date, in context: NSManagedObjectContext) throws -> String? {
    let feeds = try context.fetch(Feed.all())
    let failing = feeds.filter { $0.failingSince != nil }
    if let first = failing.first {
      let others = failing.count == 1 ? "" : " (and \(failing.count - 1) more; see \"quakes workers status\")"
      return first.stateText(at: now) + others
    }
    guard let latest = feeds.compactMap(\.lastSucceeded).max(), now.timeIntervalSince(latest) > longestSilence else {
      return nil
    }
    let age = "the last news came \(Age.text(of: latest, at: now))"
    // A file that cannot be asked is told by the commands about workers.
    let process = try? WorkerFile(for: location).runningProcess()
    guard let process else { return "\(age), and no worker is running; start it with \"quakes workers start\"" }
    return "\(age), although the worker is running (process \(process)); see \"quakes workers status\""
  }
}
