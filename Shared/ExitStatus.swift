/// The exit statuses of the Quakes programs.
public enum ExitStatus: Int32, Sendable {
  case ok = 0
  /// Nothing matched, a check failed, or the line is stale.
  case noMatch = 1
  case usage = 2
  case notFound = 3
  /// The store is damaged, full, or not accessible.
  case storeUnavailable = 4
  case network = 5
  /// An HTTP error, or a body that is not a feed.
  case badResponse = 6
  case rateLimited = 7
  /// A program that an alert runs failed.
  case programFailed = 8
  /// The store does not exist.
  case noStore = 9
  /// The output cannot be written; EX_IOERR of sysexits.h.
  case outputFailed = 74
  /// Another worker is running; EX_TEMPFAIL of sysexits.h.
  case busy = 75
  /// EX_CONFIG of sysexits.h.
  case configuration = 78
  /// 128 + SIGINT, as in shells.
  case interrupted = 130
}
