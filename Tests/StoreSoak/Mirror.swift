import CoreData
import Foundation

/// A context that merges automatically, and the items as its notifications alone describe them.
final class Mirror: @unchecked Sendable {
  // @unchecked: mutable state is used only on the context's queue.

  private let context: NSManagedObjectContext
  private let ledger: Ledger
  private var items: [NSManagedObjectID: NSManagedObject] = [:]
  private var states: [NSManagedObjectID: ItemState] = [:]
  /// The number of commits in the store when its whole contents were fetched.
  private var first = 0
  /// The keys of the commits that were merged.
  private var merged: Set<Int> = []

  init(_ container: NSPersistentContainer, _ ledger: Ledger) {
    context = container.newBackgroundContext()
    self.ledger = ledger
  }

  func start() throws {
    _ = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { [self] in apply($0) }
    context.automaticallyMergesChangesFromParent = true
    try context.performAndWait {
      first = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Commit"))
      ledger.write("S \(first)")
      for item in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")) { keep(item) }
    }
  }

  private func apply(_ notification: Notification) {
    let time = monotonicNow()
    func objects(_ key: String) -> Set<NSManagedObject> { notification.userInfo?[key] as? Set<NSManagedObject> ?? [] }
    let inserted = objects(NSInsertedObjectsKey)
    let commits = inserted.filter { $0.entity.name == "Commit" }.map { ($0, key: Self.key(of: $0)) }
    ledger.write(
      commits.sorted { $0.key < $1.key }.map { commit, key in
        "M \(key) \(commit.value(forKey: "life") ?? 0) \(commit.value(forKey: "number") ?? 0) \(time)"
      })
    merged.formUnion(commits.map(\.key))
    for item in objects(NSDeletedObjectsKey) { forget(item) }
    for item in inserted.union(objects(NSUpdatedObjectsKey)).union(objects(NSRefreshedObjectsKey)) {
      if item.entity.name == "Item" { keep(item) }
    }
  }

  /// The key of the object's row: the last component of its id's URI, such as "p12".
  private static func key(of object: NSManagedObject) -> Int {
    Int(object.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0
  }

  private func keep(_ item: NSManagedObject) {
    guard let state = ItemState(item) else { return forget(item) }
    items[item.objectID] = item
    states[item.objectID] = state
  }

  /// Fetches the contents again, as a program does when a purge deleted its position in the history.
  private func refetch() throws {
    context.refreshAllObjects()
    first = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Commit"))
    ledger.write("U \(first)")
    (items, states) = ([:], [:])
    for item in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")) { keep(item) }
  }

  private func forget(_ item: NSManagedObject) {
    items[item.objectID] = nil
    states[item.objectID] = nil
  }

  /// Waits until the newest commit is merged, and logs the context's contents.
  ///
  /// - Parameters:
  ///   - count: The number of commits.
  ///   - row: The key of the newest commit's row.
  ///   - lacksHistory: Whether the history after a commit is missing, so that the context cannot merge it.
  func finish(at count: Int, row: Int, lacksHistory: (_ commit: Int) throws -> Bool) throws {
    let end = Date(timeIntervalSinceNow: 120)
    var nextCheck = Date(timeIntervalSinceNow: 10)
    while context.performAndWait({ first < count && !merged.contains(row) }) {
      if Date() > nextCheck {
        nextCheck += 10
        if try lacksHistory(context.performAndWait { newest }) { try context.performAndWait(refetch) }
      }
      guard Date() < end else { return ledger.write("X merged up to \(context.performAndWait { newest }), not \(row)") }
      usleep(2_000)
    }
    context.performAndWait {
      let held = items.mapValues { ItemState($0) }
      for (id, state) in held where state != states[id] {
        ledger.write("X was notified of \(states[id]?.text ?? "nothing"), and holds \(state?.text ?? "nothing")")
      }
      ledger.write("F " + held.values.compactMap { $0?.text }.sorted().joined(separator: " "))
    }
  }

  private var newest: Int { max(first, merged.max() ?? 0) }
}
