import Foundation

/// Takes back what was done, and does it again.
///
/// An object that changes something registers how to undo it. While the manager undoes, what is registered says how to
/// redo. Actions come in groups; one `undo()` takes back one group of the outermost level.
///
/// With `groupsByEvent` a group opens by itself and takes in everything of one event. There is no run loop here that
/// could tell where an event ends, so it ends
/// - on the main queue: when the queue gets to its next piece of work;
/// - on the queue of a context: at the end of the block of `perform` or of the outermost `performAndWait`;
/// - everywhere: with `undo()`.
///
/// A manager is used on one queue: the one of the context that it belongs to, or the main queue. It does not keep the
/// targets of its actions alive. See https://developer.apple.com/documentation/foundation/undomanager
open class UndoManager: NSObject {
  var undoStack: [UndoGroup] = []
  var redoStack: [UndoGroup] = []
  /// The groups that are open, the outermost first.
  var openGroups: [UndoGroup] = []
  private var timesDisabled = 0
  var holdsEventGroup = false
  var isEventEndScheduled = false
  /// Whose changes this manager undoes: they register them before a group ends.
  var clients: [UndoClient] = []

  /// Whether actions are being undone.
  open internal(set) var isUndoing = false
  /// Whether actions are being done again.
  open internal(set) var isRedoing = false

  // MARK: Registering

  /// Remembers how to undo what is about to change. Without an open group, and if events make none, this stops the
  /// program.
  /// - Parameter handler: called with the target by `undo()`, if the target is still there.
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

  /// Ignores what is registered, until as many calls of `enableUndoRegistration()` have followed.
  open func disableUndoRegistration() { timesDisabled += 1 }

  /// Ends what one `disableUndoRegistration()` began.
  open func enableUndoRegistration() {
    guard timesDisabled > 0 else {
      fatalError("enableUndoRegistration may only be invoked with matching call to disableUndoRegistration")
    }
    timesDisabled -= 1
  }

  /// Whether actions are registered.
  open var isUndoRegistrationEnabled: Bool { timesDisabled == 0 }

  /// Forgets everything, and registers again if that was disabled.
  open func removeAllActions() {
    undoStack.removeAll()
    redoStack.removeAll()
    for group in openGroups { group.steps.removeAll() }
    timesDisabled = 0
  }

  /// Forgets the actions of a target.
  open func removeAllActions(withTarget target: Any) {
    let target = target as AnyObject
    for group in undoStack + redoStack + openGroups { group.removeActions(of: target) }
    undoStack.removeAll { $0.steps.isEmpty }
    redoStack.removeAll { $0.steps.isEmpty }
  }

  // MARK: Groups

  /// Whether a group opens by itself and ends with the event. Default: true.
  open var groupsByEvent: Bool {
    get { givenGroupsByEvent }
    set {
      givenGroupsByEvent = newValue
      if !newValue { endEvent() }
    }
  }
  private var givenGroupsByEvent = true

  /// How many groups can be undone; older ones are forgotten. 0, the default, is no limit.
  open var levelsOfUndo: Int {
    get { givenLevelsOfUndo }
    set {
      givenLevelsOfUndo = newValue
      forgetOldGroups()
    }
  }
  private var givenLevelsOfUndo = 0

  /// How many groups are open within each other.
  open var groupingLevel: Int { openGroups.count }

  /// Opens a group; with `groupsByEvent` it is one within the event's group.
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

  /// Whether there is anything to undo.
  open var canUndo: Bool {
    collectChanges()
    return !undoStack.isEmpty || openGroups.contains { !$0.steps.isEmpty }
  }

  /// Whether there is anything to redo.
  open var canRedo: Bool {
    checkpoint()
    return !redoStack.isEmpty
  }

  /// How many groups can be undone.
  open var undoCount: Int { undoStack.count }
  /// How many groups can be redone.
  open var redoCount: Int { redoStack.count }

  /// Closes the group if just one is open, and undoes the last group.
  open func undo() {
    collectChanges()
    if groupingLevel == 1 { endUndoGrouping() }
    guard groupingLevel == 0 else { fatalError("undo was called with too many nested undo groups") }
    undoNestedGroup()
  }

  /// Undoes the last group that is closed, also one within a group that is still open.
  open func undoNestedGroup() {
    guard !isUndoing, !isRedoing, let group = takeLastGroup() else { return }
    post(.NSUndoManagerWillUndoChange)
    isUndoing = true
    let reverse = reversing(group)
    isUndoing = false
    if let reverse { redoStack.append(reverse) }
    post(.NSUndoManagerDidUndoChange)
  }

  /// Does again what the last `undo()` took back.
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

  /// Names what was done, for the menu: the group that is open, or else the last one.
  open func setActionName(_ actionName: String) { groupToDescribe()?.name = actionName }

  /// What `undo()` would take back; empty if it has no name or if there is nothing to undo.
  open var undoActionName: String { nextUndo?.name ?? "" }

  /// What `redo()` would do again; empty if it has no name or if there is nothing to redo.
  open var redoActionName: String { redoStack.last?.name ?? "" }

  /// "Undo" with the name of the action.
  open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

  /// "Redo" with the name of the action.
  open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// The menu's title for a name; override it for another language.
  open func undoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Undo" : "Undo \(actionName)"
  }

  /// The menu's title for a name; override it for another language.
  open func redoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Redo" : "Redo \(actionName)"
  }

  /// Says that a program may forget the action without asking, like the scrolling of a view.
  open func setActionIsDiscardable(_ discardable: Bool) { groupToDescribe()?.isDiscardable = discardable }

  /// Whether the next group to undo may be forgotten.
  open var undoActionIsDiscardable: Bool { nextUndo?.isDiscardable ?? false }

  /// Whether the next group to redo may be forgotten.
  open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }

  /// A key of what a program notes about an action.
  public struct UserInfoKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// Notes something about the action; nil removes it.
  open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) { groupToDescribe()?.userInfo[key] = info }

  /// What was noted about the next group to undo.
  open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { nextUndo?.userInfo[key] }

  /// What was noted about the next group to redo.
  open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { redoStack.last?.userInfo[key] }

  @available(*, unavailable, message: "Groups end with events, and no run loop takes part in that: see UndoManager.")
  open var runLoopModes: [RunLoop.Mode] { fatalError() }
}
