import BenchmarkData
import BenchmarkEvents
import CoreData

/// The workloads by name. Each returns the sum of the values that it read. The work before `timed` is not measured.
struct Workloads {
  let container: NSPersistentContainer
  let rows: Int
  let timed: Stopwatch

  func context() -> NSManagedObjectContext {
    let context = container.newBackgroundContext()
    context.undoManager = nil
    return context
  }

  func run(_ name: String) throws -> benchmark_sum {
    let context = context()
    return try context.performAndWait {
      switch name {
      case "insert": try insert(in: context, saveEvery: rows)
      case "insert-1000": try insert(in: context, saveEvery: 1_000)
      case "single": try singleSaves(in: context)
      case "all": try all(in: context) { $0.add(to: &$1) }
      case "one": try all(in: context) { $1.reals += $0.magnitude }
      case "ids": try ids(in: context)
      case "look-up": try lookUps(in: context)
      case "sorted": try sortedPages(in: context)
      case "import": try importFeed(in: context)
      case "update": try update(in: context)
      case "delete": try delete(in: context)
      case "to-many": try toMany(in: context, prefetching: false)
      case "to-many-prefetched": try toMany(in: context, prefetching: true)
      case "many-to-many": try manyToMany(in: context, limit: 10_000, prefetching: false)
      case "many-to-many-prefetched": try manyToMany(in: context, limit: 0, prefetching: true)
      case "first-50": try first50(in: context)
      case "first-50-batched": try first50Batched(in: context)
      case "hold": try hold(in: context)
      default: fatalError("Unknown workload '\(name)'.")
      }
    }
  }

  // MARK: Writing

  private func regions(in context: NSManagedObjectContext) throws -> [Region] {
    let request = NSFetchRequest<Region>(entityName: "Region")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    return try context.fetch(request)
  }

  private func insert(in context: NSManagedObjectContext, saveEvery size: Int) throws -> benchmark_sum {
    let events = (0..<rows).map { Event($0) }
    return try timed {
      let regions = try regions(in: context)
      for (index, event) in events.enumerated() {
        let quake = Quake(context: context)
        quake.apply(event)
        quake.region = regions[event.region]
        if (index + 1) % size == 0 { try context.save() }
      }
      if context.hasChanges { try context.save() }
      return benchmark_sum(reals: 0, integers: Int64(events.count))
    }
  }

  private func singleSaves(in context: NSManagedObjectContext) throws -> benchmark_sum {
    let events = (0..<1_000).map { Event(rows + $0) }
    return try timed {
      let regions = try regions(in: context)
      for event in events {
        let quake = Quake(context: context)
        quake.apply(event)
        quake.region = regions[event.region]
        try context.save()
      }
      return benchmark_sum(reals: 0, integers: Int64(events.count))
    }
  }

  private func importFeed(in context: NSManagedObjectContext) throws -> benchmark_sum {
    let feed = (0..<Int(BENCHMARK_FEED)).map { Event(feed: $0, rows: rows) }
    return try timed {
      let request = NSFetchRequest<Quake>(entityName: "Quake")
      request.predicate = NSPredicate(format: "ident IN %@", feed.map(\.ident))
      request.returnsObjectsAsFaults = false
      var known = Dictionary(minimumCapacity: feed.count) as [String: Quake]
      for quake in try context.fetch(request) { known[quake.ident ?? ""] = quake }
      let regions = try regions(in: context)
      for event in feed {
        if let quake = known[event.ident] {
          quake.apply(event)
        } else {
          let quake = Quake(context: context)
          quake.apply(event)
          quake.region = regions[event.region]
        }
      }
      let sum = benchmark_sum(
        reals: 0, integers: Int64(context.insertedObjects.count))
      try context.save()
      return sum
    }
  }

  private func update(in context: NSManagedObjectContext) throws -> benchmark_sum {
    try timed {
      let request = NSFetchRequest<Quake>(entityName: "Quake")
      request.predicate = NSPredicate(format: "region.number < %d", regionsTouched)
      let quakes = try context.fetch(request)
      for quake in quakes { quake.magnitude += 0.25 }
      try context.save()
      return benchmark_sum(reals: 0, integers: Int64(quakes.count))
    }
  }

  private func delete(in context: NSManagedObjectContext) throws -> benchmark_sum {
    try timed {
      let request = NSFetchRequest<Region>(entityName: "Region")
      request.predicate = NSPredicate(format: "number < %d", regionsTouched)
      for region in try context.fetch(request) { context.delete(region) }
      try context.save()
      let left = try context.count(for: NSFetchRequest<Quake>(entityName: "Quake"))
      return benchmark_sum(reals: 0, integers: Int64(left))
    }
  }

  /// The number of regions that have about 10,000 quakes in total.
  private var regionsTouched: Int { max(1, min(750, 10_000 * 750 / rows)) }
}
