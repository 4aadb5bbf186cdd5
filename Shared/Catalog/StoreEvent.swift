import CoreData
import Foundation

/// An event of a commit to the Catalog, about an earthquake or a feed.
public struct StoreEvent: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case new, revised, silent, renamed, retracted, returned, merged, joined, separated
    case fetchError = "fetch-error"
    case fetchOK = "fetch-ok"
  }

  public var kind: Kind
  /// The earthquake's ID, or the feed's name.
  public var name: String
  public var text: String

  /// `new us7000abcd 6.1 Tonga`.
  public var line: OutputText { "\(kind.rawValue) \(name) \(text)" }
}

extension StoreEvent {
  /// The events of a transaction, earthquakes first. Feeds are read in their current state.
  ///
  /// Resets the context, which should be the caller's own.
  ///
  /// - Throws: what `fetch` throws.
  public static func events(
    of transaction: NSPersistentHistoryTransaction, in context: NSManagedObjectContext
  ) throws -> [StoreEvent] {
    let changes = transaction.changes ?? []
    var events: [StoreEvent] = []
    let learnt = try Learnt(changes, in: context)
    try Quake.forEach(learnt.order, sortedBy: nil, in: context) { quake in
      if let news = learnt.quakes[quake.objectID] { events += news.changes(of: quake).map(StoreEvent.init) }
      return true
    }
    for id in feeds(changes) {
      if let feed = try? context.existingObject(with: id) as? Feed { events.append(StoreEvent(feed)) }
    }
    return events
  }

  /// The states that a transaction added to earthquakes. Times cannot identify them, because clocks may be set back.
  private struct Learnt {
    struct News {
      var isNew = false
      /// Whether the current state was replaced; otherwise one of the past was added.
      var isCurrent = false
      /// The revisions that were added: each is the state before a change.
      var revisions: Set<NSManagedObjectID> = []

      func changes(of quake: Quake) -> [QuakeChange] {
        let all = QuakeChange.changes(in: quake.history)
        var indices = Set(isNew ? [0] : [])
        for (index, revision) in quake.orderedRevisions.enumerated() where revisions.contains(revision.objectID) {
          indices.insert(isNew || isCurrent ? index + 1 : index)
        }
        return indices.sorted().filter(all.indices.contains).map { all[$0] }
      }
    }

    private(set) var quakes: [NSManagedObjectID: News] = [:]
    /// In the order of the changes.
    private(set) var order: [NSManagedObjectID] = []

    init(_ changes: [NSPersistentHistoryChange], in context: NSManagedObjectContext) throws {
      for change in changes where change.changedObjectID.entity.name == "Quake" {
        if change.changeType == .insert { note(change.changedObjectID) { $0.isNew = true } }
        if change.updates(["learnt"]) { note(change.changedObjectID) { $0.isCurrent = true } }
      }
      let added = changes.filter { $0.changeType == .insert && $0.changedObjectID.entity.name == "Revision" }
      guard !added.isEmpty else { return }
      let request = NSFetchRequest<Revision>(entityName: "Revision")
      request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [added.map(\.changedObjectID)])
      for revision in try context.fetch(request) {
        if let quake = revision.quake { note(quake.objectID) { $0.revisions.insert(revision.objectID) } }
      }
      context.reset()
    }

    private mutating func note(_ id: NSManagedObjectID, _ change: (inout News) -> Void) {
      if quakes[id] == nil { order.append(id) }
      change(&quakes[id, default: News()])
    }
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
