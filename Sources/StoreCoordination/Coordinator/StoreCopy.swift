import Foundation
import StrataManagedModel
import StrataObjectGraph

/// Copies the objects of one store of a coordinator into another, in memory.
struct StoreCopy {
  let context: NSManagedObjectContext
  let source: NSPersistentStore
  let target: NSPersistentStore
  private let model: NSManagedObjectModel
  private var copies: [NSManagedObjectID: NSManagedObject] = [:]

  init(from source: NSPersistentStore, to target: NSPersistentStore, in coordinator: NSPersistentStoreCoordinator) {
    self.source = source
    self.target = target
    model = coordinator.managedObjectModel
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    // The program's accessors and hooks would change what is copied.
    context.objectClass = NSManagedObject.self
    context.persistentStoreCoordinator = coordinator
  }

  /// Saves the copies; if it throws, the target stays empty. Call it on the context's queue.
  /// - Returns: the IDs of the originals and their copies, alternating.
  mutating func run() throws -> [NSManagedObjectID] {
    var originals: [NSManagedObject] = []
    for layout in model.layouts where source.holds(layout) && !layout.isAbstract {
      let request = NSFetchRequest<NSManagedObject>(entityName: layout.name)
      request.includesSubentities = false
      request.affectedStores = [source]
      originals += try context.fetch(request)
    }
    for original in originals { copies[original.objectID] = copy(of: original) }
    for original in originals { connect(original) }
    try context.save()
    return originals.flatMap { original in [original.objectID] + (copies[original.objectID].map { [$0.objectID] } ?? [])
    }
  }

  private func copy(of original: NSManagedObject) -> NSManagedObject {
    let copy = NSEntityDescription.insertNewObject(forEntityName: original.entity.name ?? "", into: context)
    context.assign(copy, to: target)
    for (name, attribute) in original.entity.attributesByName
    where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
      if copy.takesBytes(forKey: name, from: original, name) { continue }
      copy.setValue(original.value(forKey: name), forKey: name)
    }
    return copy
  }

  private func connect(_ original: NSManagedObject) {
    guard let copy = copies[original.objectID] else { return }
    for (name, relationship) in original.entity.relationshipsByName where !relationship.isTransient {
      switch original.value(forKey: name) {
      case let member as NSManagedObject: copy.setValue(copies[member.objectID], forKey: name)
      case let members as NSOrderedSet:
        copy.setValue(NSOrderedSet(array: members.array.compactMap(twin)), forKey: name)
      case let members as NSSet: copy.setValue(NSSet(array: members.allObjects.compactMap(twin)), forKey: name)
      default: break
      }
    }
  }

  private func twin(_ member: Any) -> NSManagedObject? { (member as? NSManagedObject).flatMap { copies[$0.objectID] } }
}
