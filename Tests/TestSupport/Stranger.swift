import Foundation
import StrataCThreadUser
import Synchronization

/// Runs `body` as somebody whom the permissions of files concern: for root, who may do anything, on a thread of another
/// user.
/// - Returns: nil if the user cannot be changed.
public func asStranger<T: Sendable>(_ body: @escaping @Sendable () -> T) -> T? {
  guard geteuid() == 0 else { return body() }
  let result = Box<T>()
  // The thread ends here: no other work must run as the stranger.
  let isDone = DispatchSemaphore(value: 0)
  Thread {
    if set_thread_user(65_534) == 0 { result.value.withLock { $0 = body() } }
    isDone.signal()
  }.start()
  isDone.wait()
  return result.value.withLock { $0 }
}

private final class Box<T: Sendable>: Sendable {
  let value = Mutex<T?>(nil)
}
