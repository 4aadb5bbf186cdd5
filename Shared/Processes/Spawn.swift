import Foundation

/// Starts a program, without a shell.
///
/// Foundation's `Process` puts a program into a group of its own, which a terminal stops as soon as it reads, and has no
/// sessions, signals or streams to choose.
public struct Spawn: Sendable {
  public enum Separation: Sendable {
    /// In the process group of this process.
    case none
    /// In a process group of its own, so that all of it can be ended, or this process's group without it.
    case group
    /// In a session of its own, which outlives the terminal's.
    case session
  }

  public enum Stream: Sendable {
    /// `/dev/null`.
    case nothing
    /// A descriptor of this process.
    case copy(Int32)
    /// A file that is appended to, and made readable for its owner alone if it is missing. Not a symbolic link.
    case log(path: String)
  }

  /// All that have a number; for `defaultSignals`.
  public static let allSignals = [Int32](1...64)
  /// POSIX_SPAWN_SETSID of <spawn.h>, which glibc's Swift module lacks.
  private static let newSession: Int32 = 0x80

  /// A path, or a name that the folders of `PATH` are searched for.
  public var program: String
  /// With the program's name.
  public var arguments: [String]
  /// Variables besides this process's own.
  public var environment: [String: String] = [:]
  public var separation = Separation.none
  /// The standard streams that are not this process's own, replaced in this order.
  public var streams: [(descriptor: Int32, stream: Stream)] = []
  /// Whether files that this process itself inherited are closed. Its own are in any case, if they are close-on-exec.
  public var closesOtherFiles = false
  /// Signals that the program does not ignore although this process does.
  public var defaultSignals: [Int32] = []
  /// Signals that the program begins with blocked; nil for those of the calling thread.
  public var blockedSignals: [Int32]?

  public init(_ program: String, arguments: [String]) {
    (self.program, self.arguments) = (program, arguments)
  }

  /// A program that has nothing of this process but its output: no input, none of its files and signals.
  public static func detached(_ program: String, arguments: [String]) -> Spawn {
    var spawn = Spawn(program, arguments: arguments)
    spawn.streams = [(STDIN_FILENO, .nothing)]
    spawn.closesOtherFiles = true
    (spawn.defaultSignals, spawn.blockedSignals) = (allSignals, [])
    return spawn
  }

  /// Why a program could not be started.
  public struct SpawnError: Error {
    /// As `errno` has it.
    public let code: Int32
  }

  /// - Returns: the program's process, for `wait(for:)`.
  public func start() throws(SpawnError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (descriptor, stream) in streams { Self.add(stream, as: descriptor, to: &actions) }
    for file in closesOtherFiles ? Self.openFiles : [] { posix_spawn_file_actions_addclose(&actions, file) }
    set(&attributes)
    var words = arguments.map { strdup($0) } + [nil]
    // Unchanged, they pass as they are, whatever bytes they have.
    var settings = environment.isEmpty ? [] : variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + settings { free(word) } }
    var process: pid_t = 0
    let code =
      environment.isEmpty
      ? posix_spawnp(&process, program, &actions, &attributes, &words, environ)
      : posix_spawnp(&process, program, &actions, &attributes, &words, &settings)
    guard code == 0 else { throw SpawnError(code: code) }
    return process
  }

  private var variables: [String: String] {
    ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
  }

  private static func add(_ stream: Stream, as descriptor: Int32, to actions: inout posix_spawn_file_actions_t) {
    switch stream {
    case .nothing: posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    case .copy(let source): posix_spawn_file_actions_adddup2(&actions, source, descriptor)
    case .log(let path):
      posix_spawn_file_actions_addopen(
        &actions, descriptor, path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
    }
  }

  private func set(_ attributes: inout posix_spawnattr_t) {
    var flags = Int32(POSIX_SPAWN_SETSIGDEF)
    var defaults = Self.set(of: defaultSignals)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    if let blockedSignals {
      var blocked = Self.set(of: blockedSignals)
      posix_spawnattr_setsigmask(&attributes, &blocked)
      flags |= Int32(POSIX_SPAWN_SETSIGMASK)
    }
    switch separation {
    case .none: break
    case .group: flags |= Int32(POSIX_SPAWN_SETPGROUP)
    case .session: flags |= Self.newSession
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }

  private static func set(of signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in signals { sigaddset(&set, number) }
    return set
  }

  /// Those beyond the standard streams.
  static var openFiles: [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.compactMap { Int32($0) }.filter { $0 > STDERR_FILENO }
  }

  /// Waits for the end of a child.
  ///
  /// - Returns: the status of waitpid(2); 0 if it is unavailable.
  public static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    return status
  }
}
