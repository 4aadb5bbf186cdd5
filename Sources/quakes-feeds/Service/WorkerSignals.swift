import Dispatch
import Foundation
import StrataCCurl
import Synchronization

/// The signals that tell the worker what to do: SIGTERM and SIGINT end it after the current write, SIGUSR1 makes it fetch
/// now, and SIGHUP makes a service reload.
///
/// One thread waits for them; no other thread of the process gets them. Lives as long as the process.
public final class WorkerSignals: Sendable {
  /// The requests of signals.
  struct Requests: Equatable, Sendable {
    var fetchNow = false
    var reload = false
  }

  /// Becomes readable when a signal arrives, for poll(2).
  let descriptor: Int32
  /// Becomes readable, and stays so, when `stop` is set.
  public let stopDescriptor: Int32

  private let stopped = Mutex<Int32?>(nil)
  private let requests = Mutex(Requests())
  private let set: sigset_t
  /// The thread that takes signals.
  private let waiting = Mutex<pthread_t?>(nil)
  private let isSuspended = Mutex(false)
  /// Signaled when the thread begins, and when it ends.
  private let changed = DispatchSemaphore(value: 0)

  /// The first signal that ends the worker; nil if none came.
  public var stop: Int32? { stopped.withLock { $0 } }

  /// Starts the thread. To be called before any other thread starts: threads inherit what is blocked.
  ///
  /// - Parameter others: of SIGUSR1 and SIGHUP, those that the worker takes.
  public init(others: [Int32] = []) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    stopDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    set = Self.set([SIGTERM, SIGINT] + others)
    withUnsafePointer(to: set) { _ = pthread_sigmask(SIG_BLOCK, $0, nil) }
    resume()
  }

  /// All signals that a worker may take.
  static let all: Set = [SIGTERM, SIGINT, SIGUSR1, SIGHUP]

  /// Takes signals again after `suspend()`.
  func resume() {
    isSuspended.withLock { $0 = false }
    Thread.detachNewThread { [self] in takeSignals() }
    changed.wait()
  }

  /// Takes no more signals: those that come stay pending, also for a program that the process executes. Only for a worker that
  /// takes SIGUSR1.
  func suspend() {
    isSuspended.withLock { $0 = true }
    // Wakes the thread, and ends with it if another signal was faster.
    waiting.withLock { if let thread = $0 { pthread_kill(thread, SIGUSR1) } }
    changed.wait()
  }

  private func takeSignals() {
    waiting.withLock { $0 = pthread_self() }
    changed.signal()
    var (set, info) = (set, siginfo_t())
    while true {
      let number = sigwaitinfo(&set, &info)
      // A signal from this process itself is that of `suspend`.
      if number > 0, number != SIGUSR1 || info._sifields._kill.si_pid != getpid() { receive(number) }
      if isSuspended.withLock({ $0 }) { break }
    }
    waiting.withLock { $0 = nil }
    changed.signal()
  }

  /// The requests since the last call. Makes the descriptor unreadable, so check `stop` afterwards.
  func takeRequests() -> Requests {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
    return requests.withLock { requests in
      defer { requests = Requests() }
      return requests
    }
  }

  /// Has the next call of `takeRequests` return requests that it has returned before.
  func repeatRequests(_ former: Requests) {
    requests.withLock { requests in
      requests.fetchNow = requests.fetchNow || former.fetchNow
      requests.reload = requests.reload || former.reload
    }
    eventfd_write(descriptor, 1)
  }

  /// Writes the event last, so that a thread that has read it sees the request.
  private func receive(_ number: Int32) {
    switch number {
    case SIGUSR1: requests.withLock { $0.fetchNow = true }
    case SIGHUP: requests.withLock { $0.reload = true }
    default:
      if stop != nil { Self.end(with: number) }
      stopped.withLock { $0 = number }
      eventfd_write(stopDescriptor, 1)
    }
    eventfd_write(descriptor, 1)
  }

  /// A second signal ends the process immediately, which is safe for the store.
  private static func end(with number: Int32) {
    signal(number, SIG_DFL)
    kill(getpid(), number)
    withUnsafePointer(to: set([number])) { _ = pthread_sigmask(SIG_UNBLOCK, $0, nil) }
  }

  private static func set(_ numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }
}
