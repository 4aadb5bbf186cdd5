import Foundation

/// Whether the caller is on the main queue.
package enum MainQueue {
  private static let key = DispatchSpecificKey<Bool>()

  /// True; marks the queue on first access.
  private static let isMarked = {
    DispatchQueue.main.setSpecific(key: key, value: true)
    return true
  }()

  /// With an asynchronous `main`, the main queue runs on a thread that is not the main thread.
  package static var isCurrent: Bool {
    Thread.isMainThread || isMarked && DispatchQueue.getSpecific(key: key) == true
  }
}
