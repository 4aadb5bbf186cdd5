import CoreData
import Foundation
import StrataTestSupport

/// Albums with ordered tracks and a cover, and a class that records undo events.
enum Albums {
  static let model = makeModel(
    makeEntity("Album", [attribute("name")]), makeEntity("Track", of: WatchedTrack.self, [attribute("name")]),
    makeEntity("Cover", [attribute("name")])
  )
  .relate("Album", "tracks", .ordered, "Track", "album", .one)
  .relate("Album", "cover", .one, "Cover", "album", .one)
}

final class WatchedTrack: NSManagedObject {
  var awakened: [NSSnapshotEventType] = []
  var insertions = 0
  var settings = 0
  override func awakeFromInsert() { insertions += 1 }
  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
    super.awake(fromSnapshotEvents: flags)
    awakened.append(flags)
  }
  override func setValue(_ value: Any?, forKey key: String) {
    settings += 1
    super.setValue(value, forKey: key)
  }
}

extension Store {
  /// A context in which each `step` is a separate undo group.
  @MainActor func undoable(_ model: NSManagedObjectModel? = nil) throws -> NSManagedObjectContext {
    let container = try container(of: model ?? Quakes.model)
    container.viewContext.undoManager = UndoManager()
    container.viewContext.undoManager?.groupsByEvent = false
    return container.viewContext
  }
}

extension NSManagedObjectContext {
  /// Makes changes that are undone together.
  func step(_ body: () throws -> Void) rethrows {
    try body()
    processPendingChanges()
  }
}

extension NSManagedObject {
  func members(_ key: String) -> Set<NSManagedObject> { value(forKey: key) as? Set<NSManagedObject> ?? [] }
}
