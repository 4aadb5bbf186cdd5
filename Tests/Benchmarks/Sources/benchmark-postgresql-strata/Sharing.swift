import BenchmarkData
import CoreDataPostgreSQL
import Synchronization

/// One of several processes that share a store.
struct Sharing {
  let container: NSPersistentContainer
  let seconds: Double

  private func quakes(_ context: NSManagedObjectContext, from first: Int, _ count: Int) throws -> [Quake] {
    let request = NSFetchRequest<Quake>(entityName: "Quake")
    request.sortDescriptors = [NSSortDescriptor(key: "ident", ascending: true)]
    (request.fetchOffset, request.fetchLimit) = (first, count)
    return try context.fetch(request)
  }

  /// Saves changes of one quake, which no other process changes. Prints the number of saves, their median duration, and
  /// the CPU time per save.
  /// - Parameter pause: the pause between saves, in seconds.
  func write(quake number: Int, pause: Double) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      guard let quake = try quakes(context, from: number, 1).first else { return }
      let end = Date().addingTimeInterval(seconds)
      var times: [Double] = []
      benchmark_begin()
      while Date() < end {
        let start = Date()
        quake.updated = start
        try context.save()
        times.append(Date().timeIntervalSince(start))
        if pause > 0 { Thread.sleep(forTimeInterval: pause) }
      }
      let cpu = benchmark_end().cpu
      guard !times.isEmpty else { return print("nothing was saved") }
      print(
        "\(times.count) saves, p50 \(milliseconds(times.sorted(), 0.5)) ms, "
          + "\(Int(cpu * 1_000) / times.count) µs of CPU each")
    }
  }

  private func milliseconds(_ sorted: [Double], _ part: Double) -> String {
    String(format: "%.2f", sorted[Int(Double(sorted.count - 1) * part)] * 1_000)
  }

  /// Merges the saves of other processes. Prints the latency since their start, and the CPU time per merge.
  func follow() throws {
    let context = container.newBackgroundContext()
    context.automaticallyMergesChangesFromParent = true
    let latencies = Mutex<[Double]>([])
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { change in
      let now = Date()
      let refreshed = change.userInfo?[NSRefreshedObjectsKey] as? Set<NSManagedObject> ?? []
      let times = refreshed.compactMap { ($0 as? Quake)?.updated.map { now.timeIntervalSince($0) } }
      latencies.withLock { $0 += times }
    }
    let known = try context.performAndWait { try quakes(context, from: 0, 64) }
    benchmark_begin()
    Thread.sleep(forTimeInterval: seconds)
    let cpu = benchmark_end().cpu
    NotificationCenter.default.removeObserver(observer)
    let sorted = latencies.withLock { $0.sorted() }
    guard !sorted.isEmpty, !known.isEmpty else { return print("nothing was merged") }
    print(
      "\(sorted.count) merged, p50 \(milliseconds(sorted, 0.5)) ms, p99 \(milliseconds(sorted, 0.99)) ms, "
        + "\(Int(cpu * 1_000) / sorted.count) µs of CPU each")
  }
}
