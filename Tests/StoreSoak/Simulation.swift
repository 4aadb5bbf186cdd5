import CoreData
import Foundation
import StrataCSimulator

#if arch(x86_64)
/// One run in a simulated world: one seed, one schedule, one trace of calls.
///
/// The processes and their threads are real, but only one thread runs at a time, from one call to the next. The seed
/// determines which one, the time of the clocks, the random numbers, and which calls fail.
struct Simulation {
  let schedule: Schedule
  /// The folder of the store and the ledgers, a fresh copy of the template. Its parent folder contains this program.
  let folder: String

  struct Result {
    var verdict: Verdict?
    /// The reason why the seed has no verdict.
    var trouble: String?
    var hash: UInt64
    var steps: Int
    /// Virtual time.
    var seconds: Double
    var lives: Int
    var hits: [sim_hit]

    var isClean: Bool { trouble == nil && verdict?.isClean == true }
  }

  /// An event that must not happen: a process that crashes, waits forever or never becomes idle.
  private struct Trouble: Error { let text: String }

  /// - Parameter log: The file to which a line is written for each call, or -1.
  func run(log: Int32 = -1) throws -> Result {
    var faults = schedule.faults.map(\.raw)
    guard let world = sim_create(schedule.seed, Int32(schedule.stickiness), folder, &faults, Int32(faults.count))
    else {
      throw POSIXError(.ENOMEM)
    }
    defer { sim_destroy(world) }
    sim_set_log(world, log)
    let crew = Crew(world, schedule, folder)
    var (verdict, trouble): (Verdict?, String?)
    do { verdict = try Verdict(of: crew.run()) } catch let failure as Trouble { trouble = failure.text }
    return Result(
      verdict: verdict, trouble: trouble, hash: crew.hash, steps: crew.steps,
      seconds: Double(sim_nanoseconds(world)) / 1e9, lives: crew.lives.count,
      hits: (0..<sim_hit_count(world)).map { sim_hit_at(world, $0) })
  }

  /// Creates the store that every run begins with, in a world of its own, so that it is always the same.
  static func makeTemplate(in folder: String) throws {
    guard let world = sim_create(0, 255, folder, nil, 0) else { throw POSIXError(.ENOMEM) }
    defer { sim_destroy(world) }
    let crew = Crew(world, Schedule(seed: 0), folder)
    try crew.fill()
  }

  /// The processes of a run.
  private final class Crew {
    private let world: OpaquePointer
    private let schedule: Schedule
    private let folder: String
    private(set) var lives: [Life] = []
    private var living: [Int: (life: Life, input: Int32)] = [:]
    private var commands: [String] = []
    private var excusesFailure: Bool
    /// The file for the standard error of the processes.
    private let errors: Int32
    /// The hash of the trace.
    private(set) var hash: UInt64 = 0
    var steps: Int { Int(sim_steps(world)) }

    /// A number of steps that no run reaches.
    private var stepLimit: Int { 1_000_000 * (1 + schedule.hours) }

