import BenchmarkService
import CoreData

// benchmark-service-strata STORE TASKS SECONDS [history] [merging]: runs the load on a new store and prints the figures.
// With `merging`, the view context merges every save.

let arguments = CommandLine.arguments
guard arguments.count >= 4, let tasks = Int(arguments[2]), let seconds = Double(arguments[3]) else {
  fatalError("Usage: benchmark-service-strata STORE TASKS SECONDS [history] [merging]")
}
let container = try Library.open(arguments[1], history: arguments.contains("history"))
if arguments.contains("merging") { container.viewContext.automaticallyMergesChangesFromParent = true }
let tagIDs = try await container.performBackgroundTask { context in
  let tags = ["first", "second"].map { name in
    let tag = Tag(context: context)
    tag.name = name
    return tag
  }
  try context.save()
  return tags.map(\.objectID)
}
let figures = try await ServiceLoad(tasks: tasks, seconds: seconds).run(on: arguments[1]) { number in
  try await container.performBackgroundTask { context in
    context.mergePolicy = NSMergePolicy.mergingRelationships
    let book = Book(context: context)
    book.title = "Book \(number)"
    book.added = .now
    book.tags = Set(try tagIDs.compactMap { try context.existingObject(with: $0) as? Tag })
    try context.save()
  }
}
let (books, tagged) = try await container.performBackgroundTask { context in
  let count = { (condition: String) in
    let request = NSFetchRequest<Book>(entityName: "Book")
    request.predicate = NSPredicate(format: condition)
    return try context.count(for: request)
  }
  return (try count("TRUEPREDICATE"), try count("tags.@count == 2"))
}
guard books >= figures.saves, tagged == books else { fatalError("Saves were lost.") }
try figures.report()
