import BenchmarkData
import BenchmarkEvents
import CoreDataPostgreSQL

/// Workloads for a server, on which each operation costs a round trip.
extension Workloads {
  func runOnServer(_ name: String) throws -> benchmark_sum {
    let context = context()
    return try context.performAndWait {
      switch name {
      case "look-up": try lookUps(1_000, in: context)
      case "single-change": try singleChanges(in: context)
      case "batch-insert": try batchInsert(in: context)
      case "faults": try faults(in: context)
      case "count": try counts(in: context)
      default: try run(name)
      }
    }
  }

  private func quakes(_ count: Int, in context: NSManagedObjectContext) throws -> [Quake] {
    let request = NSFetchRequest<Quake>(entityName: "Quake")
    request.sortDescriptors = [NSSortDescriptor(key: "ident", ascending: true)]
    request.fetchLimit = count
    return try context.fetch(request)
  }

  private func singleChanges(in context: NSManagedObjectContext) throws -> benchmark_sum {
    let quakes = try quakes(1_000, in: context)
    return try timed {
      for quake in quakes {
        quake.magnitude += 0.25
        try context.save()
      }
      return benchmark_sum(reals: 0, integers: Int64(quakes.count))
    }
  }

  private func batchInsert(in context: NSManagedObjectContext) throws -> benchmark_sum {
    let events = (0..<rows).map { Event($0) }
    return try timed {
      var rest = events[...]
      let request = NSBatchInsertRequest(entityName: "Quake") { (object: NSManagedObject) in
        guard let event = rest.popFirst(), let quake = object as? Quake else { return true }
        quake.apply(event)
        return false
      }
      request.resultType = .count
      let result = try context.execute(request) as? NSBatchInsertResult
      return benchmark_sum(reals: 0, integers: Int64(result?.result as? Int ?? 0))
    }
  }

  /// Fires the faults of objects that were not fetched before.
  private func faults(in context: NSManagedObjectContext) throws -> benchmark_sum {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Quake")
    request.resultType = .managedObjectIDResultType
    request.sortDescriptors = [NSSortDescriptor(key: "ident", ascending: true)]
    request.fetchLimit = 1_000
    let ids = try context.fetch(request)
    return try timed {
      var sum = benchmark_sum()
      for id in ids { (context.object(with: id) as? Quake)?.add(to: &sum) }
      return sum
    }
  }

  private func counts(in context: NSManagedObjectContext) throws -> benchmark_sum {
    try timed {
      var sum = benchmark_sum()
      let request = NSFetchRequest<Quake>(entityName: "Quake")
      let isStrong = NSPredicate(format: "magnitude >= $LEAST")
      for step in 0..<100 {
        request.predicate = isStrong.withSubstitutionVariables(["LEAST": 7 + Double(step) / 100])
        sum.integers += Int64(try context.count(for: request))
      }
      return sum
    }
  }
}
