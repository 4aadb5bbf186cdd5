import Foundation

/// Opening, closing and undoing groups.
extension UndoManager {
  func open(_ group: UndoGroup) {
    if !openGroups.isEmpty { post(.NSUndoManagerCheckpoint) }
    openGroups.append(group)
    post(.NSUndoManagerDidOpenUndoGroup)
  }

  func closeGroup() {
    guard let group = openGroups.last else { return }
    let info: [AnyHashable: Any]? = group.isDiscardable ? [NSUndoManagerGroupIsDiscardableKey: true as NSNumber] : nil
    post(.NSUndoManagerWillCloseUndoGroup, userInfo: info)
    openGroups.removeLast()
    if let outer = openGroups.last {
      if !group.steps.isEmpty { outer.steps.append(.group(group)) }
      if openGroups.count == 1 { scheduleEventEnd() }
    } else {
      holdsEventGroup = false
      if !group.steps.isEmpty, !isUndoing, !isRedoing { push(group) }
    }
    post(.NSUndoManagerDidCloseUndoGroup, userInfo: info)
  }

  func push(_ group: UndoGroup) {
    undoStack.append(group)
    forgetOldGroups()
  }

  func forgetOldGroups() {
    guard levelsOfUndo > 0, undoStack.count > levelsOfUndo else { return }
    undoStack.removeFirst(undoStack.count - levelsOfUndo)
  }

  /// Removes and returns the last closed group.
  func popLastGroup() -> UndoGroup? {
    guard let open = openGroups.last else { return undoStack.popLast() }
    guard let last = open.steps.last else { return nil }
    guard case .group(let group) = last else {
      fatalError("undoNestedGroup was called while actions are registered that no closed group holds")
    }
    open.steps.removeLast()
    return group
  }

  /// Performs a group, and returns the group that reverts it; nil if the actions registered nothing.
  func reversing(_ group: UndoGroup) -> UndoGroup? {
    let outer = (openGroups, holdsEventGroup)
    (openGroups, holdsEventGroup) = ([], false)
    let reverse = UndoGroup()
    (reverse.name, reverse.isDiscardable, reverse.userInfo) = (group.name, group.isDiscardable, group.userInfo)
    open(reverse)
    group.perform()
    while !openGroups.isEmpty { closeGroup() }
    (openGroups, holdsEventGroup) = outer
    return reverse.steps.isEmpty ? nil : reverse
  }

  /// The group that `undo()` would revert.
  var nextUndo: UndoGroup? { openGroups.first.flatMap { $0.steps.isEmpty ? nil : $0 } ?? undoStack.last }

  /// Returns the group that an action name applies to: menus name only outermost groups. Without an open group, it is
  /// the one that the event opens, or the last one.
  func groupToDescribe() -> UndoGroup? {
    collectChanges()
    if openGroups.isEmpty, groupsByEvent { openEventGroup() }
    return openGroups.first ?? undoStack.last
  }

  // MARK: Events

  func openEventGroup() {
    open(UndoGroup())
    holdsEventGroup = true
    scheduleEventEnd()
  }

  /// On the main queue, the event ends with the queue's next work item; contexts end it with their blocks.
  private func scheduleEventEnd() {
    guard holdsEventGroup, !isEventEndScheduled, MainQueue.isCurrent else { return }
    isEventEndScheduled = true
    // Both are used on the main queue.
    nonisolated(unsafe) let manager = WeakUndoManager(manager: self)
    DispatchQueue.main.async {
      manager.manager?.isEventEndScheduled = false
      manager.manager?.endEvent()
    }
  }

  /// Closes the group that the event opened, unless a nested group is still open.
  package func endEvent() {
    guard holdsEventGroup, openGroups.count == 1, !isUndoing, !isRedoing else { return }
    endUndoGrouping()
  }

  // MARK: Notices

  /// Makes all clients register their changes.
  func checkpoint() {
    post(.NSUndoManagerCheckpoint)
    collectChanges()
  }

  /// Makes clients register their changes, and removes those that are gone.
  func collectChanges() {
    let gone = clients.filter { !$0.registerChanges() }.map(\.id)
    if !gone.isEmpty { clients.removeAll { gone.contains($0.id) } }
  }

  func post(_ name: Notification.Name, userInfo info: [AnyHashable: Any]? = nil) {
    NotificationCenter.default.post(name: name, object: self, userInfo: info)
  }
}

private struct WeakUndoManager { weak var manager: UndoManager? }

/// Notification key: true if the undo group is discardable; otherwise absent.
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

extension NSNotification.Name {
  /// Posted when a group is opened inside another or closed, and when `canRedo` is read: register pending changes now.
  public static let NSUndoManagerCheckpoint = NSNotification.Name("NSUndoManagerCheckpointNotification")
  /// Posted before a group is undone.
  public static let NSUndoManagerWillUndoChange = NSNotification.Name("NSUndoManagerWillUndoChangeNotification")
  /// Posted before a group is redone.
  public static let NSUndoManagerWillRedoChange = NSNotification.Name("NSUndoManagerWillRedoChangeNotification")
  /// Posted after a group was undone.
  public static let NSUndoManagerDidUndoChange = NSNotification.Name("NSUndoManagerDidUndoChangeNotification")
  /// Posted after a group was redone.
  public static let NSUndoManagerDidRedoChange = NSNotification.Name("NSUndoManagerDidRedoChangeNotification")
  /// Posted after a group was opened.
  public static let NSUndoManagerDidOpenUndoGroup = NSNotification.Name("NSUndoManagerDidOpenUndoGroupNotification")
  /// Posted before a group is closed.
  public static let NSUndoManagerWillCloseUndoGroup = NSNotification.Name(
    "NSUndoManagerWillCloseUndoGroupNotification")
  /// Posted after a group was closed.
  public static let NSUndoManagerDidCloseUndoGroup = NSNotification.Name("NSUndoManagerDidCloseUndoGroupNotification")
}
