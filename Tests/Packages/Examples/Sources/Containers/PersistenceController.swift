import CoreData

/// The container of a program with its own store, as in Xcode's template.
public struct PersistenceController: Sendable {
  public static let shared = PersistenceController()

  /// A store in memory, with sample objects.
  @MainActor public static let preview: PersistenceController = {
    let result = PersistenceController(inMemory: true)
    let viewContext = result.container.viewContext
    for number in 1...10 {
      let stop = Stop(context: viewContext)
      stop.arrival = Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)
      stop.place = "Stop \(number)"
      stop.traveler = "Preview"
    }
    do {
      try viewContext.save()
    } catch {
      fatalError("The preview cannot be saved: \(error)")
    }
    return result
  }()

  public let container: NSPersistentContainer

  public init(inMemory: Bool = false) {
    container = NSPersistentContainer(name: "Trips")
    if inMemory { container.persistentStoreDescriptions.first?.url = URL(fileURLWithPath: "/dev/null") }
    container.loadPersistentStores { description, error in
      // A program that can do without its store shows the error instead.
      if let error { fatalError("\(description) cannot be opened: \(error)") }
    }
    container.viewContext.automaticallyMergesChangesFromParent = true
  }
}
