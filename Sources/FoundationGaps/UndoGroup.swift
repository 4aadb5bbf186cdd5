import Foundation

/// Actions that are undone together, with what a menu says about them.
final class UndoGroup {
  var steps: [UndoStep] = []
  var name = ""
  var isDiscardable = false
  var userInfo: [UndoManager.UserInfoKey: Any] = [:]

  /// The last action first.
  func perform() {
    for step in steps.reversed() { step.perform() }
  }

  /// Forgets the actions of a target, and groups that have no others.
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

/// What takes back one change. It does nothing once its target is gone.
struct UndoAction {
  weak var target: AnyObject?
  let handler: (AnyObject) -> Void

  func perform() {
    if let target { handler(target) }
  }
}
