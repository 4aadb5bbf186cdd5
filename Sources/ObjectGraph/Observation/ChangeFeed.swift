import Foundation
import StrataRowStore
import Synchronization

/// The changes that one loop over a context's changes has not received yet.
final class ChangeFeed: Sendable {
  private struct State {
    var waiting: NSManagedObjectContext.Change?
    var isEnded = false
    var sleeper: CheckedContinuation<NSManagedObjectContext.Change?, Never>?
  }
  private let state = Mutex(State())

  /// Updates the pending changes, and wakes the loop if there are any.
  func add(_ change: @Sendable (inout NSManagedObjectContext.Change) -> Void) {
    let (sleeper, found) = state.withLock { state in
      var waiting = state.waiting ?? NSManagedObjectContext.Change()
      change(&waiting)
      guard !state.isEnded, waiting != NSManagedObjectContext.Change() else { return (nil, nil) as Waking }
      guard let sleeper = state.sleeper else {
        state.waiting = waiting
        return (nil, nil)
      }
      (state.sleeper, state.waiting) = (nil, nil)
      return (sleeper, waiting)
    }
    sleeper?.resume(returning: found)
  }

  private typealias Waking = (
    CheckedContinuation<NSManagedObjectContext.Change?, Never>?, NSManagedObjectContext.Change?
  )

  /// Ends the loop after the pending changes.
  func end() {
    let sleeper = state.withLock { state in
      state.isEnded = true
      defer { state.sleeper = nil }
      return state.sleeper
    }
    sleeper?.resume(returning: nil)
  }

  /// Returns the next changes; nil at the end, and in a canceled task.
  func next() async -> NSManagedObjectContext.Change? {
    await withTaskCancellationHandler {
      if Task.isCancelled { return nil }
      return await withCheckedContinuation { sleeper in
        let isOver = state.withLock { state in
          guard let waiting = state.waiting else {
            if !state.isEnded { state.sleeper = sleeper }
            return state.isEnded
          }
          state.waiting = nil
          sleeper.resume(returning: waiting)
          return false
        }
        if isOver { sleeper.resume(returning: nil) }
      }
    } onCancel: {
      end()
    }
  }
}

/// Observes a context for one loop, until the loop releases it.
final class ChangeListener: @unchecked Sendable {
  // Sendable: only `unsaved` changes after initialization, and only on the context's queue.
  let feed = ChangeFeed()
  private var observers: [any NSObjectProtocol] = []
  /// The temporary IDs that the loop has received or will receive, by object.
  private var unsaved: [ObjectIdentifier: NSManagedObjectID] = [:]

  init(to context: NSManagedObjectContext?) {
    guard let context else {
      feed.end()
      return
    }
    context.notifier.add(feed)
    observers = [
      observe(.NSManagedObjectContextObjectsDidChange, of: context) { $0.apply($1) },
      observe(.NSManagedObjectContextDidSave, of: context) { $0.applySave($1) },
    ]
  }

  deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

  private func observe(
    _ name: Notification.Name, of context: NSManagedObjectContext,
    apply: @escaping @Sendable (ChangeListener, Notification) -> Void
  ) -> any NSObjectProtocol {
    NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] notice in
      if let self { apply(self, notice) }
    }
  }

  private func apply(_ notice: Notification) {
    let change = NSManagedObjectContext.Change(notice)
    for object in notice.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? [] {
      if object.objectID.isTemporaryID { unsaved[ObjectIdentifier(object)] = object.objectID }
    }
    for object in notice.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> ?? [] {
      unsaved[ObjectIdentifier(object)] = nil
    }
    if change.invalidatesAll { unsaved = [:] }
    feed.add { $0.append(change) }
  }

  /// Reports the permanent IDs of new objects.
  private func applySave(_ notice: Notification) {
    for object in notice.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? [] {
      guard let old = unsaved[ObjectIdentifier(object)], !object.objectID.isTemporaryID else { continue }
      unsaved[ObjectIdentifier(object)] = nil
      let new = object.objectID
      feed.add { $0.rename(old, to: new) }
    }
  }
}

/// The loops over the changes of a context; they end with it.
final class ChangeFeeds: Sendable {
  private let feeds = WeakList<ChangeFeed>()

  func add(_ feed: ChangeFeed) { feeds.insert(feed) }

  deinit { for feed in feeds.objects { feed.end() } }
}
