import CoreData
import Foundation

/// Something that a commit to the Catalog told: of an earthquake, or of a feed.
public struct StoreEvent: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case new, revised, silent, renamed, retracted, returned, merged, joined, separated
    case fetchError = "fetch-error"
    case fetchOK = "fetch-ok"
  }

  public var kind: Kind
  /// The earthquake's id, or the feed's name.
  public var name: String
  public var text: String

  /// `new us7000abcd 6.1 Tonga`.
  public var line: OutputText { "\(kind.rawValue) \(name) \(text)" }
}

extension StoreEvent {
  /// What a transaction told, earthquakes first. Its objects are read as they are now.
  ///
  /// Resets the context, which should be the caller's own.
  ///
  /// - Throws: what `fetch` throws.
  public static func events(
    of transaction: NSPersistentHistoryTransaction, in context: NSManagedObjectContext
  ) throws -> [StoreEvent] {
    let changes = transaction.changes ?? []
    var events: [StoreEvent] = []
    try Quake.forEach(quakes(changes, in: context), sortedBy: nil, in: context) { quake in
      events += Self.events(of: quake, at: transaction.timestamp)
      return true
    }
    for id in feeds(changes) {
      if let feed = try? context.existingObject(with: id) as? Feed { events.append(StoreEvent(feed)) }
    }
    return events
  }

  /// The earthquakes of which something was learnt, in the order of the changes.
  private static func quakes(
    _ changes: [NSPersistentHistoryChange], in context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID] {
    var (found, known): ([NSManagedObjectID], Set<NSManagedObjectID>) = ([], [])
    func add(_ id: NSManagedObjectID?) { if let id, known.insert(id).inserted { found.append(id) } }
    for change in changes {
      switch (change.changedObjectID.entity.name, change.changeType) {
      case ("Quake", .insert): add(change.changedObjectID)
      case ("Quake", .update) where change.updates(["learnt"]): add(change.changedObjectID)
      // A state of the past.
      case ("Revision", .insert):
        add((try? context.existingObject(with: change.changedObjectID) as? Revision)?.quake?.objectID)
      default: break
      }
    }
    context.reset()
    return found
  }

  /// The changes that were learnt last before a commit.
  private static func events(of quake: Quake, at time: Date) -> [StoreEvent] {
    let changes = QuakeChange.changes(in: quake.history)
    let past = changes.filter { $0.learnt <= time }
    let known = past.isEmpty ? changes : past
    let last = known.map(\.learnt).max()
    return known.filter { $0.learnt == last }.map(StoreEvent.init)
  }

  private init(_ change: QuakeChange) {
    let facts = change.after.facts
    // The first that is known of another agency's report is that it is one.
    let isReport = change.before == nil && change.after.standing == .joined
    kind = isReport ? .joined : Kind(change.kind)
    name = change.identifier
    text = "\(facts.magnitudeText) \(change.before == nil ? facts.placeText : change.text())"
  }

  private static func feeds(_ changes: [NSPersistentHistoryChange]) -> [NSManagedObjectID] {
    changes.filter { change in
      change.changedObjectID.entity.name == "Feed"
        && (change.changeType == .insert || change.updates(["lastStatus", "lastSucceeded", "failingSince"]))
    }
    .map(\.changedObjectID)
  }

  private init(_ feed: Feed) {
    kind = feed.failingSince == nil ? .fetchOK : .fetchError
    name = feed.name ?? "?"
    text = kind == .fetchError ? feed.lastStatus ?? "?" : "\(feed.newCount) new, \(feed.changedCount) changed"
  }
}

extension StoreEvent.Kind {
  init(_ kind: QuakeChange.Kind) {
    self =
      switch kind {
      case .new: .new
      case .revised: .revised
      case .silent: .silent
      case .renamed: .renamed
      case .retracted: .retracted
      case .returned: .returned
      case .merged: .merged
      case .joined: .joined
      case .separated: .separated
      }
  }
}

extension NSPersistentHistoryChange {
  /// Whether it is an update of one of these properties.
  fileprivate func updates(_ names: Set<String>) -> Bool {
    changeType == .update && (updatedProperties ?? []).contains { names.contains($0.name) }
  }
}
