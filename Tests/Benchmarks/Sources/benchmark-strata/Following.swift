import CoreData

/// An observing process: a context with all regions that merges other processes' commits.
struct Following {
  let container: NSPersistentContainer

  func untilInputEnds() throws {
    let context = container.newBackgroundContext()
    context.automaticallyMergesChangesFromParent = true
    let regions = try context.performAndWait { try context.fetch(NSFetchRequest<Region>(entityName: "Region")) }
    print("following \(regions.count) regions")
    fflush(nil)
    while readLine() != nil {}
  }
}
