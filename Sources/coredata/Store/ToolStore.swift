import CoreData
import Foundation
import StrataManagedModel

/// A store opened through Core Data.
struct ToolStore {
  let coordinator: NSPersistentStoreCoordinator
  let store: NSPersistentStore
  let context: NSManagedObjectContext

  var model: NSManagedObjectModel { coordinator.managedObjectModel }

  /// - Parameters:
  ///   - model: the model that the store was written with.
  ///   - objects: the class of all objects, instead of the model's classes, which only the model's own program has.
  init(
    _ url: URL, model: NSManagedObjectModel, objects: NSManagedObject.Type = NSManagedObject.self,
    options: [AnyHashable: Any]
  ) throws {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    let configuration = model.configuration(fitting: metadata)
    model.useRawValues()
    for entity in model.entities { entity.managedObjectClassName = NSStringFromClass(objects) }
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    store = try coordinator.addPersistentStore(
      type: .sqlite, configuration: configuration, at: url, options: options)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.undoManager = nil
  }

  /// Closes the store, so that no log of its own is left behind.
  func close() throws { try coordinator.remove(store) }

  /// - Throws: `ToolFailure` for an entity that the model does not have.
  func entity(named name: String) throws -> NSEntityDescription {
    let known = model.entitiesByName
    guard let entity = known[name] else {
      throw ToolFailure(
        .usage, "the model has no entity '\(name)'; its entities are \(known.keys.sorted().joined(separator: ", "))")
    }
    return entity
  }

  /// Opens a store for reading only.
  static func reading(_ url: URL, model: NSManagedObjectModel) throws -> ToolStore {
    try ToolStore(
      url, model: model,
      options: [
        NSReadOnlyPersistentStoreOption: true as NSNumber, NSPersistentHistoryTrackingKey: true as NSNumber,
      ])
  }
}

extension NSManagedObjectModel {
  /// The name of the configuration whose entities a store holds; nil for all entities, or if none fits.
  func configuration(fitting metadata: [String: Any]) -> String? {
    ([nil] + configurations).first { isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) } ?? nil
  }

  /// Makes the values of transformable attributes their bytes as they are stored: the transformers are in the program
  /// that the model belongs to. Version hashes do not depend on them.
  fileprivate func useRawValues() {
    // The base class transforms nothing.
    let name = NSValueTransformerName("coredata.raw")
    ValueTransformer.setValueTransformer(ValueTransformer(), forName: name)
    for attribute in entities.flatMap(\.attributesByName.values).flatMap(\.withElements)
    where attribute.attributeType == .transformableAttributeType {
      attribute.valueTransformerName = name.rawValue
      attribute.attributeValueClassName = nil
    }
  }
}

extension NSAttributeDescription {
  /// The attribute and, if it is composite, its elements.
  fileprivate var withElements: [NSAttributeDescription] {
    [self] + ((self as? NSCompositeAttributeDescription)?.elements.flatMap(\.withElements) ?? [])
  }
}
