import Foundation
import StrataRowStore
import Synchronization

/// Posts a context's notifications, and keeps its observers: of properties, fetched results controllers, and loops over its
/// changes.
///
/// Observers may use the context, and have it post again, while a function here posts.
final class ContextNotifier {
  /// The changes being posted; nil outside of `NSManagedObjectContextObjectsDidChange`.
  private(set) var reported: ReportedChanges?
  /// Whether a merge has made changes that the next notification reports.
  var isMergeUnreported = false
  private var userInfos = NotificationUserInfoCache()
  /// Changes of observed properties during a bulk change, whose observers are notified at its end; nil outside of one.
  private var heldNotices: [ChangeNotice]?
  private var observers: [WeakContextObserver] = []
  /// The loops over the context's changes; nil before the first. Any thread may add one.
  private let feeds = Mutex<ChangeFeeds?>(nil)

  // MARK: Notifications

  /// Posts the changes of an event.
  func postObjectsDidChange(_ changes: ReportedChanges, of context: NSManagedObjectContext) {
    let outer = reported
    reported = changes
    var keys = changes.keys
    keys.insert(.merged, if: isMergeUnreported)
    isMergeUnreported = false
    if !changes.keys.isEmpty {
      post(.NSManagedObjectContextObjectsDidChange, keys, of: context) { key in
        key == .merged ? Set<NSManagedObject>() : changes[key]
      }
    }
    reported = outer
  }

  func postWillSave(of context: NSManagedObjectContext) {
    NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: context)
  }

  /// Posts what a save wrote, if only that it had nothing to write.
  /// - Parameter changeToken: the position of the save in the histories of its stores.
  func postDidSave(_ changes: ReportedChanges, changeToken: AnyObject?, of context: NSManagedObjectContext) {
    var keys = changes.keys
    let token = context.queryGenerationToken
    keys.insert(.context)
    keys.insert(.generation, if: token != nil)
    keys.insert(.changeToken, if: changeToken != nil)
    post(.NSManagedObjectContextDidSave, keys, of: context) { key in
      switch key {
      case .context: context
      case .generation: token.map { $0 as Any } ?? context
      case .changeToken: changeToken ?? context
      default: changes[key]
      }
    }
  }

  /// Posts the IDs of saved or merged objects; without any, nothing.
  func postIDs(
    _ name: Notification.Name, _ changes: ObjectIDChanges, refreshed: [RowID] = [], of context: NSManagedObjectContext
  ) {
    let (inserted, updated) = (context.publicIDs(changes.inserted), context.publicIDs(changes.updated))
    let (deleted, refreshed) = (context.publicIDs(changes.deleted), context.publicIDs(refreshed))
    var keys = ChangeKeys()
    keys.insert(.insertedIDs, if: !inserted.isEmpty)
    keys.insert(.updatedIDs, if: !updated.isEmpty)
    keys.insert(.deletedIDs, if: !deleted.isEmpty)
    keys.insert(.refreshedIDs, if: !refreshed.isEmpty)
    guard !keys.isEmpty else { return }
    keys.insert(.context)
    let token = context.queryGenerationToken
    keys.insert(.generation, if: token != nil)
    post(name, keys, of: context) { key in
      switch key {
      case .insertedIDs: inserted
      case .updatedIDs: updated
      case .deletedIDs: deleted
      case .refreshedIDs: refreshed
      case .generation: token.map { $0 as Any } ?? context
      case .inserted, .updated, .deleted, .refreshed, .merged, .context, .changeToken: context
      }
    }
  }

  @inline(__always)
  private func post(
    _ name: Notification.Name, _ keys: ChangeKeys, of context: NSManagedObjectContext, value: (ChangeKey) -> Any
  ) {
    NotificationCenter.default.post(name: name, object: context, userInfo: userInfos.userInfo(keys, value))
    userInfos.recycle(keys)
  }

  // MARK: Observers of properties

  /// Whether a bulk change is in progress, at whose end observers of properties are notified.
  var isHolding: Bool { heldNotices != nil }

  /// Leaves a change to the end of the bulk change.
  /// - Returns: whether there is one.
  func hold(_ notice: ChangeNotice) -> Bool { heldNotices?.append(notice) != nil }

  /// Changes many objects, and notifies their observers at the end: only then are all values consistent.
  func notifyingAtEnd<Result>(_ changes: () throws -> Result) rethrows -> Result {
    guard ObjectObservers.isUsed, heldNotices == nil else { return try changes() }
    heldNotices = []
    defer {
      let held = heldNotices ?? []
      heldNotices = nil
      for notice in held { notice.notifyDidChange() }
    }
    return try changes()
  }

  // MARK: Observers

  func add(_ observer: any ContextObserver) { observers.append(WeakContextObserver(observer: observer)) }

  func remove(_ observer: any ContextObserver) { observers.removeAll { $0.observer === observer } }

  /// The fetched results controllers, or what else shows objects of the context.
  var livingObservers: [any ContextObserver] {
    observers.removeAll { $0.observer == nil }
    return observers.compactMap(\.observer)
  }

  /// The entities whose rows the observers show.
  var observedEntities: Set<Int> {
    livingObservers.reduce(into: []) { $0.formUnion($1.observedEntities) }
  }

  func add(_ feed: ChangeFeed) {
    feeds.withLock { feeds in
      let known = feeds ?? ChangeFeeds()
      known.add(feed)
      feeds = known
    }
  }
}
