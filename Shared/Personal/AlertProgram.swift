import Dispatch
import Foundation

/// A program that an alert runs: directly, without a shell, in a process group of its own.
public struct AlertProgram: Sendable {
  /// How long it may run.
  public static let maximumRunTime = DispatchTimeInterval.seconds(60)
  /// The time that it has to end after SIGTERM.
  private static let grace = DispatchTimeInterval.seconds(5)

  /// An absolute path.
  public var path: String
  /// Without the program's name.
  public var arguments: [String]
  /// Variables besides this process's own.
  public var environment: [String: String]

  public init(path: String, arguments: [String], environment: [String: String]) {
    (self.path, self.arguments, self.environment) = (path, arguments, environment)
  }

  /// Runs the program and waits for its end; ends it and what it started if it takes too long. Its output goes where this
  /// process's goes.
  public func run(limit: DispatchTimeInterval = maximumRunTime) -> AlertOutcome {
    let process: pid_t
    do {
      var spawn = Spawn.detached(path, arguments: [path] + arguments)
      (spawn.environment, spawn.separation) = (environment, .group)
      process = try spawn.start()
    } catch {
      return .cannotStart("\(path): \(Failure.systemError(error.code))")
    }
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      var info = siginfo_t()
      // Not reaped yet, so that the group's number stays its own until the group has been ended.
      while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
      ended.signal()
    }
    let isLate = ended.wait(timeout: .now() + limit) == .timedOut
    if isLate {
      kill(-process, SIGTERM)
      let hasEnded = ended.wait(timeout: .now() + Self.grace) == .success
      kill(-process, SIGKILL)
      if !hasEnded { ended.wait() }
    }
    let status = Spawn.wait(for: process)
    return isLate ? .timedOut : AlertOutcome(waitStatus: status)
  }
}

/// How telling the user ended.
public enum AlertOutcome: Equatable, Sendable {
  case ok
  case exit(Int32)
  case signal(Int32)
  case timedOut
  /// With the reason.
  case cannotStart(String)

  /// - Parameter waitStatus: the status of waitpid(2).
  init(waitStatus: Int32) {
    let (signal, status) = (waitStatus & 0x7F, (waitStatus >> 8) & 0xFF)
    self = signal != 0 ? .signal(signal) : status != 0 ? .exit(status) : .ok
  }
}

extension AlertOutcome: CustomStringConvertible {
  /// As it is stored.
  public var description: String {
    switch self {
    case .ok: "ok"
    case .exit(let status): "exit \(status)"
    case .signal(let number): "signal \(number)"
    case .timedOut: "timed out"
    case .cannotStart(let reason): "cannot start: \(reason)"
    }
  }
}

extension AlertProgram {
  /// The absolute path of a program: a path from the current folder, or a name on `PATH`.
  ///
  /// - Returns: nil if there is no such file that can be run.
  public static func find(_ word: String, path: String? = Environment.variable("PATH")) -> String? {
    if word.contains("/") {
      let file = URL(fileURLWithPath: word).path
      return canRun(file) ? file : nil
    }
    guard !word.isEmpty else { return nil }
    // A relative folder means another one for each process.
    let folders = (path ?? "/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }
    return folders.map { "\($0)/\(word)" }.first(where: canRun)
  }

  private static func canRun(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
