import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// A number that registers undo actions for its changes.
private final class Counter {
  var value = 0
  let manager: UndoManager
  init(_ manager: UndoManager) { self.manager = manager }

  func set(_ new: Int) {
    let old = value
    manager.registerUndo(withTarget: self) { $0.set(old) }
    value = new
  }
}

@MainActor @Suite struct UndoManagerTests {
  private func explicit() -> (UndoManager, Counter) {
    let manager = UndoManager()
    manager.groupsByEvent = false
    return (manager, Counter(manager))
  }

  private func group(_ manager: UndoManager, _ body: () -> Void) {
    manager.beginUndoGrouping()
    body()
    manager.endUndoGrouping()
  }

  @Test func `a group is undone and redone as a whole`() {
    let (manager, counter) = explicit()
    group(manager) {
      counter.set(1)
      counter.set(2)
    }
    group(manager) { counter.set(3) }
    #expect(manager.canUndo && !manager.canRedo && manager.undoCount == 2)
    manager.undo()
    #expect(counter.value == 2)
    manager.undo()
    #expect(counter.value == 0 && !manager.canUndo && manager.redoCount == 2)
    manager.redo()
    #expect(counter.value == 2)
    manager.redo()
    #expect(counter.value == 3 && !manager.canRedo)
    manager.undo()
    #expect(counter.value == 2)
  }

  @Test func `a new change clears the redo stack`() {
    let (manager, counter) = explicit()
    group(manager) { counter.set(1) }
    manager.undo()
    group(manager) { counter.set(5) }
    #expect(!manager.canRedo)
    manager.redo()
    #expect(counter.value == 5)
  }

  @Test func `nested groups are undone together`() {
    let (manager, counter) = explicit()
    group(manager) {
      counter.set(1)
      group(manager) { counter.set(2) }
      #expect(manager.groupingLevel == 1)
      counter.set(3)
    }
    #expect(manager.groupingLevel == 0)
    manager.undo()
    #expect(counter.value == 0)
  }

  @Test func `undoNestedGroup undoes only the nested group`() {
    let (manager, counter) = explicit()
    manager.beginUndoGrouping()
    counter.set(1)
    group(manager) { counter.set(2) }
    manager.undoNestedGroup()
    #expect(counter.value == 1 && manager.groupingLevel == 1)
    manager.endUndoGrouping()
    manager.redo()
    #expect(counter.value == 2)
  }

  @Test func `undo closes the open group`() {
    let (manager, counter) = explicit()
    manager.beginUndoGrouping()
    counter.set(1)
    manager.undo()
    #expect(counter.value == 0 && manager.groupingLevel == 0)
  }

  @Test func `an empty group leaves nothing to undo`() {
    let (manager, _) = explicit()
    group(manager) {}
    #expect(!manager.canUndo)
  }

  @Test func `undo groups beyond the level limit are discarded`() {
    let (manager, counter) = explicit()
    for value in 1...5 { group(manager) { counter.set(value) } }
    manager.levelsOfUndo = 3
    #expect(manager.undoCount == 3)
    group(manager) { counter.set(6) }
    while manager.canUndo { manager.undo() }
    #expect(counter.value == 3)
  }

  @Test func `disabled registration records nothing`() {
    let (manager, counter) = explicit()
    manager.disableUndoRegistration()
    manager.disableUndoRegistration()
    manager.enableUndoRegistration()
    #expect(!manager.isUndoRegistrationEnabled)
    group(manager) { counter.set(1) }
    #expect(!manager.canUndo)
    manager.enableUndoRegistration()
    group(manager) { counter.set(2) }
    manager.undo()
    #expect(counter.value == 1)
  }

  @Test func `actions can be removed by target`() {
    let (manager, counter) = explicit()
    let other = Counter(manager)
    group(manager) {
      counter.set(1)
      other.set(1)
    }
    group(manager) { other.set(2) }
    manager.removeAllActions(withTarget: other)
    #expect(manager.undoCount == 1)
    manager.undo()
    #expect(counter.value == 0 && other.value == 2)
    manager.removeAllActions()
    #expect(!manager.canUndo && !manager.canRedo)
  }

