import Foundation

/// Tests a store under injected faults: `store-faults calls|power|kills [--every N] [--seed N] [--level FULL]
/// [--scene watched]`.
///
/// `calls` makes each file operation fail in turn; `power` cuts the power at every write of a recorded run; `kills`
/// kills a process at each call and before and after each signal: alone, beside another process, and during a
/// migration. The exit status is the verdict.
@main
struct StoreFaults {
  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "victim", arguments.count == 4, let call = Int(arguments[2]) {
      try Victim.run(in: URL(fileURLWithPath: arguments[1]), dyingAt: call, migrates: arguments[3] == "migrates")
    }
    let command = arguments.isEmpty ? "" : arguments.removeFirst()
    guard let every = option("--every", arguments, 1), let seed = option("--seed", arguments, nil) else { refuse() }
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
      guard (name == nil) == (scene == nil) else { refuse() }
      faults = try KillRun(in: root, every: every).run(only: scene)
    default: refuse()
    }
    try? FileManager.default.removeItem(at: root)
    exit(faults == 0 ? 0 : 1)
  }

  private static func option(_ name: String, _ arguments: [String], _ standard: Int?) -> Int? {
    guard let place = arguments.firstIndex(of: name) else { return standard ?? Int.random(in: 1..<1_000_000) }
    return place + 1 < arguments.count ? Int(arguments[place + 1]) : nil
  }

  private static func text(_ name: String, _ arguments: [String]) -> String? {
    arguments.firstIndex(of: name).flatMap { arguments.dropFirst($0 + 1).first }
  }

  private static func refuse() -> Never {
    let usage = "usage: store-faults calls|power|kills [--every N] [--seed N] [--level FULL] [--scene watched]\n"
    FileHandle.standardError.write(Data(usage.utf8))
    exit(2)
  }
}

/// What a run tells while it goes on: a whole one takes an hour.
enum Progress {
  /// A result, on standard output, also into a file at once.
  static func report(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// How far the run is, on standard error.
  static func tell(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}
