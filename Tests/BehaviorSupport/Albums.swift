import CoreData
import Foundation

/// Albums with ordered tracks, a cover each, friends without an inverse, and a class that watches its own undoing.
enum Albums {
  static let model: NSManagedObjectModel = {
    let (album, track, cover) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
    (album.name, track.name, cover.name) = ("Album", "Track", "Cover")
    track.managedObjectClassName = NSStringFromClass(WatchedTrack.self)
    let tracks = relationship("tracks", to: track, most: 0)
    tracks.isOrdered = true
    let home = relationship("album", to: album, most: 1)
    let front = relationship("cover", to: cover, most: 1)
    let cased = relationship("album", to: album, most: 1)
    (tracks.inverseRelationship, home.inverseRelationship) = (home, tracks)
    (front.inverseRelationship, cased.inverseRelationship) = (cased, front)
    album.properties = [name(), tracks, front]
    track.properties = [name(), home]
    cover.properties = [name(), cased]
    let model = NSManagedObjectModel()
    model.entities = [album, track, cover]
    return model
  }()

  private static func name() -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType) = ("name", .stringAttributeType)
    return attribute
  }

  private static func relationship(_ name: String, to entity: NSEntityDescription, most: Int)
    -> NSRelationshipDescription
  {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity, relationship.maxCount) = (name, entity, most)
    relationship.deleteRule = .nullifyDeleteRule
    return relationship
  }
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
    let container = try model.map(container(of:)) ?? container()
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
