import Foundation
import StrataCSimulator

#if arch(x86_64)
/// Simulates many seeds: `store-soak simulate [--seeds A-B | --seed N] [--twice] [--verbose] [--short | --errors NAME] [--only FAULT,…] [--hours N]`.
///
/// `--twice` runs each seed twice and compares the traces; `--verbose` prints every call; `--only` leaves out the other
/// faults of the schedule; instead of its faults, `--short` has all transfers cut short, and `--errors EIO` many calls
/// fail. With `--hours 24`, the processes run for 24 hours of virtual time, each with a save about every minute.
/// `--part K/N` runs the seeds whose remainder of division by N is K.
struct Simulations {
  private var seeds: ClosedRange<UInt64> = 1...100
  private var isVerbose = false
  /// Whether each seed is run twice, to compare the traces.
  private var isTwice = false
  /// Whether every transfer of every process is cut short.
  private var isShort = false
  /// The error of many single calls of every process.
  private var errors: Int32?
  /// The indexes of the faults in the schedule that occur, or nil for all.
  private var only: [Int]?
  private var hours = 0
  /// The part of the seeds that this process runs, and the number of parts.
  private var part = (number: UInt64(0), count: UInt64(1))
  private let root = Self.root()

  private static func root() -> String {
    let memory = "/dev/shm"
    let folder = access(memory, W_OK) == 0 ? memory : NSTemporaryDirectory()
    // The path always has the same length.
    return "\(folder)/store-simulation-\(String(format: "%08d", getpid()))"
  }

  private init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      switch name {
      case "--verbose": isVerbose = true
      case "--twice": isTwice = true
      case "--short": isShort = true
      case "--errors":
        let name = rest.popFirst()
        errors = Schedule.Fault.names.first { $0.value == name }?.key
        if errors == nil { return nil }
      case "--seed":
        guard let seed = rest.popFirst().flatMap(UInt64.init) else { return nil }
        seeds = seed...seed
      case "--seeds":
        let ends = rest.popFirst()?.split(separator: "-").compactMap { UInt64($0) } ?? []
        guard ends.count == 2, ends[0] <= ends[1] else { return nil }
        seeds = ends[0]...ends[1]
      case "--only":
        only = rest.popFirst()?.split(separator: ",").compactMap { Int($0) }
        if only == nil { return nil }
      case "--hours":
        guard let number = rest.popFirst().flatMap({ Int($0) }), 1...10_000 ~= number else { return nil }
        hours = number
      case "--part":
        let numbers = rest.popFirst()?.split(separator: "/").compactMap { UInt64($0) } ?? []
        guard numbers.count == 2, numbers[0] < numbers[1] else { return nil }
        part = (numbers[0], numbers[1])
      default: return nil
      }
    }
  }

  static let usage =
    "usage: store-soak simulate [--seeds A-B | --seed N] [--twice] [--verbose] [--short | --errors NAME] [--only FAULT,…] "
    + "[--hours N]\n"

  /// - Returns: the exit status.
  static func run(_ arguments: [String]) throws -> Int32 {
    guard let simulations = Simulations(arguments) else {
      FileHandle.standardError.write(Data(usage.utf8))
      return 2
    }
    return try simulations.run()
  }

  private func run() throws -> Int32 {
    let manager = FileManager.default
    let template = root + "/template"
    try manager.createDirectory(atPath: template, withIntermediateDirectories: true)
    defer { try? manager.removeItem(atPath: root) }
    signal(SIGPIPE, SIG_IGN)
    sim_pin_processor(Int32(part.number))
    // The location of a program influences its calls.
    try manager.copyItem(
      atPath: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path, toPath: root + "/program")
    try Simulation.makeTemplate(in: template)
    var tally = Tally()
    for seed in seeds where seed % part.count == part.number {
      try run(seed, &tally)
      fflush(nil)
    }
    print(tally.text)
    return tally.failed + tally.unlike == 0 ? 0 : 1
  }

  private func run(_ seed: UInt64, _ tally: inout Tally) throws {
    var schedule = Schedule(seed: seed)
    if let only { schedule.faults = only.filter { schedule.faults.indices.contains($0) }.map { schedule.faults[$0] } }
    if let errors {
      schedule.faults = Schedule.Fault.manyErrors(errors, processes: schedule.processes, seed: seed)
    }
    if isShort {
      schedule.faults = Schedule.Fault.allTransfersShort(processes: schedule.processes)
      schedule.excusesFailure = false
    }
    // All processes write, because one that only reads would purge twice a second.
    if hours > 0 { (schedule.hours, schedule.pause, schedule.writers) = (hours, 60_000_000, schedule.processes) }
    let result = try simulate(schedule, log: isVerbose ? STDOUT_FILENO : -1)
    tally.add(result)
    if isVerbose { describe(schedule, result) }
    if !result.isClean { try showShortest(schedule) }
    if isTwice, try simulate(schedule).hash != result.hash {
      tally.unlike += 1
      print("seed \(seed): two runs differ")
    }
  }

  private struct Tally {
    var (seeds, calls, processes, faults, commits, merges, failed, unlike) = (0, 0, 0, 0, 0, 0, 0, 0)

    mutating func add(_ result: Simulation.Result) {
      seeds += 1
      calls += result.steps
      processes += result.lives
      faults += result.hits.count
      commits += result.verdict?.commits ?? 0
      merges += result.verdict?.merges ?? 0
      if !result.isClean { failed += 1 }
    }

    var text: String {
      "seeds \(seeds), calls \(calls), processes \(processes), faults \(faults), commits \(commits), "
        + "merges \(merges), failed \(failed), unlike when repeated \(unlike)"
    }
  }

  /// Describes the schedule without the faults that the failure does not need.
  private func showShortest(_ schedule: Schedule) throws {
    var shortest = schedule
    for index in schedule.faults.indices.reversed() {
      var fewer = shortest
      fewer.faults.remove(at: index)
      if try !simulate(fewer).isClean { shortest = fewer }
    }
    describe(shortest, try simulate(shortest))
  }

  private func simulate(_ schedule: Schedule, log: Int32 = -1) throws -> Simulation.Result {
    let folder = root + "/run"
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.copyItem(atPath: root + "/template", toPath: folder)
    return try Simulation(schedule: schedule, folder: folder).run(log: log)
  }

  private func describe(_ schedule: Schedule, _ result: Simulation.Result) {
    print(
      """
      seed \(schedule.seed): \(result.isClean ? "clean" : "NOT CLEAN") after \(result.steps) calls, \
      \(result.seconds) virtual seconds; \(schedule.processes) processes, \(schedule.writers) write every \
      \(schedule.pause) µs; \(result.lives) lives
      """)
    for (index, fault) in schedule.faults.enumerated() {
      let hits = result.hits.filter { $0.fault == index }
      guard let first = hits.first else { continue }
      let calls = hits.prefix(5).map { hit in
        withUnsafeBytes(of: hit.what) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      }
      print(
        "  \(index): \(fault); \(hits.count) times, from step \(first.step) on: \(calls.joined(separator: ", "))")
    }
    if let trouble = result.trouble { print("  FAULT: \(trouble)") }
    guard let verdict = result.verdict else { return }
    print(
      """
        lost \(verdict.lost), unacknowledged \(verdict.unacknowledged), missed \(verdict.missed), \
      doubled \(verdict.doubled), misordered \(verdict.misordered), contexts unlike the store \(verdict.unequal)
      """)
    for fault in verdict.faults.prefix(10) { print("  FAULT: \(fault)") }
  }
}
#endif
