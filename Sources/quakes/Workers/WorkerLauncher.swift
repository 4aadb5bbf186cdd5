import Foundation
import StrataQuakes

/// Starts `quakes-fetch` in its own session, so that it outlives the terminal.
struct WorkerLauncher {
  var file: WorkerFile
  var location: StoreLocation

  /// Starts the worker and waits until it has locked its file.
  ///
  /// - Throws: `Failure` with the worker's error output if it exits immediately.
  func start(_ arguments: [String]) throws(Failure) -> pid_t {
    let program = try SiblingProgram.path("quakes-fetch")
    var arguments = ["--daemon"] + arguments
    if let server = location.serverURL {
      // Not an argument, which other users can read: the URL may contain a password.
      setenv("QUAKES_STORE", server.absoluteString, 1)
    } else if let store = location.option {
      arguments = ["--store", store] + arguments
    }
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

  private func spawn(_ program: String, arguments: [String]) throws(Failure) -> pid_t {
    var spawn = Spawn(program, arguments: [program] + arguments)
    spawn.separation = .session
    spawn.streams = [
      (STDIN_FILENO, .nothing), (STDOUT_FILENO, .log(path: file.logURL.path)), (STDERR_FILENO, .copy(STDOUT_FILENO)),
    ]
    // A file that the worker inherited would stay open for days.
    spawn.closesOtherFiles = true
    do {
      return try spawn.start()
    } catch {
      throw Failure(.configuration, "cannot start \(program): \(Failure.systemError(error.code))")
    }
  }

  private func ended(_ status: Int32, logStart: UInt64) -> Failure {
    let code = (status >> 8) & 0xFF
    let words = newText(in: file.logURL, from: logStart)
    return Failure(
      ExitStatus(rawValue: code) ?? .configuration,
      "quakes-fetch exited immediately with status \(code)\(words.isEmpty ? "" : ": \(words)")")
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
