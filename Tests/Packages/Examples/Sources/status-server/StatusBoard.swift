import CoreData

/// The reports of a network's machines. All methods may be called concurrently, from any task.
final class StatusBoard: Sendable {
  private let container: NSPersistentContainer

  init(storeURL: URL) throws {
    container = NSPersistentContainer(name: "Machines")
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: storeURL)]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
  }

  /// Processes a line.
  /// - Returns: the response, also for a failure.
  func reply(to line: String) async -> String {
    let words = line.split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return "bad request" }
    do {
      try await record(status: String(words[1]), of: String(words[0]))
      return "ok"
    } catch {
      return "failed: \(error.localizedDescription)"
    }
  }

  /// Records a report, and the machine if the report is its first.
  ///
  /// If two tasks record the first report of a machine at the same time, both insert the machine. Its name is unique in the
  /// model, so the second save has a conflict. The merge policy merges the two machines and their reports.
  func record(status: String, of name: String) async throws {
    try await container.performBackgroundTask { context in
      context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
      let request: NSFetchRequest<Machine> = Machine.fetchRequest()
      request.predicate = NSPredicate(format: "name == %@", name)
      let machine = try context.fetch(request).first ?? Machine(context: context)
      machine.name = name
      machine.status = status

      let report = Report(context: context)
      report.received = Date()
      report.status = status
      report.machine = machine
      try context.save()
    }
  }

  /// The number of reports of each machine.
  func reportCounts() async throws -> [(machine: String, reports: Int)] {
    try await container.performBackgroundTask { context in
      let request: NSFetchRequest<Machine> = Machine.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(keyPath: \Machine.name, ascending: true)]
      request.relationshipKeyPathsForPrefetching = ["reports"]
      return try context.fetch(request).map { ($0.name ?? "", $0.reports?.count ?? 0) }
    }
  }

  /// Closes the store. No reports may be recorded afterwards.
  func close() throws {
    let coordinator = container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }
}
