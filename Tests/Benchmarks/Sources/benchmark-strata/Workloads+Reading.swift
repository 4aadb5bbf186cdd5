import BenchmarkData
import BenchmarkEvents
import CoreData

extension Workloads {
  func all(
    in context: NSManagedObjectContext, _ add: (Quake, inout benchmark_sum) -> Void
  ) throws -> benchmark_sum {
    try timed {
      var sum = benchmark_sum()
      for quake in try context.fetch(NSFetchRequest<Quake>(entityName: "Quake")) { add(quake, &sum) }
      return sum
    }
  }

  func ids(in context: NSManagedObjectContext) throws -> benchmark_sum {
    try timed {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Quake")
      request.resultType = .managedObjectIDResultType
      return benchmark_sum(reals: 0, integers: Int64(try context.fetch(request).count))
    }
  }

  func lookUps(_ count: Int = 100_000, in context: NSManagedObjectContext) throws -> benchmark_sum {
    let idents = (0..<min(count, rows)).map { Event(Int(benchmark_pick(UInt64($0), UInt64(rows)))).ident }
    return try timed {
      var sum = benchmark_sum()
      let byIdent = NSPredicate(format: "ident == $IDENT")
      let request = NSFetchRequest<Quake>(entityName: "Quake")
      request.fetchLimit = 1
      for ident in idents {
        request.predicate = byIdent.withSubstitutionVariables(["IDENT": ident])
        try context.fetch(request).first?.add(to: &sum)
      }
      return sum
    }
  }

  func sortedPages(in context: NSManagedObjectContext) throws -> benchmark_sum {
    try timed {
      var sum = benchmark_sum()
      let request = NSFetchRequest<Quake>(entityName: "Quake")
      request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: false)]
      request.fetchLimit = 50
      for page in 0..<200 {
        let first = Date(timeIntervalSinceReferenceDate: 600_000_000 + Double(page) * 1_000_000)
        let last = first.addingTimeInterval(100_000_000)
        request.predicate = NSPredicate(
          format: "magnitude >= 5 AND time >= %@ AND time < %@", first as NSDate, last as NSDate)
        for quake in try context.fetch(request) { quake.add(to: &sum) }
      }
      return sum
    }
  }

  func toMany(in context: NSManagedObjectContext, prefetching: Bool) throws -> benchmark_sum {
    try timed {
      var sum = benchmark_sum()
      let request = NSFetchRequest<Region>(entityName: "Region")
      if prefetching { request.relationshipKeyPathsForPrefetching = ["quakes"] }
      for region in try context.fetch(request) {
        for quake in region.quakes { sum.reals += quake.magnitude }
      }
      return sum
    }
  }

  func manyToMany(in context: NSManagedObjectContext, limit: Int, prefetching: Bool) throws -> benchmark_sum {
    try timed {
      var sum = benchmark_sum()
      let request = NSFetchRequest<Quake>(entityName: "Quake")
      request.fetchLimit = limit
      if prefetching { request.relationshipKeyPathsForPrefetching = ["tags"] }
      for quake in try context.fetch(request) {
        for tag in quake.tags { sum.integers += tag.number }
      }
      return sum
    }
  }

  func first50(in context: NSManagedObjectContext) throws -> benchmark_sum {
    try timed {
      var sum = benchmark_sum()
      let request = NSFetchRequest<Quake>(entityName: "Quake")
      request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: false)]
      request.fetchLimit = 50
      for quake in try context.fetch(request) { quake.add(to: &sum) }
      return sum
    }
  }

  /// The first 50 of all, fetched in batches of 50.
  func first50Batched(in context: NSManagedObjectContext) throws -> benchmark_sum {
    try timed {
      var sum = benchmark_sum()
      let request = NSFetchRequest<Quake>(entityName: "Quake")
      request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: false)]
      request.fetchBatchSize = 50
      for quake in try context.fetchedObjects(request).prefix(50) { quake.add(to: &sum) }
      return sum
    }
  }

  /// Keeps all objects, with every value read, until the end of the stretch.
  func hold(in context: NSManagedObjectContext) throws -> benchmark_sum {
    var kept: [Quake] = []
    let sum = try timed {
      kept = try context.fetch(NSFetchRequest<Quake>(entityName: "Quake"))
      var sum = benchmark_sum()
      for quake in kept { quake.add(to: &sum) }
      return sum
    }
    return withExtendedLifetime(kept) { sum }
  }
}
