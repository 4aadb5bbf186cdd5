/// What the programs of Quakes tell a script when they end.
public enum ExitStatus: Int32, Sendable {
  case ok = 0
  /// Nothing matched; told by status only if `--exit-status` asks for it.
  case noMatch = 1
  case usage = 2
  case notFound = 3
  /// The store is missing, damaged, full, or not ours to use.
  case storeUnavailable = 4
  case network = 5
  /// An HTTP error, or a body that is no feed.
  case badAnswer = 6
  case rateLimited = 7
  /// Another worker is at work; EX_TEMPFAIL of sysexits.h.
  case busy = 75
  /// EX_CONFIG of sysexits.h.
  case configuration = 78
  /// 128 + SIGINT, as shells count.
  case interrupted = 130
}
