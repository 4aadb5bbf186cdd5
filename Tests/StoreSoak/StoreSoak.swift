import Foundation

/// Verifies that every process sees every commit exactly once and in order, even if processes are killed (invariants 1
/// to 6).
///
/// Real processes commit to one store through the public API and merge each other's commits; they are killed at random
/// instants, stopped and restarted. Each keeps a ledger of its actions. At the end the ledgers are compared with the
/// store. The exit status is 0 if they agree, 1 if not, and 2 for invalid arguments.
@main
struct StoreSoak {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "worker", arguments.count == 8, let life = Int(arguments[2]), let slot = Int(arguments[3]),
      let pause = Int(arguments[4]), let seed = UInt64(arguments[5]), let threads = Int(arguments[7])
    {
      let isSound = arguments[6] == "sound"
      try Worker.run(
        folder: arguments[1], life: life, slot: slot, pause: pause, threads: threads, seed: seed, isSound: isSound)
    }
    #if arch(x86_64)
    if arguments.first == "simulate" { exit(try Simulations.run(Array(arguments.dropFirst()))) }
    #endif
    if arguments.first == "newest", arguments.count == 2 {
      try RawStore(SoakStore.url(in: arguments[1]).path).newest().record(in: arguments[1])
      exit(0)
    }
    if arguments.first == "fill", arguments.count == 2 {
      let container = try SoakStore.open(in: arguments[1])
      try SoakStore.fill(container)
      try SoakStore.close(container)
      exit(0)
    }
    guard let plan = Plan(arguments) else {
      FileHandle.standardError.write(Data(Plan.usage.utf8))
      exit(2)
    }
    // A killed worker no longer reads its pipe.
    signal(SIGPIPE, SIG_IGN)
    try conduct(plan)
  }

  private static func conduct(_ plan: Plan) throws {
    print(
      "soak: \(plan.processes) processes, \(plan.writers) of them write, \(Int(plan.seconds)) s, \(plan.kills) kills, "
        + "seed \(plan.seed)")
    let conductor = try Conductor(plan)
    let verdict = try Verdict(of: conductor.run())
    let counts = conductor.counts
    if plan.isOnServer {
      print(
        "server restarted \(counts.restarted), its connections ended \(counts.terminated), network cut \(counts.cut), "
          + "saves failed \(verdict.failed), processes that gave up \(counts.gaveUp)")
    }
    if let wakeUps = conductor.idleWakeUps {
      print("wake-ups of all processes in \(plan.idleSeconds) s of idleness: \(wakeUps)")
    }
    print(
      """
      processes started \(conductor.lives.count), killed \(counts.killed), stopped \(counts.stopped), \
      signal file deleted, moved or replaced \(counts.signalFilesReplaced)
      commits \(verdict.commits) acknowledged, \(verdict.inFlight) complete but not acknowledged, \
      \(verdict.refused) refused by a conflict
      merges \(verdict.merges), transactions followed \(verdict.followed), of them \(verdict.repeated) again after a kill
      lost \(verdict.lost), unacknowledged \(verdict.unacknowledged), missed \(verdict.missed), \
      doubled \(verdict.doubled), misordered \(verdict.misordered), contexts unlike the store \(verdict.unequal)
      ms until another process has merged, median, p99, maximum: \(text(verdict.delays.fromEnd)) since the save returned, \
      \(text(verdict.delays.fromBegin)) since it began
      CPU per process \(percent(conductor.processorSeconds / plan.seconds / Double(plan.processes))) of a core, \
      largest log \(conductor.maximumLogBytes >> 10) KiB
      """)
    for fault in verdict.faults.prefix(40) { print("FAULT: \(fault)") }
    print(
      verdict.isClean
        ? "clean" : "NOT CLEAN; repeat it with --seed \(plan.seed); the store is in \(conductor.folder)")
    exit(verdict.isClean && verdict.commits > 0 ? 0 : 1)
  }

  private static func text(_ sorted: [Int]) -> String {
    guard let maximum = sorted.last else { return "none" }
    let values = [sorted[sorted.count / 2], sorted[sorted.count * 99 / 100], maximum]
    return values.map { String(format: "%.2f", Double($0) / 1e6) }.joined(separator: " ")
  }

  private static func percent(_ share: Double) -> String { String(format: "%.1f %%", share * 100) }
}
