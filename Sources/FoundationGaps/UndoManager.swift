import Foundation

/// Records how to undo changes, and redoes them.
///
/// ```swift
/// func rename(
///   _ person: Person, to name: String, with undoManager: UndoManager
/// ) {
///   let oldName = person.name
///   undoManager.registerUndo(withTarget: person) { person in
///     rename(person, to: oldName, with: undoManager)
///   }
///   undoManager.setActionName("Rename")
///   person.name = name
/// }
///
/// let undoManager = UndoManager()
/// rename(person, to: "Ada", with: undoManager)
/// undoManager.undo()
/// ```
///
/// An object that changes something registers how to undo it. What is registered during an undo is how to redo it.
/// Actions come in groups, and one `undo()` undoes one top-level group.
///
/// With `groupsByEvent`, a group opens automatically and contains everything of one event. Without a run loop to mark
/// where an event ends, it ends
/// - on the main queue: when the queue begins its next piece of work;
/// - on a context's queue: at the end of the `perform` block or the outermost `performAndWait`;
/// - everywhere: with `undo()`.
///
/// Use an undo manager on one queue: that of its context, or the main queue. It does not keep the targets of its
/// actions alive.
///
/// See <https://developer.apple.com/documentation/foundation/undomanager>
open class UndoManager: NSObject {
  var undoStack: [UndoGroup] = []
  var redoStack: [UndoGroup] = []
  /// The open groups, outermost first.
  var openGroups: [UndoGroup] = []
  private var timesDisabled = 0
  var holdsEventGroup = false
  var isEventEndScheduled = false
  /// The clients whose changes this manager undoes: they register them before a group ends.
  var clients: [UndoClient] = []

  /// Whether actions are being undone.
  open internal(set) var isUndoing = false
  /// Whether actions are being redone.
  open internal(set) var isRedoing = false

  // MARK: Registering

  /// Registers how to undo a change. Without an open group, and without `groupsByEvent`, this stops the program.
  /// - Parameters:
  ///   - target: the object that the change concerns.
  ///   - handler: called with the target by `undo()`, if the target still exists.
  open func registerUndo<TargetType: AnyObject>(
    withTarget target: TargetType, handler: @escaping (TargetType) -> Void
  ) {
    guard isUndoRegistrationEnabled else { return }
    if openGroups.isEmpty {
      guard groupsByEvent else {
        fatalError("registerUndo(withTarget:handler:): must begin a group before registering undo")
      }
      openEventGroup()
    }
    if !isUndoing, !isRedoing { redoStack.removeAll() }
    // The action is called with the target that it was registered for.
    let action = UndoAction(target: target) { handler(unsafeDowncast($0, to: TargetType.self)) }
    openGroups.last?.steps.append(.action(action))
  }

  @available(*, unavailable, message: "Invocations belong to Objective-C: use registerUndo(withTarget:handler:).")
  open func prepare(withInvocationTarget target: Any) -> Any { fatalError() }

  /// Stops registering actions until `enableUndoRegistration()` has been called as many times.
  open func disableUndoRegistration() { timesDisabled += 1 }

  /// Ends the effect of one `disableUndoRegistration()`.
  open func enableUndoRegistration() {
    guard timesDisabled > 0 else {
      fatalError("enableUndoRegistration may only be invoked with matching call to disableUndoRegistration")
    }
    timesDisabled -= 1
  }

  /// Whether actions are registered.
  open var isUndoRegistrationEnabled: Bool { timesDisabled == 0 }

  /// Removes all actions, and enables registration if it was disabled.
  open func removeAllActions() {
    undoStack.removeAll()
    redoStack.removeAll()
    for group in openGroups { group.steps.removeAll() }
    timesDisabled = 0
  }

  /// Removes the actions of a target.
  open func removeAllActions(withTarget target: Any) {
    let target = target as AnyObject
    for group in undoStack + redoStack + openGroups { group.removeActions(of: target) }
    undoStack.removeAll { $0.steps.isEmpty }
    redoStack.removeAll { $0.steps.isEmpty }
  }

  // MARK: Groups

  /// Whether a group opens automatically and ends with the event. Default: true.
  open var groupsByEvent: Bool {
    get { givenGroupsByEvent }
    set {
      givenGroupsByEvent = newValue
      if !newValue { endEvent() }
    }
  }
  private var givenGroupsByEvent = true

