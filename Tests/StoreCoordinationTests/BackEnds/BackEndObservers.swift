import CoreData
import Foundation
import Synchronization

/// The inserted objects of each merge of a context.
final class BackEndMerges: Sendable {
  private let merges = Mutex<[Set<URL>]>([])
  nonisolated(unsafe) private let observer: any NSObjectProtocol

  init(of context: NSManagedObjectContext) {
    let box = Box()
    observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidMergeChangesObjectIDs, object: context, queue: nil
    ) { note in
      let ids = note.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> ?? []
      box.owner?.merges.withLock { $0.append(Set(ids.map { $0.uriRepresentation() })) }
    }
    box.owner = self
  }

  private final class Box: @unchecked Sendable {
    // Sendable: set once, before anything is merged.
    weak var owner: BackEndMerges?
  }

  deinit { NotificationCenter.default.removeObserver(observer) }

  var received: [Set<URL>] { merges.withLock { $0 } }

  func wait(until condition: ([Set<URL>]) -> Bool) -> Bool {
    isMet { condition(received) }
  }
}

/// The remote changes that a coordinator posts.
final class RemoteChanges: Sendable {
  struct Note: Sendable {
    var identifier: String?
    var url: URL?
    var token: NSPersistentHistoryToken?
  }

  private let notes = Mutex<[Note]>([])
  nonisolated(unsafe) private let observer: any NSObjectProtocol

  init(of coordinator: NSPersistentStoreCoordinator) {
    let box = Box()
    observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
    ) { note in
      let new = Note(
        identifier: note.userInfo?[NSStoreUUIDKey] as? String, url: note.userInfo?[NSPersistentStoreURLKey] as? URL,
        token: note.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
      box.owner?.notes.withLock { $0.append(new) }
    }
    box.owner = self
  }

  private final class Box: @unchecked Sendable {
    // Sendable: set once, before anything is posted.
    weak var owner: RemoteChanges?
  }

  deinit { NotificationCenter.default.removeObserver(observer) }

  var received: [Note] { notes.withLock { $0 } }

  func wait(until condition: ([Note]) -> Bool) -> Bool {
    isMet { condition(received) }
  }
}

/// Whether a condition is met within a minute.
func isMet(_ condition: () -> Bool) -> Bool {
  let end = Date(timeIntervalSinceNow: 60)
  while Date() < end, !condition() { usleep(2_000) }
  return condition()
}
