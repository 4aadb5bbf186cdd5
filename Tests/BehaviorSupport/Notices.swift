import CoreData
import Foundation
import Testing

/// The notifications that a context posted, in order.
final class Notices: @unchecked Sendable {
  // Sendable: the lock protects the notifications.
  private let lock = NSLock()
  private var recorded: [(NSNotification.Name, [AnyHashable: Any])] = []
  private var observers: [any NSObjectProtocol] = []

  init(of context: NSManagedObjectContext, _ names: NSNotification.Name...) {
    observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] note in
        self?.lock.withLock { self?.recorded.append((note.name, note.userInfo ?? [:])) }
      }
    }
  }

  deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

  func all(_ name: NSNotification.Name) -> [[AnyHashable: Any]] {
    lock.withLock { recorded.filter { $0.0 == name }.map(\.1) }
  }

  func keys(_ name: NSNotification.Name) -> [Set<String>] {
    all(name).map { Set($0.keys.compactMap { $0.base as? String }) }
  }
}

extension Store {
  /// A container with the quakes "a" to "d".
  @MainActor func quakes() throws -> (NSPersistentContainer, [NSManagedObject]) {
    let container = try container()
    let quakes = ["a", "b", "c", "d"].map { container.viewContext.insert("Quake", ["code": $0, "place": "old"]) }
    try container.viewContext.save()
    return (container, quakes)
  }
}

extension NSPersistentContainer {
  /// Saves changes in another context, and returns its notifications.
  @MainActor func saveElsewhere(
    changing: [NSManagedObject] = [], deleting: [NSManagedObject] = [], inserting: [String] = []
  ) throws -> (objects: Notification, ids: Notification) {
    let other = newBackgroundContext()
    let (changed, deleted) = (changing.map(\.objectID), deleting.map(\.objectID))
    nonisolated(unsafe) var saved: [NSNotification.Name: Notification] = [:]
    let names: [NSNotification.Name] = [.NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs]
    let observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: other, queue: nil) { saved[$0.name] = $0 }
    }
    defer { observers.forEach(NotificationCenter.default.removeObserver) }
    try other.performAndWait {
      for id in changed { try other.existingObject(with: id).setValue("new", forKey: "place") }
      for id in deleted { other.delete(try other.existingObject(with: id)) }
      for code in inserting { _ = other.insert("Quake", ["code": code]) }
      try other.save()
    }
    return (
      try #require(saved[.NSManagedObjectContextDidSave]), try #require(saved[.NSManagedObjectContextDidSaveObjectIDs])
    )
  }
}

/// Waits until a condition is met; records an issue after ten minutes.
@MainActor func eventually(
  _ location: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
  for _ in 0..<120_000 {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(5))
  }
  Issue.record("The condition was not met within ten minutes.", sourceLocation: location)
}
