import Foundation
import StrataQuakes

/// Starts `quakes-fetch` in its own session, so that it outlives the terminal.
struct WorkerLauncher {
  var file: WorkerFile
  var location: StoreLocation

  /// Starts the worker and waits until it has locked its file.
  ///
  /// - Throws: `Failure` with the worker's error output if it exits at once.
  func start(_ arguments: [String]) throws(Failure) -> pid_t {
    let program = try SiblingProgram.path("quakes-fetch")
    var arguments = ["--daemon"] + arguments
    if location.isChosen { arguments = ["--store", location.folder.path] + arguments }
    try file.createLogFolder()
    let logStart = size(of: file.logURL)
    let process = try spawn(program, arguments: arguments)
    // Ten seconds: opening a large store after a crash may take one.
    for _ in 0..<1000 {
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process { throw ended(status, logStart: logStart) }
      if try file.runningProcess() == process { return process }
      usleep(10_000)
    }
    throw Failure(.busy, "process \(process) was started but is not ready after 10 s; see \(file.logURL.path)")
  }

  /// POSIX_SPAWN_SETSID of <spawn.h>, which glibc's Swift module lacks.
  private static let newSession: Int16 = 0x80

  private func spawn(_ program: String, arguments: [String]) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, STDOUT_FILENO, file.logURL.path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    // A file that the worker inherited would stay open for days.
    for file in Self.openFiles { posix_spawn_file_actions_addclose(&actions, file) }
    posix_spawnattr_setflags(&attributes, Self.newSession)
    var process: pid_t = 0
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let code = posix_spawn(&process, program, &actions, &attributes, &words, environ)
    guard code == 0 else {
      throw Failure(.configuration, "cannot start \(program): \(Failure.systemError(code))")
    }
    return process
  }

  /// Those beyond the standard streams.
  private static var openFiles: [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.compactMap { Int32($0) }.filter { $0 > STDERR_FILENO }
  }

  private func ended(_ status: Int32, logStart: UInt64) -> Failure {
    let code = (status >> 8) & 0xFF
    let words = newText(in: file.logURL, from: logStart)
    return Failure(
      ExitStatus(rawValue: code) ?? .configuration,
      "quakes-fetch exited at once with status \(code)\(words.isEmpty ? "" : ": \(words)")")
  }

  private func size(of url: URL) -> UInt64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes?[.size] as? NSNumber)?.uint64Value ?? 0
  }

  private func newText(in url: URL, from start: UInt64) -> String {
    guard let handle = FileHandle(forReadingAtPath: url.path), (try? handle.seek(toOffset: start)) != nil,
      let data = try? handle.read(upToCount: 2000)
    else { return "" }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
