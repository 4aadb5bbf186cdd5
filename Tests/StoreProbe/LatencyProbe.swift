import CoreData
import Foundation

/// Measures the time from a commit to its merge in other processes, and their CPU use.
@MainActor
final class LatencyProbe {
  private let context: NSManagedObjectContext
  private var readers: [(process: Process, lines: Lines)] = []

  /// Starts processes whose contexts merge automatically; this process writes.
  init(_ container: NSPersistentContainer, in folder: URL, processes: Int) throws {
    context = container.newBackgroundContext()
    for _ in 0..<processes {
      let (reader, output) = (Process(), Pipe())
      reader.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      reader.arguments = ["read", folder.path, "\(Int32.max)"]
      reader.standardOutput = output
      try reader.run()
      readers.append((reader, Lines(output.fileHandleForReading)))
    }
  }

  /// - Parameter rate: commits per second, evenly spaced.
  func measure(seconds: Int, rate: Int) throws {
    for reader in readers { reader.lines.waitForFirst() }
    try write(rate, rate)
    usleep(500_000)
    for reader in readers { reader.lines.forget() }

    let before = usage
    let times = try write(seconds * rate, rate)
    usleep(500_000)
    let seconds = (usage.seconds - before.seconds) / Double(seconds)
    report(times, rate: rate)
    print(String(format: "CPU of each process that merges: %.1f %% of a core", seconds / Double(readers.count) * 100))
    if readers.count == 1 { reportIdleUse() }
    for reader in readers { reader.process.terminate() }
  }

  private var usage: Usage {
    readers.reduce(into: Usage()) { $0.add(Usage(of: $1.process.processIdentifier)) }
  }

  /// Waits first: the rechecks after a commit last a second, and idle Dispatch threads exit after five.
  private func reportIdleUse() {
    usleep(10_000_000)
    let before = usage
    usleep(10_000_000)
    let after = usage
    print(
      "idle for 10 s: \(after.wakeUps - before.wakeUps) wake-ups, "
        + String(format: "%.0f ms of CPU", (after.seconds - before.seconds) * 1_000))
  }

  /// Returns when each save began and returned.
  @discardableResult
  private func write(_ count: Int, _ rate: Int) throws -> [(began: UInt64, ended: UInt64)] {
    let start = StoreProbe.now()
    return try context.performAndWait {
      try (0..<count).map { number in
        let scheduled = start + UInt64(number) * 1_000_000_000 / UInt64(rate)
        let remaining = Int64(bitPattern: scheduled &- StoreProbe.now())
        if remaining > 0 { usleep(UInt32(remaining / 1_000)) }
        let event = NSEntityDescription.insertNewObject(forEntityName: "Event", into: context)
        event.setValue(number, forKey: "number")
        let began = StoreProbe.now()
        try context.save()
        return (began, StoreProbe.now())
      }
    }
  }

  private func report(_ times: [(began: UInt64, ended: UInt64)], rate: Int) {
    let all = readers.map { $0.lines.merges() }
    let known = all.flatMap { merges in
      times.indices.compactMap { number in merges[number].map { (times[number], $0) } }
    }
    func text(_ delays: [UInt64]) -> String {
      let sorted = delays.sorted()
      guard let maximum = sorted.last else { return "none" }
      let values = [sorted[sorted.count / 2], sorted[sorted.count * 99 / 100], maximum]
      return values.map { String(format: "%.3f", Double($0) / 1e6) }.joined(separator: " ")
    }
    let lost = readers.count * times.count - known.count
    print("\(times.count) commits, \(rate) a second, merged by \(readers.count) other processes; \(lost) not merged")
    print("ms to the merge, median, p99, maximum: \(text(known.map { $1 - $0.began })) since the save began")
    print("  \(text(known.map { $1 - min($1, $0.ended) })) since it had returned")
  }
}

/// The resources that a process has used so far.
private struct Usage {
  var seconds = 0.0
  /// The voluntary context switches of all threads.
  var wakeUps = 0

  init() {}

  mutating func add(_ other: Usage) {
    seconds += other.seconds
    wakeUps += other.wakeUps
  }

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

/// A process's output, which a separate thread reads.
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

  /// Returns when each event was merged, by number.
  func merges() -> [Int: UInt64] {
    let lines = lock.withLock { text }.split(separator: "\n")
    return lines.reduce(into: [:]) { merges, line in
      let words = line.split(separator: " ")
      if words.count == 3, let number = Int(words[1]), let time = UInt64(words[2]) { merges[number] = time }
    }
  }
}
