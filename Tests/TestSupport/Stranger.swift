import Foundation
import StrataCThreadUser
import Synchronization

/// Runs `body` as a user to whom file permissions apply. They do not apply to root: if root runs the tests, `body` runs on a
/// thread of another user.
/// - Returns: The result of `body`, or nil if the user cannot be changed.
public func asStranger<T: Sendable>(_ body: @escaping @Sendable () -> T) -> T? {
  guard geteuid() == 0 else { return body() }
  let result = Box<T>()
  // The thread ends afterwards, because no other work must run as this user.
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
