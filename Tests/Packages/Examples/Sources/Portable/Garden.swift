import CoreData

#if !canImport(ObjectiveC)
// Foundation for Linux also has a class of this name, without initializers. An alias in the module resolves the ambiguity.
typealias NSExpression = CoreData.NSExpression

/// Autorelease pools exist only in Objective-C. Elsewhere, the last reference releases an object.
func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
#endif

/// Beds and plants.
public final class Garden {
  public let container: NSPersistentContainer

  public init(storeURL: URL) throws {
    guard let url = Bundle.module.url(forResource: "Garden", withExtension: "momd"),
      let model = NSManagedObjectModel(contentsOf: url)
    else { fatalError("The library has no model named Garden.") }
    container = NSPersistentContainer(name: "Garden", managedObjectModel: model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: storeURL)]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    container.viewContext.automaticallyMergesChangesFromParent = true
  }

  /// Plants seeds in batches, so that memory does not grow with their number.
  public func sow(_ count: Int, of name: String, atATime size: Int = 100) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for start in stride(from: 0, to: count, by: size) {
        try autoreleasepool {
          for _ in start..<min(start + size, count) { Plant(context: context).name = name }
          try context.save()
          context.reset()
        }
      }
    }
  }

  /// The height of the tallest plant of each name.
  public func tallest() throws -> [String: Double] {
    let height = NSExpressionDescription()
    height.name = "tallest"
    height.expression = NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: \Plant.height)])
    height.expressionResultType = .doubleAttributeType

    let request = NSFetchRequest<NSDictionary>(entityName: "Plant")
    request.resultType = .dictionaryResultType
    request.propertiesToGroupBy = ["name"]
    request.propertiesToFetch = ["name", height]
    var result: [String: Double] = [:]
    for row in try container.viewContext.fetch(request) {
      if let name = row["name"] as? String, let height = row["tallest"] as? Double { result[name] = height }
    }
    return result
  }

  /// Deletes all plants without reading them.
  public func clear() throws {
    // The type of the parameter selects the overload of fetchRequest(), without a cast.
    let delete = NSBatchDeleteRequest(fetchRequest: Plant.fetchRequest())
    delete.resultType = .resultTypeObjectIDs
    let result = try container.viewContext.execute(delete) as? NSBatchDeleteResult
    let ids = result?.result as? [NSManagedObjectID] ?? []
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [container.viewContext])
  }
}
