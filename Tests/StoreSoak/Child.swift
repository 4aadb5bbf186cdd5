import Foundation

/// A worker process started by the conductor.
final class Child {
  let life: Life
  let process: pid_t
  private let commands: Int32
  private(set) var isStopped = false

  /// Starts this program as a worker.
  ///
  /// - Parameters:
  ///   - url: The URL of the store, if it is not in a file.
  ///   - command: The words before the program and its arguments.
  init(_ life: Life, arguments: [String], at url: URL? = nil, command: [String] = []) throws {
    self.life = life
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    commands = ends[1]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    defer {
      posix_spawn_file_actions_destroy(&actions)
      close(ends[0])
    }
    var texts: [UnsafeMutablePointer<CChar>?] = (command + [Self.program] + arguments).map { strdup($0) }
    texts.append(nil)
    defer { for text in texts { free(text) } }
    var variables = ProcessInfo.processInfo.environment
    if let url { variables[SoakServer.urlKey] = url.absoluteString }
    var words: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, command.first ?? Self.program, &actions, nil, &texts, &words)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EAGAIN) }
    self.process = process
  }

  deinit { close(commands) }

  private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path

  func send(_ text: String) {
    let line = text + "\n"
    _ = write(commands, line, line.utf8.count)
  }

  func stop() {
    guard !isStopped else { return }
    isStopped = true
    life.pauses.append((monotonicNow(), Int.max))
    kill(process, SIGSTOP)
  }

  func resume() {
    guard isStopped else { return }
    isStopped = false
    kill(process, SIGCONT)
    life.pauses[life.pauses.count - 1].ended = monotonicNow()
  }

  func killProcess() {
    life.wasKilled = true
    kill(process, SIGKILL)
  }

  /// The number of times that each thread went to sleep, without the thread with which Dispatch checks its own threads
  /// once a second in every process that has run a task.
  var sleepCounts: [String: Int] {
    let folder = "/proc/\(process)/task"
    var counts: [String: Int] = [:]
    for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let waitChannel = try? String(contentsOfFile: "\(folder)/\(thread)/wchan", encoding: .utf8)
      if let waitChannel, ["do_epoll_wait", "ep_poll"].contains(waitChannel) { continue }
      let text = (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
      counts[thread] = line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
    }
    return counts
  }

  /// The exit status and the CPU seconds, or nil while the process runs.
  func end() -> (status: Int32, seconds: Double)? {
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(process, &status, WNOHANG, &usage) == process else { return nil }
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return (status, seconds(usage.ru_utime) + seconds(usage.ru_stime))
  }
}
