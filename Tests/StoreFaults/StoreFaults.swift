import Foundation

/// Tests a store under injected faults: `store-faults calls|power|kills [--every N] [--seed N] [--level FULL]
/// [--scene watched]`.
///
/// `calls` makes each file operation fail in turn; `power` cuts the power at every write of a recorded run; `kills`
/// kills a process at each call and before and after each signal: alone, alongside another process, and during a
/// migration. The exit status is 0 if nothing was lost.
@main
struct StoreFaults {
  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "victim", arguments.count == 4, let call = Int(arguments[2]) {
      try Victim.run(in: URL(fileURLWithPath: arguments[1]), dyingAt: call, migrates: arguments[3] == "migrates")
    }
    let command = arguments.isEmpty ? "" : arguments.removeFirst()
    guard let every = option("--every", arguments, 1), let seed = option("--seed", arguments, nil) else {
      exitWithUsage()
    }
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("store-faults-\(getpid())")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    Faults.install()
    let faults: Int
    switch command {
    case "calls":
      var run = FaultRun(in: root, every: every)
      try run.run()
      faults = run.faults.count + (run.failed > 0 ? 0 : 1)
    case "power":
      Progress.report("seed \(seed)")
      faults = try PowerRun(in: root, every: every, level: text("--level", arguments), seed: UInt64(seed)).run()
    case "kills":
      let name = text("--scene", arguments)
      let scene = name.flatMap(KillRun.Situation.init)
      guard (name == nil) == (scene == nil) else { exitWithUsage() }
      faults = try KillRun(in: root, every: every).run(only: scene)
    default: exitWithUsage()
    }
    try? FileManager.default.removeItem(at: root)
    exit(faults == 0 ? 0 : 1)
  }

  private static func option(_ name: String, _ arguments: [String], _ defaultValue: Int?) -> Int? {
    guard let index = arguments.firstIndex(of: name) else { return defaultValue ?? Int.random(in: 1..<1_000_000) }
    return index + 1 < arguments.count ? Int(arguments[index + 1]) : nil
  }

  private static func text(_ name: String, _ arguments: [String]) -> String? {
    arguments.firstIndex(of: name).flatMap { arguments.dropFirst($0 + 1).first }
  }

  private static func exitWithUsage() -> Never {
    let usage = "usage: store-faults calls|power|kills [--every N] [--seed N] [--level FULL] [--scene watched]\n"
    FileHandle.standardError.write(Data(usage.utf8))
    exit(2)
  }
}

/// The output of a run, which takes an hour as a whole.
enum Progress {
  /// Prints a result on standard output, and flushes it, so that it reaches a file immediately.
  static func report(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// Prints the progress on standard error.
  static func update(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}
