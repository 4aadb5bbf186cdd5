import Foundation
import StrataCCurl
import Synchronization

/// The signals that tell the worker what to do: SIGTERM and SIGINT end it after the current write.
///
/// One thread waits for them; no other thread of the process gets them. Lives as long as the process.
final class WorkerSignals: Sendable {
  /// Becomes readable when a signal arrives, for poll(2).
  let descriptor: Int32

  private let stopped = Mutex<Int32?>(nil)

  /// The first signal that ends the worker; nil if none came.
  var stop: Int32? { stopped.withLock { $0 } }

  /// To be called before any other thread starts: threads inherit what is blocked.
  init() {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGTERM, SIGINT] { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    Thread.detachNewThread { [self, set] in
      var (set, number) = (set, Int32(0))
      while sigwait(&set, &number) == 0 { receive(number) }
    }
  }

  private func receive(_ number: Int32) {
    if stopped.withLock({ $0 != nil }) { Self.end(with: number) }
    stopped.withLock { $0 = number }
    eventfd_write(descriptor, 1)
  }

  /// A second signal ends the process at once, which is safe for the store.
  private static func end(with number: Int32) {
    signal(number, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    kill(getpid(), number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}
