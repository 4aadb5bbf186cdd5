/// The program's exit statuses.
enum ExitStatus: Int32 {
  case done = 0
  /// Two models differ, or a store has integrity problems.
  case differs = 1
  case usage = 2
  case missing = 3
  /// A file is unusable, or the request is impossible.
  case unusable = 4
}

/// Why the program fails: what was tried, why it failed, what would help.
struct Failure: Error {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    (self.status, self.message) = (status, message)
  }
}
