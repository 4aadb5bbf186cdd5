import Foundation
import Synchronization

/// A real process of one of the package's programs, its output read as it comes.
final class Program: Sendable {
  private let process = Process()
  private let output = ReadText()
  private let errors = ReadText()
  private let finished = DispatchSemaphore(value: 0)

  /// The folder with the programs: the test runner's own.
  private static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// Starts a program. The environment is its own, so that nothing of the user's is touched.
  /// - Parameters:
  ///   - file: the program's file, if it is not the one of that name.
  ///   - variables: what the environment has besides.
  init(
    _ name: String, _ arguments: [String], home: URL, input: Data? = nil, file: URL? = nil,
    variables: [String: String] = [:]
  ) throws {
    process.executableURL = file ?? Self.file(name)
    process.arguments = arguments
    process.environment = [
      "HOME": home.path, "PATH": "/usr/bin:/bin", "STRATA_GROUP_CONTAINERS": home.path, "LC_ALL": "C.UTF-8",
      "TMPDIR": home.path,
    ].merging(variables) { _, given in given }
    let (standardOutput, standardError) = (Pipe(), Pipe())
    process.standardOutput = standardOutput
    process.standardError = standardError
    output.read(standardOutput.fileHandleForReading)
    errors.read(standardError.fileHandleForReading)
    let standardInput = Pipe()
    process.standardInput = input == nil ? FileHandle.nullDevice : standardInput
    process.terminationHandler = { [finished] _ in finished.signal() }
    try process.run()
    if let input {
      try standardInput.fileHandleForWriting.write(contentsOf: input)
      try standardInput.fileHandleForWriting.close()
    }
  }

  static func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  var identifier: Int32 { process.processIdentifier }
  /// The whole lines of the output so far.
  var lines: [String] { output.text.components(separatedBy: "\n").dropLast() }
  var errorText: String { errors.text }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits until the output satisfies a condition; answers whether it did in time.
  func wait(seconds: Double = 120, until condition: ([String]) -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      if condition(lines) { return true }
      usleep(5_000)
    }
    return condition(lines)
  }

  /// Waits for the end, and answers the exit status; a process that a signal ended counts as its negative number.
  func status(seconds: Double = 180) -> Int32? {
    guard finished.wait(timeout: .now() + seconds) == .success else { return nil }
    // What the process wrote last may still be in the pipes; one that a program of its own holds on to never ends.
    let end = DispatchTime.now() + 60
    for text in [output, errors] { text.waitForEnd(until: end) }
    return process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus
  }
}

/// What was read from a pipe so far.
private final class ReadText: Sendable {
  private let bytes = Mutex(Data())
  private let ended = DispatchSemaphore(value: 0)

  /// Until the end, by a thread that waits. A readability handler would be a dispatch source: libdispatch walks the
  /// sources of a pipe that hangs up while another thread may free them.
  func read(_ file: FileHandle) {
    Thread.detachNewThread { [self] in
      while case let data = file.availableData, !data.isEmpty { bytes.withLock { $0 += data } }
      ended.signal()
    }
  }

  func waitForEnd(until time: DispatchTime) {
    if ended.wait(timeout: time) == .success { ended.signal() }
  }

  var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}

/// A folder of a test's own, removed at its end.
final class Home: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("strata-process-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ name: String, _ text: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }
}
