import CoreData
import Foundation
import StrataQuakes

/// A warning that a list may be out of date: because the worker died, a feed fails, or fetches stopped.
struct FreshnessNote {
  /// Timers fetch every minute, careful ones every quarter of an hour; a store that a person fills is as old as it is.
  private static let maximumSilence: TimeInterval = 3600

  /// Says it on standard error. A broken fetch log breaks no answer.
  static func report(on location: StoreLocation, at now: Date, in context: NSManagedObjectContext) {
    let note = try? context.performAndWait { try text(of: location, at: now, in: context) }
    if let note { StandardStream.error.line("quakes: \(note)") }
  }

  /// - Returns: nil if the list is up to date.
  /// - Throws: what `fetch` throws.
  static func text(of location: StoreLocation, at now: Date, in context: NSManagedObjectContext) throws -> String? {
    let file = WorkerFile(for: location)
    // Errors of the worker's file are reported by the worker commands.
    if let process = try? file.deadProcess() { return death(of: process) }
    let feeds = try context.fetch(Feed.all())
    if let note = failures(feeds.filter { $0.failingSince != nil }, at: now) { return note }
    guard let latest = feeds.compactMap(\.lastSucceeded).max(), now.timeIntervalSince(latest) > maximumSilence else {
      return nil
    }
    let age = "the last fetch was \(Age.text(of: latest, at: now))"
    guard let process = try? file.runningProcess() else {
      return "\(age), and no worker is running; start it with \"quakes workers start\""
    }
    return "\(age), although the worker is running (process \(process)); see \"quakes workers status\""
  }

  static func death(of process: pid_t) -> String {
    "the worker died (process \(process)); start it again with \"quakes workers start\""
  }

  /// One line for any number of failing feeds.
  private static func failures(_ feeds: [Feed], at now: Date) -> String? {
    guard let first = feeds.first else { return nil }
    guard feeds.count > 1 else { return first.stateText(at: now) }
    let advice = "see \"quakes workers status\""
    guard let since = feeds.compactMap(\.failingSince).min(), feeds.allSatisfy({ $0.failure == first.failure }) else {
      return "\(first.stateText(at: now)) (and \(feeds.count - 1) more; \(advice))"
    }
    return "\(feeds.count) feeds: failing since \(DisplayStyle().time(since)): \(first.failure) (\(advice))"
  }
}
