import CoreData
import Foundation

/// The store of a container without an explicit location.
enum DefaultLocationProbe {
  /// Opens the store of the container `Model`, saves `count` rows of an entity, and prints the container's folder, the
  /// store's file and the number of rows.
  static func fill(_ count: Int, _ name: String) throws {
    let entity = NSEntityDescription()
    entity.name = name
    let attribute = NSAttributeDescription()
    attribute.name = "number"
    attribute.attributeType = .integer64AttributeType
    entity.properties = [attribute]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let container = NSPersistentContainer(name: "Model", managedObjectModel: model)
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    let context = container.newBackgroundContext()
    let rows = try context.performAndWait {
      for number in 0..<count {
        NSEntityDescription.insertNewObject(forEntityName: name, into: context).setValue(number, forKey: "number")
      }
      try context.save()
      return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: name))
    }
    StoreProbe.printLine(NSPersistentContainer.defaultDirectoryURL().path)
    StoreProbe.printLine(container.persistentStoreDescriptions[0].url?.path ?? "")
    StoreProbe.printLine("\(rows)")
  }
}
