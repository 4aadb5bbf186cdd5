import Foundation
import StrataCCurl
import StrataQuakes

/// A point in time for poll(2), by the clock that counts the time of suspension: a computer that wakes up wakes the worker
/// if a feed has become due.
final class WakeTimer {
  /// Readable from the time on.
  let descriptor: Int32

  init() throws(Failure) {
    descriptor = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
    guard descriptor >= 0 else { throw Failure(.badResponse, "cannot create a timer: \(Failure.systemError())") }
  }

  deinit { close(descriptor) }

  /// Replaces the time; nil means never.
  func set(_ time: ContinuousClock.Instant?) {
    // A timer of zero would never be readable.
    let wait = time.map { max(.nanoseconds(1), ContinuousClock.now.duration(to: $0)).components }
    var value = itimerspec()
    value.it_value = timespec(
      tv_sec: Int(wait?.seconds ?? 0), tv_nsec: Int((wait?.attoseconds ?? 0) / 1_000_000_000))
    timerfd_settime(descriptor, 0, &value, nil)
  }
}