    init(_ world: OpaquePointer, _ schedule: Schedule, _ folder: String) {
      excusesFailure = schedule.excusesFailure
      (self.world, self.schedule, self.folder) = (world, schedule, folder)
      errors = open(folder + "-errors", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
    }

    deinit {
      close(errors)
      for (_, input) in living.values { close(input) }
    }

    func fill() throws {
      try start(0, ["fill", folder])
      while !living.isEmpty { try advanceBriefly(mayEnd: true) }
    }

    func run() throws -> Outcome {
      for slot in 0..<schedule.processes { try startWorker(slot) }
      try advance(for: schedule.steps)
      while sim_nanoseconds(world) < Int64(schedule.hours) * 3_600_000_000_000 { try advanceBriefly() }
      sim_end_faults(world)
      try advance(for: schedule.steps / 4)
      // A process that still fails does not recover.
      send("sound")
      try advance(for: schedule.steps / 8)
      excusesFailure = false
      try advance(for: schedule.steps / 8)
      send("quiet")
      while !living.values.allSatisfy({ access("\(Ledger.path(of: $0.life.number, in: folder)).quiet", F_OK) == 0 }) {
        try advanceBriefly()
      }
      let newest = try readNewest()
      send(newest.command)
      while !living.isEmpty { try advanceBriefly(mayEnd: true) }
      hash = sim_trace_hash(world)
      return Outcome(
        folder: folder, store: try RawStore(SoakStore.url(in: folder).path), lives: lives, firstItems: [:],
        firstCommit: 0, lastCommit: newest.commit, faults: [])
    }

    private func advance(for count: Int) throws {
      let end = steps + count
      while steps < end { try advanceBriefly() }
    }

    /// Reads the newest commit in a process of this world, because others are stopped inside a call and hold locks.
    private func readNewest() throws -> RawStore.Newest {
      let slot = schedule.processes
      try start(slot, ["newest", folder])
      while living[slot] != nil { try advanceBriefly(mayEnd: true) }
      guard lives.popLast()?.slot == slot, let newest = RawStore.Newest(recordedIn: folder) else {
        throw Trouble(text: "the newest commit is unknown")
      }
      return newest
    }

    private func startWorker(_ slot: Int) throws {
      let pause = slot < schedule.writers ? schedule.pause : 0
      try start(
        slot,
        ["worker", folder, "\(lives.count + 1)", "\(slot)", "\(pause)", "\(schedule.seed % 1_000_000)", "faulty", "1"])
    }

    private func start(_ slot: Int, _ arguments: [String]) throws {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
      defer { close(ends[0]) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      // No process may block in the kernel.
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      let program = URL(fileURLWithPath: folder).deletingLastPathComponent().path + "/program"
      var texts = (["strata-store-soak"] + arguments).map { strdup($0) } + [nil]
      // The variables of a sanitizer, if the program has one. A second of sleep at the end would be simulated.
      let sanitizer = [("LD_PRELOAD", ""), ("TSAN_OPTIONS", " atexit_sleep_ms=0"), ("ASAN_OPTIONS", "")]
      let kept = sanitizer.compactMap { name, more in
        ProcessInfo.processInfo.environment[name].map { "\(name)=\($0)\(more)" }
      }
      var settings = (["SWIFT_BACKTRACE=enable=no"] + kept).map { strdup($0) } + [nil]
      defer { for text in texts + settings { free(text) } }
      let code = sim_start(world, Int32(slot), program, &texts, &settings, ends[0], errors)
      guard code == 0 else {
        throw Trouble(text: "cannot start a traced process: \(String(cString: strerror(code))); see ptrace(2)")
      }
      let life = Life(lives.count + 1, slot: slot)
      lives.append(life)
      living[slot] = (life, ends[1])
      for command in commands { write(command, to: ends[1]) }
    }

    /// Sends a command to all processes, and to those that replace them.
    private func send(_ text: String) {
      commands.append(text)
      for (_, input) in living.values { write(text, to: input) }
    }

    private func write(_ command: String, to input: Int32) {
      let line = command + "\n"
      _ = Glibc.write(input, line, line.utf8.count)
    }

    /// Lets the processes make some calls, and restarts those that a fault ended.
    private func advanceBriefly(mayEnd: Bool = false) throws {
      defer { hash = sim_trace_hash(world) }
      switch sim_run(world, 100) {
      case SIM_RAN: break
      case SIM_ENDED: try handleEnd(mayEnd)
      default: throw Trouble(text: String(cString: sim_trouble(world)))
      }
      guard steps <= stepLimit else {
        throw Trouble(text: "still running after \(steps) calls: the lives \(living.values.map(\.life.number))")
      }
    }

    /// Whether a process was stopped, perhaps while it held a lock.
    private var wasAnyStopped: Bool {
      (0..<sim_hit_count(world)).contains { schedule.faults[Int(sim_hit_at(world, $0).fault)].raw.kind == SIM_STOP }
    }

    /// The error message of the last process that crashed.
    private static func message(in path: String) -> String {
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return text.split(separator: "\n").last { $0.contains("atal error") }.map { String($0) } ?? ""
    }

    private func handleEnd(_ mayEnd: Bool) throws {
      var (status, faults): (Int32, Int32) = (0, 0)
      var wasKilled = false
      let slot = Int(sim_ended(world, &status, &wasKilled, &faults))
      guard let (life, input) = living.removeValue(forKey: slot) else { return }
      close(input)
      if mayEnd, status == 0 { return }
      life.wasKilled = true
      // Like Apple's framework, a process raises an exception if it cannot read a property.
      let message = Self.message(in: folder + "-errors")
      let hasGivenUp =
        status == Worker.gaveUp << 8 || status == SIGILL && message.contains("CoreData could not")
      guard wasKilled || hasGivenUp && (faults > 0 || wasAnyStopped) && excusesFailure else {
        let notes = try ParsedLedger(life, in: folder).notes.suffix(3)
        throw Trouble(
          text: "life \(life.number) in slot \(slot) ended with status \(status) after \(faults) faults: "
            + notes.joined(separator: "; ") + "; " + message)
      }
      try startWorker(slot)
    }
  }
}
#endif
