import Foundation
import StrataQuakes

/// The worker's messages: results on standard output, problems on standard error.
public final class WorkerLog {
  /// Whether each line begins with the time (UTC, ISO 8601).
  let isTimed: Bool
  /// The paths of the files that the output goes to, by descriptor; without those that are not regular files.
  let files: [Int32: String]

  /// A log of this process.
  ///
  /// - Parameters:
  ///   - isTimed: whether lines carry the time unless the journal, which reads standard error, adds its own.
  ///   - former: from the version that this one has replaced in this process.
  public init(
    isTimed: Bool, former: FetchRun.FormerSelf? = nil, environment: (String) -> String? = Environment.variable
  ) {
    self.isTimed = isTimed && !Self.isJournal(STDERR_FILENO, stream: environment("JOURNAL_STREAM"))
    // The path of an open file follows a renaming, so it is read at the start of the process.
    files =
      former?.logFiles
      ?? [STDOUT_FILENO: Self.path(STDOUT_FILENO), STDERR_FILENO: Self.path(STDERR_FILENO)].compactMapValues { $0 }
  }

  /// The error of writing a result; nil if all were written, or if their reader is gone, which is not a failure.
  public private(set) var lossOfResults: String?

  /// Writes a line to standard output.
  public func result(_ text: String) {
    guard !StandardStream.output.line(OutputText(stamped(text))), errno != EPIPE else { return }
    lossOfResults = Failure.systemError()
  }

  /// Writes a line to standard error.
  public func problem(_ text: String) {
    StandardStream.error.line(OutputText(stamped("quakes-fetch: \(text)")))
  }

  /// Opens the files again by name after log rotation has renamed them.
  func reopen() {
    for (descriptor, path) in files {
      do {
        let new = try PrivateFile.open(path, O_WRONLY | O_CREAT | O_APPEND)
        dup2(new, descriptor)
        close(new)
      } catch {
        problem("\(error.message); continuing with the old file")
      }
    }
  }

  private func stamped(_ text: String) -> String {
    guard isTimed else { return text }
    let now = CalendarDate(Date())
    return "\(now.dayText)T\(now.clockText)Z \(text)"
  }

  /// The journal names its stream by device and inode: see systemd.exec(5).
  private static func isJournal(_ descriptor: Int32, stream: String?) -> Bool {
    var status = stat()
    guard let stream, fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  private static func path(_ descriptor: Int32) -> String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
  }
}
