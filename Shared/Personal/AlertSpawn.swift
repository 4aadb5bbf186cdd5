import Foundation

/// Starts a process for an alert: without a shell, with no input, with the output of this process, and with none of its
/// other files.
public struct AlertSpawn: Sendable {
  public enum Kind: Sendable {
    /// In a process group of its own, so that all of it can be ended.
    case group
    /// In a session of its own, deaf to the signals that ask it to end.
    case session
  }

  /// POSIX_SPAWN_SETSID of <spawn.h>, which glibc's Swift module lacks.
  private static let newSession: Int32 = 0x80

  public var path: String
  /// With the program's name.
  public var arguments: [String]
  /// Variables besides this process's own.
  public var environment: [String: String]
  public var kind: Kind

  public init(path: String, arguments: [String], environment: [String: String] = [:], kind: Kind) {
    (self.path, self.arguments, self.environment, self.kind) = (path, arguments, environment, kind)
  }

  /// - Throws: `Failure` with the system's reason.
  public func start() throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    // This process's own are closed anyway; these are what it inherited.
    for file in Self.openFiles { posix_spawn_file_actions_addclose(&actions, file) }
    setSignals(&attributes)
    let variables = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
    var words = arguments.map { strdup($0) } + [nil]
    var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + settings { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, &attributes, &words, &settings)
    guard code == 0 else { throw Failure(.programFailed, "\(path): \(Failure.systemError(code))") }
    return process
  }

  /// What this process blocks or ignores is no concern of another program's.
  private func setSignals(_ attributes: inout posix_spawnattr_t) {
    var (blocked, usual) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigfillset(&usual)
    if kind == .session { for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&blocked, number) } }
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setpgroup(&attributes, 0)
    let separation = kind == .session ? Self.newSession : Int32(POSIX_SPAWN_SETPGROUP)
    posix_spawnattr_setflags(
      &attributes, Int16(separation | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)))
  }

  /// Those beyond the standard streams.
  private static var openFiles: [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.compactMap { Int32($0) }.filter { $0 > STDERR_FILENO }
  }

  /// Waits for the end of a child.
  ///
  /// - Returns: as waitpid(2) gives it.
  public static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    return status
  }
}
