import CoreData
import Foundation
import StrataTestSupport

/// Albums with ordered tracks, a cover each, friends without an inverse, and a class that watches its own undoing.
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
  /// A context whose every `step` is a group of its own.
  @MainActor func undoable(_ model: NSManagedObjectModel? = nil) throws -> NSManagedObjectContext {
    let container = try container(of: model ?? Quakes.model)
    container.viewContext.undoManager = UndoManager()
    container.viewContext.undoManager?.groupsByEvent = false
    return container.viewContext
  }
}

extension NSManagedObjectContext {
  /// Changes that are undone together.
  func step(_ body: () throws -> Void) rethrows {
    try body()
    processPendingChanges()
  }
}

extension NSManagedObject {
  func members(_ key: String) -> Set<NSManagedObject> { value(forKey: key) as? Set<NSManagedObject> ?? [] }
}
