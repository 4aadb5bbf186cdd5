import Foundation
import Synchronization

/// A program that a test runs, killed when released.
///
/// Foundation's `Process` copies more of each entry of /proc/self/fd than the entry has. With a thousand open files, which
/// concurrent tests can have, it reads beyond the memory of the entries.
public final class SpawnedProcess: Sendable {
  public let identifier: pid_t
  private let end = End()

  private final class End: Sendable {
    let status = Mutex<Int32?>(nil)
    let isKnown = DispatchSemaphore(value: 0)
  }

  /// Starts a program in a new process group, with no ignored or blocked signals, and with no open files except its three
  /// standard streams.
  ///
  /// - Parameters:
  ///   - program: The program's path.
  ///   - arguments: The arguments, without the program's name.
  ///   - environment: The environment, or nil for this process's environment.
  ///   - input: The program's standard input. For each of the streams, nil means `/dev/null`.
  /// - Throws: a `POSIXError` if the program cannot be started.
  public init(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil, input: FileHandle? = nil,
    output: FileHandle? = .standardOutput, errors: FileHandle? = .standardError
  ) throws {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (descriptor, file) in zip(STDIN_FILENO..., [input, output, errors]) {
      if let file {
        posix_spawn_file_actions_adddup2(&actions, file.fileDescriptor, descriptor)
      } else {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
      }
    }
    for file in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap({ Int32($0) })
    where file > STDERR_FILENO {
      posix_spawn_file_actions_addclose(&actions, file)
    }
    Self.set(&attributes)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = environment ?? ProcessInfo.processInfo.environment
    var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + settings { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, &attributes, &words, &settings)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
    identifier = process
    Thread.detachNewThread { [identifier, end] in Self.wait(for: identifier, end) }
  }

  deinit { signal(SIGKILL) }

  private static func set(_ attributes: inout posix_spawnattr_t) {
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
  }

  /// Waits for the process to end. The lock is held while the process is reaped: afterwards, the system may give its number to
  /// another process, which `signal` must not reach.
  private static func wait(for process: pid_t, _ end: End) {
    var info = siginfo_t()
    while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    end.status.withLock {
      var status: Int32 = 0
      waitpid(process, &status, 0)
      let signal = status & 0x7F
      $0 = signal == 0 ? (status >> 8) & 0xFF : -signal
    }
    end.isKnown.signal()
  }

  /// Sends a signal to the program, unless it has ended.
  public func signal(_ number: Int32) {
    end.status.withLock { if $0 == nil { kill(identifier, number) } }
  }

  /// Waits until the program ends.
  ///
  /// - Returns: the exit status, or the negative number of the signal that ended the program, or nil after a timeout.
  @discardableResult
  public func status(seconds: Double = 600) -> Int32? {
    if end.isKnown.wait(timeout: .now() + seconds) == .success { end.isKnown.signal() }
    return end.status.withLock { $0 }
  }
}
