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

  /// The first signal that ends the worker; nil if none came.
  public var stop: Int32? { stopped.withLock { $0 } }

  /// Starts the thread. To be called before any other thread starts: threads inherit what is blocked.
  ///
  /// - Parameter others: of SIGUSR1 and SIGHUP, those that the worker takes.
  public init(others: [Int32] = []) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    stopDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    let set = Self.set([SIGTERM, SIGINT] + others)
    withUnsafePointer(to: set) { _ = pthread_sigmask(SIG_BLOCK, $0, nil) }
    Thread.detachNewThread { [self] in
      var (set, number) = (set, Int32(0))
      while sigwait(&set, &number) == 0 { receive(number) }
    }
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
