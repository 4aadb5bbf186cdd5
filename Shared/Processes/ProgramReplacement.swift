import Foundation
import Synchronization

/// The newer file that an installation has put in the place of the running program's.
///
/// A process keeps the file that it was started from. `execute` replaces the process's program by the newer one: the process
/// keeps its ID, arguments, standard streams and working folder, and passes a state to the newer version in an environment
/// variable.
public final class ProgramReplacement: Sendable {
  /// The replacement of this program. Use it before the program starts a thread or changes a signal: the first use records
  /// the signals with which the newer version will start.
  public static let current: ProgramReplacement = {
    // Programs that this one starts must not inherit it.
    defer { unsetenv(variable) }
    return ProgramReplacement(CommandLine.arguments.first ?? "", handed: Environment.variable(variable))
  }()

  /// Bounds the executions of a program whose file is replaced repeatedly.
  static let maximumExecutions = 5
  /// A program that ran this long works, so the count begins again.
  private static let provenDuration = Duration.seconds(60)
  private static let variable = "QUAKES_RESTART"

  /// nil if the program was not found where it was started from.
  private let path: String?
  private let executable: String
  private let signals = SignalState()
  private let startTime = ContinuousClock.now
  /// The executions in a row.
  private let executions: Int
  /// The variable's text.
  private let handed: Data?
  /// The last file that cannot be executed, which is not checked again.
  private let refused = Mutex<Refusal?>(nil)

  /// - Parameters:
  ///   - name: the program's name as it was started, a path or a name in a folder of `PATH`.
  ///   - executable: a path that leads to the file that runs, even after it was deleted.
  ///   - handed: the environment variable's text; nil if this process is not a replacement.
  init(_ name: String, executable: String = "/proc/self/exe", handed: String? = nil) {
    self.executable = executable
    path = Self.path(of: name, executable)
    self.handed = handed.map { Data($0.utf8) }
    let head = self.handed.flatMap { try? JSONDecoder().decode(Head.self, from: $0) }
    // The variable may have any number.
    let count = head.flatMap { $0.process == getpid() ? $0.executions : nil } ?? 0
    executions = max(0, min(count, Self.maximumExecutions))
  }

  /// The link in /proc names a file that no longer exists once it is replaced, so the path is resolved at the start.
  private static func path(of name: String, _ executable: String) -> String? {
    guard let own = FileIdentity(executable) else { return nil }
    let folders =
      name.contains("/") ? [""] : (Environment.variable("PATH") ?? "").components(separatedBy: ":").map { "\($0)/" }
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: executable)
    let candidates = folders.map { $0 + name } + [link].compactMap { $0 }
    let found = candidates.first { FileIdentity($0) == own && access($0, X_OK) == 0 }
    return found.map { $0.hasPrefix("/") ? $0 : "\(FileManager.default.currentDirectoryPath)/\($0)" }
  }
}

// MARK: - The state

extension ProgramReplacement {
  private struct Head: Decodable {
    /// The variable counts for this process alone, not for programs that it starts.
    var process: pid_t
    var executions: Int
  }

  private struct Parcel<State: Codable>: Codable {
    var process: pid_t
    var executions: Int
    var state: State
  }

  /// The state that the former version passed to this one; nil without one, or if it cannot be decoded as this type.
  public func state<State: Codable>(_ type: State.Type) -> State? {
    let parcel = handed.flatMap { try? JSONDecoder().decode(Parcel<State>.self, from: $0) }
    return parcel.flatMap { $0.process == getpid() ? $0.state : nil }
  }
}

// MARK: - The newer file

extension ProgramReplacement {
  /// Bounds the wait for the newer file's version.
  private static let maximumWait = Duration.seconds(10)

  /// Checks whether a newer file exists and can be executed.
  ///
  /// - Returns: its version; nil if this program's file is still the one that was started, or does not exist.
  /// - Throws: `Failure` with the reason why it is not executed.
  public func check() throws(Failure) -> String? {
    guard let path, let file = Self.state(of: path), file.identity != FileIdentity(executable) else { return nil }
    if let known = refused.withLock({ $0 }), known.file == file, known.end.map({ .now < $0 }) ?? true {
      throw known.failure
    }
    do {
      try checkFile(path)
    } catch {
      refuse(file, error)
      throw error
    }
    guard let version = Self.version(of: path) else {
      let failure = refusal("\"--version\" printed no version in time; install it again if that stays so")
      refuse(file, failure, for: Self.pause)
      throw failure
    }
    return version
  }

  private struct Refusal {
    var file: FileState
    var failure: Failure
    /// nil if only another file helps.
    var end: ContinuousClock.Instant?
  }

  /// A busy machine is no reason to refuse a file for good.
  private static let pause = Duration.seconds(60)

  private func refuse(_ file: FileState, _ failure: Failure, for pause: Duration? = nil) {
    refused.withLock { $0 = Refusal(file: file, failure: failure, end: pause.map { .now + $0 }) }
  }

  private struct FileState: Equatable {
    var identity: FileIdentity
    /// Nanoseconds.
    var changed: Int
  }

