import Foundation

/// The signals that a process ignores and that the calling thread blocks: a program that it executes begins with both.
struct SignalState: Sendable {
  /// glibc uses two of these itself. sigaction(2) fails for them, so they do not count as ignored.
  private static let numbers = Set<Int32>(1...64).subtracting([SIGKILL, SIGSTOP])

  private let ignored: Set<Int32>
  private let blocked: Set<Int32>

  /// The current state.
  init() {
    (ignored, blocked) = (Self.numbers.filter(Self.isIgnored), Self.blocked)
  }

  /// Restores this state. Handlers stay, because an execution resets them anyway.
  ///
  /// - Parameter kept: signals that stay as they are.
  func restore(except kept: Set<Int32> = []) {
    for number in Self.numbers.subtracting(kept) where Self.isIgnored(number) != ignored.contains(number) {
      signal(number, ignored.contains(number) ? SIG_IGN : SIG_DFL)
    }
    var set = sigset_t()
    sigemptyset(&set)
    for number in blocked.subtracting(kept).union(Self.blocked.intersection(kept)) { sigaddset(&set, number) }
    pthread_sigmask(SIG_SETMASK, &set, nil)
  }

  private static var blocked: Set<Int32> {
    var set = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &set)
    return numbers.filter { sigismember(&set, $0) == 1 }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // unsafe: Swift cannot compare functions, and SIG_IGN is a number that the headers declare as one. Both have the size of Int.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