  @Test func `an undo manager does not retain its targets`() {
    let (manager, counter) = explicit()
    weak var gone: Counter?
    group(manager) {
      counter.set(1)
      let other = Counter(manager)
      gone = other
      other.set(1)
    }
    #expect(gone == nil)
    manager.undo()
    #expect(counter.value == 0)
  }

  @Test func `action names follow their group through undo and redo`() {
    let (manager, counter) = explicit()
    #expect(manager.undoActionName == "" && manager.undoMenuItemTitle == "Undo" && manager.redoMenuItemTitle == "Redo")
    group(manager) {
      group(manager) {
        counter.set(1)
        manager.setActionName("Count")
      }
    }
    #expect(manager.undoActionName == "Count" && manager.undoMenuItemTitle == "Undo Count")
    manager.undo()
    #expect(manager.undoActionName == "" && manager.redoActionName == "Count")
    #expect(manager.redoMenuItemTitle == "Redo Count")
    manager.redo()
    #expect(manager.undoActionName == "Count")
  }

  @Test func `discardable flags and user info follow their group through undo`() {
    let (manager, counter) = explicit()
    let key = UndoManager.UserInfoKey(rawValue: "place")
    group(manager) {
      counter.set(1)
      manager.setActionIsDiscardable(true)
      manager.setActionUserInfoValue(7, forKey: key)
    }
    #expect(manager.undoActionIsDiscardable && manager.undoActionUserInfoValue(forKey: key) as? Int == 7)
    manager.undo()
    #expect(!manager.undoActionIsDiscardable && manager.redoActionIsDiscardable)
    #expect(manager.redoActionUserInfoValue(forKey: key) as? Int == 7)
  }

  @Test func `notifications are posted in order`() {
    let (manager, counter) = explicit()
    let names: [NSNotification.Name] = [
      .NSUndoManagerCheckpoint, .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerWillCloseUndoGroup,
      .NSUndoManagerDidCloseUndoGroup, .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange,
      .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange,
    ]
    nonisolated(unsafe) var seen: [NSNotification.Name] = []
    let observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) { seen.append($0.name) }
    }
    defer { observers.forEach(NotificationCenter.default.removeObserver) }
    func take() -> [NSNotification.Name] {
      defer { seen = [] }
      return seen
    }
    group(manager) { counter.set(1) }
    #expect(
      take() == [
        .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerCheckpoint, .NSUndoManagerWillCloseUndoGroup,
        .NSUndoManagerDidCloseUndoGroup,
      ])
    manager.undo()
    let undone = take()
    #expect(undone.first == .NSUndoManagerWillUndoChange && undone.last == .NSUndoManagerDidUndoChange)
    #expect(manager.canRedo)
    #expect(take() == [.NSUndoManagerCheckpoint])
    manager.redo()
    let redone = take()
    #expect(redone.contains(.NSUndoManagerWillRedoChange) && redone.last == .NSUndoManagerDidRedoChange)
  }

  @Test func `changes in one turn of the main queue are grouped automatically`() async {
    let manager = UndoManager()
    let counter = Counter(manager)
    #expect(manager.groupsByEvent)
    counter.set(1)
    counter.set(2)
    #expect(manager.groupingLevel == 1)
    await nextTurn()
    #expect(manager.groupingLevel == 0)
    group(manager) {
      #expect(manager.groupingLevel == 2)
      counter.set(3)
    }
    await nextTurn()
    manager.undo()
    #expect(counter.value == 2)
    manager.undo()
    #expect(counter.value == 0)
  }

  /// Lets the main queue run its pending work.
  private func nextTurn() async {
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
  }

  @Test func `misuse stops the program with the error text of Apple`() async {
    let unbegun = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      UndoManager().endUndoGrouping()
    }
    #expect(unbegun.errorText.contains("endUndoGrouping called with no matching begin"))
    let ungrouped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let manager = UndoManager()
      manager.groupsByEvent = false
      manager.registerUndo(withTarget: manager) { _ in }
    }
    #expect(ungrouped.errorText.contains("must begin a group before registering undo"))
    let nested = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let manager = UndoManager()
      manager.groupsByEvent = false
      manager.beginUndoGrouping()
      manager.beginUndoGrouping()
      manager.undo()
    }
    #expect(nested.errorText.contains("undo was called with too many nested undo groups"))
  }
}