  private static func state(of path: String) -> FileState? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    // A file system may have any time.
    let changed = status.st_ctim.tv_sec &* 1_000_000_000 &+ status.st_ctim.tv_nsec
    return FileState(identity: FileIdentity(status), changed: changed)
  }

  private func checkFile(_ path: String) throws(Failure) {
    guard nextExecutions <= Self.maximumExecutions else {
      throw refusal("this process has done so \(Self.maximumExecutions) times in a row; restart the program")
    }
    try checkOwner(of: path)
  }

  private var nextExecutions: Int { ContinuousClock.now - startTime >= Self.provenDuration ? 1 : executions + 1 }

  /// Only those who could have changed this program can have another executed.
  private func checkOwner(of path: String) throws(Failure) {
    var (own, new) = (stat(), stat())
    guard stat(executable, &own) == 0, stat(path, &new) == 0 else { throw refusal(Failure.systemError()) }
    guard new.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 else {
      throw refusal("it is not a program; install it again")
    }
    guard new.st_uid == own.st_uid || new.st_uid == 0 else {
      throw refusal("it belongs to user \(new.st_uid), and this program to user \(own.st_uid); install it as that user")
    }
    let (others, former) = (new.st_mode & (S_IWGRP | S_IWOTH), own.st_mode & (S_IWGRP | S_IWOTH))
    guard others & ~former == 0, others & S_IWGRP == 0 || new.st_gid == own.st_gid else {
      throw refusal("other users can write to it; run \"chmod go-w\" on it")
    }
    guard new.st_mode & (S_ISUID | S_ISGID) & ~own.st_mode == 0 else {
      throw refusal("it runs with the rights of another user; install it without these")
    }
  }

  private func refusal(_ reason: String) -> Failure {
    Failure(
      .programFailed, "cannot continue as the newer version of this program, \(path ?? ""): \(reason)")
  }

  /// Runs a program to print its version.
  ///
  /// - Returns: the first line; nil if it is not a version, or if the program fails or takes too long.
  private static func version(of path: String) -> String? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    var spawn = Spawn.detached(path, arguments: [path, "--version"])
    spawn.separation = .group
    spawn.streams += [(STDOUT_FILENO, .copy(ends[1])), (STDERR_FILENO, .nothing)]
    // While SIGCHLD is ignored, the kernel discards the status of a child that ends.
    var (collected, former) = (sigaction(), sigaction())
    sigaction(SIGCHLD, &collected, &former)
    defer { sigaction(SIGCHLD, &former, nil) }
    let process = try? spawn.start()
    close(ends[1])
    guard let process else { return nil }
    let end = ContinuousClock.now + maximumWait
    let text = read(ends[0], until: end)
    guard status(of: process, until: end) == 0, let line = text?.split(separator: "\n").first else { return nil }
    return line.wholeMatch(of: /[0-9]+(\.[0-9]+)+[0-9A-Za-z.+-]*/) == nil ? nil : String(line)
  }

  /// Ends the process and its group if it does not end in time.
  private static func status(of process: pid_t, until end: ContinuousClock.Instant) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      guard .now < end else {
        kill(-process, SIGKILL)
        return Spawn.wait(for: process)
      }
      usleep(2_000)
    }
    return status
  }

  /// - Returns: nil if the end did not come in time.
  private static func read(_ descriptor: Int32, until end: ContinuousClock.Instant) -> String? {
    var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while text.count < 1 << 16, case let rest = ContinuousClock.now.duration(to: end), rest > .zero {
      guard poll(&wait, 1, Int32(rest / .milliseconds(1)) + 1) > 0 else { continue }
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count == 0 { return String(decoding: text, as: UTF8.self) }
      if count > 0 { text += buffer.prefix(count) }
    }
    return nil
  }
}

// MARK: - Execution

extension ProgramReplacement {
  /// Executes the newer file, with the signals as they were when this program was started, and without its open files.
  /// Call `check()` before.
  ///
  /// - Parameters:
  ///   - state: what `state(_:)` returns in the newer version.
  ///   - keptSignals: those that stay blocked or ignored, so that none is lost.
  ///   - keptFiles: descriptors that stay open, with the locks that this process has on their files.
  /// - Throws: `Failure` if that is impossible. Everything is then as before.
  public func execute(
    handing state: some Codable, keptSignals: Set<Int32> = [], keptFiles: [Int32] = []
  ) throws(Failure) -> Never {
    guard let path else { throw refusal("it was not found") }
    let parcel = Parcel(process: getpid(), executions: nextExecutions, state: state)
    guard let data = try? JSONEncoder().encode(parcel) else { throw refusal("its state cannot be encoded") }
    var variables = Self.variables + [strdup("\(Self.variable)=\(String(decoding: data, as: UTF8.self))"), nil]
    defer { free(variables[variables.count - 2]) }
    Self.closeOnExecution(except: keptFiles)
    let former = SignalState()
    signals.restore(except: keptSignals)
    execve(path, CommandLine.unsafeArgv, &variables)
    let reason = Failure.systemError()
    former.restore()
    for file in keptFiles { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
    let failure = refusal("\(reason); install it again")
    if let file = Self.state(of: path) { refuse(file, failure, for: Self.pause) }
    throw failure
  }

  private static var variables: [UnsafeMutablePointer<CChar>?] {
    var (variables, next) = ([UnsafeMutablePointer<CChar>?](), environ)
    while let variable = next.pointee {
      variables.append(variable)
      next += 1
    }
    return variables
  }

  private static func closeOnExecution(except kept: [Int32]) {
    for file in Spawn.openFiles { _ = fcntl(file, F_SETFD, kept.contains(file) ? 0 : FD_CLOEXEC) }
  }
}
