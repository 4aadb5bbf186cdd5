import BenchmarkData
import BenchmarkEvents
import CoreData

/// Creates the store that all programs use.
struct Preparation {
  let container: NSPersistentContainer

  func fill(rows: Int) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let regions = (0..<Int(BENCHMARK_REGIONS)).map { number in
        let region = Region(context: context)
        (region.number, region.name) = (Int64(number), "Region \(number)")
        return region
      }
      let tags = (0..<Int(BENCHMARK_TAGS)).map { number in
        let tag = Tag(context: context)
        (tag.number, tag.name) = (Int64(number), "Tag \(number)")
        return tag
      }
      for index in 0..<rows {
        let event = Event(index)
        let quake = Quake(context: context)
        quake.apply(event)
        quake.region = regions[event.region]
        if !event.tags.isEmpty { quake.tags = Set(event.tags.map { tags[$0] }) }
        if index % 100_000 == 99_999 { try context.save() }
      }
      try context.save()
    }
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
  }
}
