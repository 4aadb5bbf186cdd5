import Foundation

/// Actions that are undone together, with their menu title.
final class UndoGroup {
  var steps: [UndoStep] = []
  var name = ""
  var isDiscardable = false
  var userInfo: [UndoManager.UserInfoKey: Any] = [:]

  /// Performs the actions, the last one first.
  func perform() {
    for step in steps.reversed() { step.perform() }
  }

  /// Removes the actions of a target, and groups that become empty.
  func removeActions(of target: AnyObject) {
    steps = steps.filter { step in
      switch step {
      case .action(let action): return action.target !== target
      case .group(let group):
        group.removeActions(of: target)
        return !group.steps.isEmpty
      }
    }
  }
}

enum UndoStep {
  case action(UndoAction)
  case group(UndoGroup)

  func perform() {
    switch self {
    case .action(let action): action.perform()
    case .group(let group): group.perform()
    }
  }
}

/// Reverts one change. Does nothing once its target is gone.
struct UndoAction {
  weak var target: AnyObject?
  let handler: (AnyObject) -> Void

  func perform() {
    if let target { handler(target) }
  }
}
