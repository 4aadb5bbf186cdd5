import CoreData
import Foundation

/// Measures the time from a commit to its merge in another process, and that process's CPU use.
@MainActor
final class Figures {
  private let context: NSManagedObjectContext
  private let reader = Process()
  private let output = Pipe()

  /// Starts a process whose context merges automatically; this process writes.
  init(_ container: NSPersistentContainer, in folder: URL) throws {
    context = container.newBackgroundContext()
    reader.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    reader.arguments = ["read", folder.path, "\(Int32.max)"]
    reader.standardOutput = output
    try reader.run()
  }

  /// - Parameter rate: commits per second, evenly spaced.
  func measure(seconds: Int, rate: Int) throws {
    let lines = Lines(output.fileHandleForReading)
    lines.waitForFirst()
    try write(rate, rate)
    usleep(500_000)
    lines.forget()

    let before = Usage(of: reader.processIdentifier)
    let times = try write(seconds * rate, rate)
    usleep(500_000)
    let used = Usage(of: reader.processIdentifier).seconds - before.seconds
    report(times, lines.merges(), "\(seconds * rate) commits, \(rate) a second")
    print(String(format: "CPU of the process that merges: %.1f %% of a core", used / Double(seconds) * 100))
    reportRest()
    reader.terminate()
  }

  /// Waits first: the rechecks after a commit last a second, and idle Dispatch threads exit after five.
  private func reportRest() {
    usleep(10_000_000)
    let before = Usage(of: reader.processIdentifier)
    usleep(10_000_000)
    let after = Usage(of: reader.processIdentifier)
    print(
      "at rest for 10 s: \(after.wakeUps - before.wakeUps) wake-ups, "
        + String(format: "%.0f ms of CPU", (after.seconds - before.seconds) * 1_000))
  }

  /// When each save began and returned.
  @discardableResult
  private func write(_ count: Int, _ rate: Int) throws -> [(began: UInt64, ended: UInt64)] {
    let start = StoreProbe.now()
    return try context.performAndWait {
      try (0..<count).map { number in
        let moment = start + UInt64(number) * 1_000_000_000 / UInt64(rate)
        let early = Int64(bitPattern: moment &- StoreProbe.now())
        if early > 0 { usleep(UInt32(early / 1_000)) }
        let event = NSEntityDescription.insertNewObject(forEntityName: "Event", into: context)
        event.setValue(number, forKey: "number")
        let began = StoreProbe.now()
        try context.save()
        return (began, StoreProbe.now())
      }
    }
  }

  private func report(_ times: [(began: UInt64, ended: UInt64)], _ merges: [Int: UInt64], _ what: String) {
    let known = times.indices.compactMap { number in merges[number].map { (times[number], $0) } }
    func text(_ delays: [UInt64]) -> String {
      let sorted = delays.sorted()
      guard let most = sorted.last else { return "none" }
      let values = [sorted[sorted.count / 2], sorted[sorted.count * 99 / 100], most]
      return values.map { String(format: "%.3f", Double($0) / 1e6) }.joined(separator: " ")
    }
    print("\(what); merged by the other process \(known.count)")
    print("ms to the merge, median, p99, most: \(text(known.map { $1 - $0.began })) since the save began")
    print("  \(text(known.map { $1 - min($1, $0.ended) })) since it had returned")
  }
}

/// The resources that a process has used so far.
private struct Usage {
  var seconds = 0.0
  /// The voluntary context switches of all threads.
  var wakeUps = 0

  init(of process: Int32) {
    let folder = "/proc/\(process)"
    let words = ((try? String(contentsOfFile: "\(folder)/stat", encoding: .utf8)) ?? "").split(separator: " ")
    // proc_pid_stat(5): utime and stime, in clock ticks.
    if words.count > 14, let user = Double(words[13]), let system = Double(words[14]) {
      seconds = (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
    for task in (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/task")) ?? [] {
      let status = (try? String(contentsOfFile: "\(folder)/task/\(task)/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
      wakeUps += line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
    }
  }
}

/// A process's output, read by a thread of its own.
private final class Lines: @unchecked Sendable {
  // @unchecked: mutable state is locked.
  private let lock = NSLock()
  private var text = ""
  private let began = DispatchSemaphore(value: 0)

  init(_ file: FileHandle) {
    let thread = Thread { [self] in
      while true {
        let data = file.availableData
        guard !data.isEmpty else { return }
        lock.withLock { text += String(decoding: data, as: UTF8.self) }
        began.signal()
      }
    }
    thread.start()
  }

  func waitForFirst() { began.wait() }
  func forget() { lock.withLock { text = "" } }

  /// When each event was merged, by number.
  func merges() -> [Int: UInt64] {
    let lines = lock.withLock { text }.split(separator: "\n")
    return lines.reduce(into: [:]) { merges, line in
      let words = line.split(separator: " ")
      if words.count == 3, let number = Int(words[1]), let time = UInt64(words[2]) { merges[number] = time }
    }
  }
}
