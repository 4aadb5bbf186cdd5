/// The program's exit statuses.
enum ToolStatus: Int32 {
  case done = 0
  /// Two models differ, or a store has integrity problems.
  case differs = 1
  case usage = 2
  case missing = 3
  /// A file is unusable, or the request is impossible.
  case unusable = 4
}

/// Why the program fails: what was tried, why it failed, what would help.
struct ToolFailure: Error {
  let status: ToolStatus
  let message: String

  init(_ status: ToolStatus, _ message: String) {
    (self.status, self.message) = (status, message)
  }
}
