import ChildContexts
import CoreData
import Testing

@MainActor
struct ChildContextsTests {
  private let folder: TemporaryFolder
  private let stack: RecipeStack
  private let queue = OperationQueue()

  init() throws {
    folder = try TemporaryFolder()
    stack = try RecipeStack(storeURL: folder.url.appendingPathComponent("Recipes.sqlite"))
    queue.maxConcurrentOperationCount = 4
  }

  private func records(_ count: Int, of name: String) -> [ImportOperation.Record] {
    (0..<count).map { .init(title: "\(name) \($0)", minutes: $0 + 1) }
  }

  /// The number of recipes in the store, without unsaved ones.
  private func stored() async throws -> Int {
    try await stack.container.performBackgroundTask { try $0.count(for: Recipe.fetchRequest()) }
  }

  private func occupy(_ context: NSManagedObjectContext, until gate: DispatchSemaphore) {
    context.perform { gate.wait() }
  }

  @Test func `imports are saved to the parent and then to the store`() async throws {
    let operations = (0..<8).map { ImportOperation(records: records(50, of: "Import \($0)"), into: stack.mainContext) }
    for operation in operations { queue.addOperation(operation) }
    #expect(await eventually { operations.allSatisfy(\.isFinished) })
    #expect(try stack.mainContext.count(for: Recipe.fetchRequest()) == 400)
    #expect(stack.mainContext.hasChanges)
    #expect(try await stored() == 0)

    try await stack.save()
    #expect(!stack.mainContext.hasChanges)
    #expect(try await stored() == 400)
    for operation in operations {
      let ids = try #require(operation.result).get()
      #expect(ids.count == 50 && ids.allSatisfy { !$0.isTemporaryID })
      let first = try stack.mainContext.existingObject(with: ids[0]) as? Recipe
      #expect(first?.title?.hasSuffix(" 0") == true)
    }
  }

  @Test func `an invalid record discards its import`() async throws {
    let good = ImportOperation(records: records(10, of: "Soup"), into: stack.mainContext)
    let bad = ImportOperation(
      records: records(10, of: "Cake") + [.init(title: nil, minutes: 5)], into: stack.mainContext)
    for operation in [good, bad] { queue.addOperation(operation) }
    #expect(await eventually { good.isFinished && bad.isFinished })
    let error = #expect(throws: CocoaError.self) { _ = try #require(bad.result).get() }
    #expect(error?.code == .validationMissingMandatoryProperty)
    #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "title")
    try await stack.save()
    #expect(try await stored() == 10)
  }

  @Test func `a canceled import saves nothing`() async throws {
    let early = ImportOperation(records: records(10, of: "Stew"), into: stack.mainContext)
    early.cancel()
    queue.addOperation(early)
    #expect(await eventually { early.isFinished })
    #expect(early.result == nil)

    // The import needs the parent's queue before it saves, and waits as long as the queue is busy.
    let (writer, gate) = (stack.writerContext, DispatchSemaphore(value: 0))
    let late = ImportOperation(records: records(10, of: "Stew"), into: writer)
    occupy(writer, until: gate)
    queue.addOperation(late)
    #expect(await eventually { late.isExecuting })
    late.cancel()
    gate.signal()
    #expect(await eventually { late.isFinished })
    #expect(throws: CancellationError.self) { try #require(late.result).get() }

    #expect(writer.performAndWait { !writer.hasChanges })
    #expect(try await stored() == 0)
  }
}
