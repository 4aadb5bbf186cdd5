import CoreData
import Synchronization

/// Imports recipes into a child of a context. The context gets all recipes together, or none if one of them is invalid
/// or the operation is canceled.
public final class ImportOperation: Operation, @unchecked Sendable {
  // Sendable: like its superclass; the mutable state is in `outcome`.

  /// A recipe of the feed.
  public struct Record: Sendable {
    public var title: String?
    public var minutes: Int

    public init(title: String?, minutes: Int) {
      self.title = title
      self.minutes = minutes
    }
  }

  private let records: [Record]
  private let parent: NSManagedObjectContext
  private let outcome = Mutex<Result<[NSManagedObjectID], any Error>?>(nil)

  public init(records: [Record], into parent: NSManagedObjectContext) {
    self.records = records
    self.parent = parent
  }

  /// The IDs of the imported recipes, or the error; nil before the operation has run.
  public var result: Result<[NSManagedObjectID], any Error>? { outcome.withLock { $0 } }

  public override func main() {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.parent = parent
    let result = context.performAndWait { Result { try importRecords(in: context) } }
    outcome.withLock { $0 = result }
  }

  private func importRecords(in context: NSManagedObjectContext) throws -> [NSManagedObjectID] {
    var recipes: [Recipe] = []
    for record in records {
      guard !isCancelled else { throw CancellationError() }
      let recipe = Recipe(context: context)
      recipe.title = record.title
      recipe.minutes = Int32(clamping: record.minutes)
      recipes.append(recipe)
    }
    // The objects then have the same IDs here, in the parent, and in the store.
    try context.obtainPermanentIDs(for: recipes)
    guard !isCancelled else { throw CancellationError() }
    try context.save()
    return recipes.map(\.objectID)
  }
}
