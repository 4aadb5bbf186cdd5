import Glibc

/// A time on the monotonic clock, in nanoseconds; unaffected by changes of the system time.
struct MonotonicTime: Comparable {
  var nanoseconds: Int64

  static var now: MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  static func < (a: MonotonicTime, b: MonotonicTime) -> Bool { a.nanoseconds < b.nanoseconds }

  func adding(milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: nanoseconds + milliseconds * 1_000_000)
  }

  /// The time-out for `poll`, rounded up, because waking early would be a wasted wake-up.
  func milliseconds(from start: MonotonicTime) -> Int32 {
    Int32(clamping: max(0, nanoseconds - start.nanoseconds + 999_999) / 1_000_000)
  }
}
