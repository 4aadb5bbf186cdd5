import BenchmarkData
import BenchmarkEvents
import CoreData
import SwiftData

/// The workloads in one of the two APIs. Each returns the sum of the values that it read. What precedes `timed` is not measured.
protocol Workloads {
  func insert() throws -> benchmark_sum
  func singleSaves() throws -> benchmark_sum
  func all() throws -> benchmark_sum
  func one() throws -> benchmark_sum
  func lookUps() throws -> benchmark_sum
  func hold() throws -> benchmark_sum
}

extension Workloads {
  func run(_ name: String) throws -> benchmark_sum {
    switch name {
    case "insert": try insert()
    case "single": try singleSaves()
    case "all": try all()
    case "one": try one()
    case "look-up": try lookUps()
    case "hold": try hold()
    default: fatalError("Unknown workload '\(name)'.")
    }
  }
}

/// Keeps objects until the process ends.
nonisolated(unsafe) var held: [AnyObject] = []  // one thread

struct SwiftDataWorkloads: Workloads {
  let container: ModelContainer
  let rows: Int
  let timed: Stopwatch

  private var regions: FetchDescriptor<Region> { FetchDescriptor(sortBy: [SortDescriptor(\.number)]) }

  func insert() throws -> benchmark_sum {
    let events = (0..<rows).map { Event($0) }
    return try timed {
      let context = ModelContext(container)
      let regions = try context.fetch(regions)
      for event in events {
        let quake = Quake(event)
        quake.region = regions[event.region]
        context.insert(quake)
      }
      try context.save()
      return benchmark_sum(reals: 0, integers: Int64(events.count))
    }
  }

  func singleSaves() throws -> benchmark_sum {
    let events = (0..<1_000).map { Event(rows + $0) }
    return try timed {
      let context = ModelContext(container)
      let regions = try context.fetch(regions)
      for event in events {
        let quake = Quake(event)
        quake.region = regions[event.region]
        context.insert(quake)
        try context.save()
      }
      return benchmark_sum(reals: 0, integers: Int64(events.count))
    }
  }

  func all() throws -> benchmark_sum {
    try timed {
      var sum = benchmark_sum()
      for quake in try ModelContext(container).fetch(FetchDescriptor<Quake>()) { quake.add(to: &sum) }
      return sum
    }
  }

  func one() throws -> benchmark_sum {
    try timed {
      var sum = benchmark_sum()
      for quake in try ModelContext(container).fetch(FetchDescriptor<Quake>()) { sum.reals += quake.magnitude }
      return sum
    }
  }

  func lookUps() throws -> benchmark_sum {
    let idents = (0..<rows).map { Event(Int(benchmark_pick(UInt64($0), UInt64(rows)))).ident }
    return try timed {
      var sum = benchmark_sum()
      let context = ModelContext(container)
      for ident in idents {
        var descriptor = FetchDescriptor<Quake>(predicate: #Predicate { $0.ident == ident })
        descriptor.fetchLimit = 1
        try context.fetch(descriptor).first?.add(to: &sum)
      }
      return sum
    }
  }

  func hold() throws -> benchmark_sum {
    let context = ModelContext(container)
    held.append(context)
    return try timed {
      held += try context.fetch(FetchDescriptor<Quake>()) as [AnyObject]
      return benchmark_sum(reals: 0, integers: Int64(held.count))
    }
  }
}

extension Quake {
  fileprivate func add(to sum: inout benchmark_sum) {
    sum.reals += magnitude + latitude + longitude + depth
    sum.reals += time.timeIntervalSinceReferenceDate + updated.timeIntervalSinceReferenceDate
    sum.integers += Int64(ident.utf8.count + place.utf8.count + net.utf8.count + status.utf8.count + type.utf8.count)
    sum.integers += Int64((felt ?? 0) + significance)
  }
}

struct CoreDataWorkloads: Workloads {
  let coordinator: NSPersistentStoreCoordinator
  let rows: Int
  let timed: Stopwatch

  private var request: NSFetchRequest<ManagedQuake> { NSFetchRequest(entityName: "Quake") }

  private func timed(_ work: (NSManagedObjectContext) throws -> benchmark_sum) throws -> benchmark_sum {
    try timed {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      return try context.performAndWait { try work(context) }
    }
  }

  private func regions(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Region")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    return try context.fetch(request)
  }

  private func insert(_ events: [Event], savesEach: Bool) throws -> benchmark_sum {
    try timed { context in
      let regions = try regions(in: context)
      for event in events {
        let quake = ManagedQuake(context: context)
        quake.apply(event)
        quake.region = regions[event.region]
        if savesEach { try context.save() }
      }
      try context.save()
      return benchmark_sum(reals: 0, integers: Int64(events.count))
    }
  }

  func insert() throws -> benchmark_sum { try insert((0..<rows).map { Event($0) }, savesEach: false) }

  func singleSaves() throws -> benchmark_sum {
    try insert((0..<1_000).map { Event(rows + $0) }, savesEach: true)
  }

  func all() throws -> benchmark_sum {
    try timed { context in
      var sum = benchmark_sum()
      for quake in try context.fetch(request) { quake.add(to: &sum) }
      return sum
    }
  }

  func one() throws -> benchmark_sum {
    try timed { context in
      var sum = benchmark_sum()
      for quake in try context.fetch(request) { sum.reals += quake.magnitude }
      return sum
    }
  }

  func lookUps() throws -> benchmark_sum {
    let idents = (0..<rows).map { Event(Int(benchmark_pick(UInt64($0), UInt64(rows)))).ident }
    return try timed { context in
      var sum = benchmark_sum()
      let (byIdent, request) = (NSPredicate(format: "ident == $IDENT"), request)
      request.fetchLimit = 1
      for ident in idents {
        request.predicate = byIdent.withSubstitutionVariables(["IDENT": ident])
        try context.fetch(request).first?.add(to: &sum)
      }
      return sum
    }
  }

  func hold() throws -> benchmark_sum {
    try timed { context in
      held.append(context)
      held += try context.fetch(request) as [AnyObject]
      return benchmark_sum(reals: 0, integers: Int64(held.count))
    }
  }
}

extension ManagedQuake {
  fileprivate func add(to sum: inout benchmark_sum) {
    sum.reals += magnitude + latitude + longitude + depth
    sum.reals += time.timeIntervalSinceReferenceDate + updated.timeIntervalSinceReferenceDate
    sum.integers += Int64(ident.utf8.count + place.utf8.count + net.utf8.count + status.utf8.count + type.utf8.count)
    sum.integers += (felt ?? 0) + significance
  }
}
