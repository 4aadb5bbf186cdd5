import CoreData

/// The managed object that has the values of a model.
final class ModelObject: NSManagedObject {
  /// The model; nil before a program has asked for it, and after it has released it.
  private weak var held: AnyObject?

  /// The managed objects' context, as the model's context has made it.
  var modelContext: ModelContext? { (managedObjectContext as? ModelObjectContext)?.modelContext }

  /// Makes a model the one of this object.
  func adopt<Model: PersistentModel>(_ model: Model) { held = model }

  /// The model, if the program keeps it; nil otherwise.
  var existingModel: (any PersistentModel)? { held as? any PersistentModel }

  /// Returns the object's model, which is the same as long as the program has it.
  func model<Model: PersistentModel>(as type: Model.Type = Model.self) -> Model {
    if let held { return unsafeDowncast(held, to: Model.self) }
    let new = Model(backingData: ManagedBackingData<Model>(self))
    held = new
    return new
  }

  /// Returns the managed object of a model for a relationship of this one. A model without a context is inserted.
  func member<Model: PersistentModel>(_ model: Model) -> ModelObject {
    if let object = model.managedObject, object.managedObjectContext != nil { return object }
    guard let modelContext else {
      preconditionFailure(
        "\(Model.self) cannot be related to a model that was deleted, or whose context no longer exists")
    }
    return modelContext.add(model)
  }

  /// Copies the attributes of an object that is no longer in a context.
  func takeAttributes(of former: ModelObject) {
    for name in entity.attributesByName.keys { setValue(former.value(forKey: name), forKey: name) }
  }

  /// Whether it comes before another object of a to-many relationship.
  func isBefore(_ other: ModelObject) -> Bool {
    objectID.uriRepresentation().isBefore(other.objectID.uriRepresentation())
  }
}

/// A context of managed objects below a model context.
final class ModelObjectContext: NSManagedObjectContext, @unchecked Sendable {
  // Sendable: set before the context is used.

  weak var modelContext: ModelContext?
}

extension URL {
  /// Compares the keys in URIs of objects by their numbers.
  fileprivate func isBefore(_ other: URL) -> Bool {
    absoluteString.compare(other.absoluteString, options: .numeric) == .orderedAscending
  }
}
