import CoreData
import Foundation
import GRDB

/// A store that GRDB and the framework read and write in the same process.
final class SharedStore {
  private let container: NSPersistentContainer
  private let file: URL

  init(in folder: URL) {
    file = folder.appendingPathComponent("Store.sqlite")
    container = NSPersistentContainer(name: "Store", managedObjectModel: Self.model)
    let description = NSPersistentStoreDescription(url: file)
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
  }

  func open() throws {
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
  }

  func save(_ number: Int) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(number, forKey: "number")
      try context.save()
    }
  }

  /// GRDB reads the framework's saves, and the framework saves and reads after GRDB has closed the file.
  func exchangeRows() throws {
    for round in 2...4 {
      let queue = try DatabaseQueue(path: file.path)
      let count = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM ZNOTE") }
      guard count == round - 1 else { throw CocoaError(.fileReadCorruptFile) }
      try queue.close()
      try save(round)
    }
    let context = container.newBackgroundContext()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    let count = try context.performAndWait { try context.count(for: request) }
    guard count == 4 else { throw CocoaError(.fileReadCorruptFile) }
  }

  func close() throws {
    let coordinator = container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  private static var model: NSManagedObjectModel {
    let number = NSAttributeDescription()
    number.name = "number"
    number.attributeType = .integer64AttributeType
    let note = NSEntityDescription()
    note.name = "Note"
    note.properties = [number]
    let model = NSManagedObjectModel()
    model.entities = [note]
    return model
  }
}