  /// The maximum number of groups that can be undone; older ones are discarded. Default: 0, which means no limit.
  open var levelsOfUndo: Int {
    get { givenLevelsOfUndo }
    set {
      givenLevelsOfUndo = newValue
      forgetOldGroups()
    }
  }
  private var givenLevelsOfUndo = 0

  /// The number of nested open groups.
  open var groupingLevel: Int { openGroups.count }

  /// Opens a group. With `groupsByEvent`, it is nested in the event's group.
  open func beginUndoGrouping() {
    collectChanges()
    if openGroups.isEmpty, groupsByEvent { openEventGroup() }
    open(UndoGroup())
  }

  /// Closes the innermost group. A group without actions leaves nothing to undo.
  open func endUndoGrouping() {
    guard !openGroups.isEmpty else { fatalError("endUndoGrouping called with no matching begin") }
    checkpoint()
    closeGroup()
  }

  // MARK: Undoing

  /// Whether there is something to undo.
  open var canUndo: Bool {
    collectChanges()
    return !undoStack.isEmpty || openGroups.contains { !$0.steps.isEmpty }
  }

  /// Whether there is something to redo.
  open var canRedo: Bool {
    checkpoint()
    return !redoStack.isEmpty
  }

  /// The number of groups that can be undone.
  open var undoCount: Int { undoStack.count }
  /// The number of groups that can be redone.
  open var redoCount: Int { redoStack.count }

  /// Closes the open group if there is exactly one, and undoes the last group.
  open func undo() {
    collectChanges()
    if groupingLevel == 1 { endUndoGrouping() }
    guard groupingLevel == 0 else { fatalError("undo was called with too many nested undo groups") }
    undoNestedGroup()
  }

  /// Undoes the last closed group, even inside an open one.
  open func undoNestedGroup() {
    guard !isUndoing, !isRedoing, let group = popLastGroup() else { return }
    post(.NSUndoManagerWillUndoChange)
    isUndoing = true
    let reverse = reversing(group)
    isUndoing = false
    if let reverse { redoStack.append(reverse) }
    post(.NSUndoManagerDidUndoChange)
  }

  /// Redoes the group that the last `undo()` undid.
  open func redo() {
    checkpoint()
    guard !isUndoing, !isRedoing, let group = redoStack.popLast() else { return }
    post(.NSUndoManagerWillRedoChange)
    isRedoing = true
    let reverse = reversing(group)
    isRedoing = false
    if let reverse { push(reverse) }
    post(.NSUndoManagerDidRedoChange)
  }

  // MARK: What menus say

  /// Names the open group, or else the last one, for a menu.
  open func setActionName(_ actionName: String) { groupToDescribe()?.name = actionName }

  /// The name of the action that `undo()` would undo; empty if the action has no name.
  open var undoActionName: String { nextUndo?.name ?? "" }

  /// The name of the action that `redo()` would redo; empty if the action has no name.
  open var redoActionName: String { redoStack.last?.name ?? "" }

  /// "Undo" followed by the name of the action.
  open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

  /// "Redo" followed by the name of the action.
  open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// Returns the title of the Undo menu item for an action name. Override it to localize the title.
  open func undoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Undo" : "Undo \(actionName)"
  }

  /// Returns the title of the Redo menu item for an action name. Override it to localize the title.
  open func redoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Redo" : "Redo \(actionName)"
  }

  /// Sets whether the program may discard the action without asking, such as scrolling a view.
  open func setActionIsDiscardable(_ discardable: Bool) { groupToDescribe()?.isDiscardable = discardable }

  /// Whether the next group to undo is discardable.
  open var undoActionIsDiscardable: Bool { nextUndo?.isDiscardable ?? false }

  /// Whether the next group to redo is discardable.
  open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }

  /// A key for information about an action.
  public struct UserInfoKey: RawRepresentable, Hashable, Sendable {
    /// The name of the key.
    public let rawValue: String
    /// Creates a key with a name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// Sets information about the action; nil removes it.
  open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) { groupToDescribe()?.userInfo[key] = info }

  /// Returns information about the next group to undo.
  open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { nextUndo?.userInfo[key] }

  /// Returns information about the next group to redo.
  open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { redoStack.last?.userInfo[key] }

  @available(*, unavailable, message: "Groups end with events, and no run loop takes part in that: see UndoManager.")
  open var runLoopModes: [RunLoop.Mode] { fatalError() }
}
