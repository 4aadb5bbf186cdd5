import Foundation
import StrataTestSupport
import Synchronization

/// A process that runs one of the package's programs. Its output is read as it arrives.
final class Program: Sendable {
  private let process: SpawnedProcess
  private let output = ReadText()
  private let errors = ReadText()

  /// The folder of the programs, which is also that of the test runner.
  private static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// The environment variables of the sanitizer, if the tests run under one.
  static let sanitizer = ProcessInfo.processInfo.environment.filter {
    ["LD_PRELOAD", "TSAN_OPTIONS", "ASAN_OPTIONS", "SWIFT_BACKTRACE"].contains($0.key)
  }

  /// Whether the tests run under a sanitizer, which needs memory and time of its own.
  static let isSanitized = sanitizer["TSAN_OPTIONS"] != nil || sanitizer["ASAN_OPTIONS"] != nil

  /// The default timeout of waiting functions, in seconds. Programs run more slowly under a sanitizer.
  static let defaultTimeout: Double = isSanitized ? 3000 : 300

  /// Starts a program in an environment of its own, so that it does not touch the user's files.
  /// - Parameters:
  ///   - file: The executable, if it is not the named program.
  ///   - variables: Additional environment variables.
  init(
    _ name: String, _ arguments: [String], home: URL, input: Data? = nil, file: URL? = nil,
    variables: [String: String] = [:]
  ) throws {
    let environment = [
      "HOME": home.path, "PATH": "/usr/bin:/bin", "STRATA_GROUP_CONTAINERS": home.path, "LC_ALL": "C.UTF-8",
      "TMPDIR": home.path,
    ].merging(Self.sanitizer) { _, given in given }.merging(variables) { _, given in given }
    let (standardOutput, standardError) = (Pipe(), Pipe())
    let standardInput = input == nil ? nil : Pipe()
    process = try Self.whenNotBusy {
      try SpawnedProcess(
        (file ?? Self.file(name)).path, arguments, environment: environment,
        input: standardInput?.fileHandleForReading, output: standardOutput.fileHandleForWriting,
        errors: standardError.fileHandleForWriting)
    }
    for (pipe, text) in [(standardOutput, output), (standardError, errors)] {
      try pipe.fileHandleForWriting.close()
      text.read(pipe.fileHandleForReading)
    }
    if let input, let standardInput {
      try standardInput.fileHandleForReading.close()
      Self.withoutPipeSignal {
        // Fails if the program has ended without reading everything, which is its affair.
        try? standardInput.fileHandleForWriting.write(contentsOf: input)
      }
      try standardInput.fileHandleForWriting.close()
    }
  }

  /// Runs `body`, in which a write to a pipe without a reader does not end this process.
  private static func withoutPipeSignal(_ body: () -> Void) {
    var (pipeSignal, former, now) = (sigset_t(), sigset_t(), timespec())
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipeSignal, &former)
    body()
    // The signal is for the thread that wrote.
    sigtimedwait(&pipeSignal, nil, &now)
    pthread_sigmask(SIG_SETMASK, &former, nil)
  }

  /// Starts a program that may just have been copied. A process that another test forks at that moment has the copy open
  /// for writing until it runs its own program, and until then the system refuses to run the copy.
  private static func whenNotBusy(_ start: () throws -> SpawnedProcess) throws -> SpawnedProcess {
    for _ in 0..<1000 {
      do {
        return try start()
      } catch let error as POSIXError where error.code == .ETXTBSY {
        usleep(10_000)
      }
    }
    return try start()
  }

  static func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

  var identifier: Int32 { process.identifier }
  /// The complete lines of output so far.
  var lines: [String] { output.text.components(separatedBy: "\n").dropLast() }
  var errorText: String { errors.text }

  /// The number of voluntary context switches of each thread of a process, without that of the thread sanitizer, which
  /// is the first after the main thread and wakes ten times a second.
  static func switches(of process: Int32) throws -> [String: Int] {
    var tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").compactMap(Int.init)
      .sorted()
    if sanitizer["TSAN_OPTIONS"] != nil, tasks.count > 1 { tasks.remove(at: 1) }
    var counts: [String: Int] = [:]
    for task in tasks {
      // The thread may have ended.
      let status = try? String(contentsOfFile: "/proc/\(process)/task/\(task)/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
      counts["\(task)"] = line?.split(separator: "\t").last.flatMap { Int($0) }
    }
    return counts
  }

  func signal(_ number: Int32) { process.signal(number) }

  /// Waits until the output satisfies a condition, and returns whether it did in time.
  func wait(seconds: Double = defaultTimeout, until condition: ([String]) -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      if condition(lines) { return true }
      usleep(5_000)
    }
    return condition(lines)
  }

  /// Waits for the exit, and returns the status. For a signal, the status is its negative number.
  func status(seconds: Double = defaultTimeout) -> Int32? {
    guard let status = process.status(seconds: seconds) else { return nil }
    // The last output may still be in the pipes, which stay open while a child of the process has them.
    let end = DispatchTime.now() + 60
    for text in [output, errors] { text.waitForEnd(until: end) }
    return status
  }
}

/// The text read from a pipe so far.
private final class ReadText: Sendable {
  private let bytes = Mutex(Data())
  private let ended = DispatchSemaphore(value: 0)

  /// Reads until the end on a blocking thread. A readability handler would be a dispatch source, and libdispatch
  /// accesses the sources of a closed pipe while another thread may free them.
  func read(_ file: FileHandle) {
    Thread.detachNewThread { [self] in
      while case let data = file.availableData, !data.isEmpty { bytes.withLock { $0 += data } }
      // Foundation would keep it open, and the tests start hundreds of processes.
      try? file.close()
      ended.signal()
    }
  }

  func waitForEnd(until time: DispatchTime) {
    if ended.wait(timeout: time) == .success { ended.signal() }
  }

  var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}

/// A test's own home folder, deleted at its end.
final class Home: Sendable {
  let url: URL

  /// - Parameter parent: A folder that is deleted when the process exits, for a home that tests share.
  init(in parent: URL = FileManager.default.temporaryDirectory) throws {
    url = parent.appendingPathComponent("strata-process-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// A copy of another home, whose stores no process has open. Copying takes less time than filling.
  init(copyOf other: Home, in parent: URL = FileManager.default.temporaryDirectory) throws {
    url = parent.appendingPathComponent("strata-process-\(UUID().uuidString)")
    try FileManager.default.copyItem(at: other.url, to: url)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ name: String, _ text: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }
}
