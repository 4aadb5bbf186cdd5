import CoreData
import Foundation
import StrataSupport

/// A space for models and their changes.
///
/// ```swift
/// let context = ModelContext(container)
/// context.insert(Book(title: "Orlando"))
/// try context.save()
/// ```
///
/// Use a context and its models where it was made: on one actor, or on one thread at a time. What other contexts and processes
/// save arrives when the context is used next; in the main context, as soon as the main queue is free.
///
/// See <https://developer.apple.com/documentation/swiftdata/modelcontext>
public class ModelContext: Equatable, CustomDebugStringConvertible {
  /// The container.
  public let container: ModelContainer
  let objects: ModelObjectContext
  /// Whether the context saves automatically: the main context does after each turn of the main queue in which something
  /// changed. Default: true for the main context. Other contexts never do.
  public var autosaveEnabled: Bool
  /// New models, which the program need not keep until they are saved.
  private var newModels: [ObjectIdentifier: any PersistentModel] = [:]
  private var willAutosave = false
  let isMain: Bool

  /// Makes a context for the actor or thread that uses it.
  public convenience init(_ container: ModelContainer) {
    self.init(container, ModelObjectContext(confinedTo: ()), isMain: false)
  }

  @MainActor convenience init(mainContextOf container: ModelContainer) {
    self.init(container, ModelObjectContext(concurrencyType: .mainQueueConcurrencyType), isMain: true)
  }

  private init(_ container: ModelContainer, _ objects: ModelObjectContext, isMain: Bool) {
    (self.container, self.objects, self.isMain, autosaveEnabled) = (container, objects, isMain, isMain)
    ModelObject.register
    objects.objectClass = ModelObject.self
    (objects.modelContext, objects.isMain, objects.classes) = (self, isMain, container.classes)
    objects.persistentStoreCoordinator = container.coordinator
    // A saved model with the values of another one in a unique attribute takes its place.
    objects.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    objects.automaticallyMergesChangesFromParent = true
  }

  /// The author of the context's changes, which the history keeps. Default: nil.
  public var author: String? {
    get { objects.transactionAuthor }
    set { objects.transactionAuthor = newValue }
  }

  // MARK: Changes

  /// Whether there are changes to save.
  public var hasChanges: Bool { objects.hasChanges }

  /// The models to be inserted.
  public var insertedModelsArray: [any PersistentModel] { models(of: objects.insertedObjects) }

  /// The models with changed values.
  public var changedModelsArray: [any PersistentModel] { models(of: objects.updatedObjects) }

  /// The models to be deleted.
  public var deletedModelsArray: [any PersistentModel] { models(of: objects.deletedObjects) }

  private func models(of objects: Set<NSManagedObject>) -> [any PersistentModel] {
    objects.compactMap { $0 as? ModelObject }.sorted { $0.isBefore($1) }.compactMap(anyModel)
  }

  /// Adds a new model, and the new models that it is related to. A save stores them.
  ///
  /// A model whose deletion is not saved yet stays in the store, with its relationships to models that have no other one instead
  /// by now. A model whose deletion was saved, or whose insertion was rolled back, is inserted again with the values of its
  /// attributes. A model of another context stops the program.
  public func insert<T>(_ model: T) where T: PersistentModel {
    objects.runEnqueuedBlocks()
    // A model that was never saved leaves the context when it is deleted.
    if model.isDeleted { objects.processPendingChanges() }
    guard let object = model.managedObject, let context = object.managedObjectContext else {
      _ = add(model)
      return
    }
    guard context === objects else {
      fatalError("\(T.self) is in another context already, and cannot be inserted here")
    }
    guard object.isDeleted else { return }
    object.takeBackDeletion(in: objects)
    noteChange()
  }

  /// Gives a model without a context a managed object with its values.
  func add<Model: PersistentModel>(_ model: Model) -> ModelObject {
    // What the root class declares has all of the backing data. A model is an object of it or of a subclass.
    add(root: unsafeDowncast(model, to: Model.Root.self))
  }

  private func add<Root: PersistentModel>(root model: Root) -> ModelObject {
    let type = type(of: model)
    guard let entity = container.coordinator.managedObjectModel.entitiesByName[Schema.name(of: type)],
      container.classes.byEntity[Schema.name(of: type)] == type
    else { fatalError("\(type) is not in the schema of the container: \(container.schema.entities.map(\.name))") }
    let (data, former) = (model.persistentBackingData, model.managedObject)
    let detached = data.metadata as? DetachedValues
    guard detached != nil || former != nil else {
      fatalError("The backing data of \(type) is the program's own, which no context can store.")
    }
    let object = ModelObject(entity: entity, insertInto: objects)
    newModels[ObjectIdentifier(object)] = model
    // Before the values: a relationship may lead back to this model.
    model.persistentBackingData = ManagedBackingData<Root>(object, object.adopt(model))
    for level in detached?.levels ?? [] { level.write(to: object) }
    if let former { object.takeAttributes(of: former) }
    noteChange()
    return object
  }

  /// Deletes a model. A save removes it from the store.
  public func delete<T>(_ model: T) where T: PersistentModel {
    objects.runEnqueuedBlocks()
    guard let object = model.managedObject else { return }
    objects.delete(object)
    noteChange()
  }

  /// Discards all changes since the last save.
  public func rollback() {
    objects.runEnqueuedBlocks()
    objects.rollback()
    newModels = [:]
  }

  /// Applies delete rules and the other side of changed relationships now, instead of with the next fetch or save.
  public func processPendingChanges() {
    objects.runEnqueuedBlocks()
    objects.processPendingChanges()
  }

  // MARK: Saving

  /// Notes a change of a model, for the next automatic save.
  func noteChange() {
    guard isMain, autosaveEnabled, !willAutosave else { return }
    willAutosave = true
    // The context is the main actor's, and keeps the models.
    nonisolated(unsafe) let context = self
    DispatchQueue.main.async { context.autosave() }
  }

  private func autosave() {
    willAutosave = false
    guard autosaveEnabled, hasChanges else { return }
    do { try save() } catch {
      Diagnostics.warn("an automatic save failed, and the next one tries again: \(error)")
    }
  }

  /// Writes the changes to the store.
  ///
  /// - Throws: the error of Core Data if values are invalid or the store cannot be written. The changes stay in the context.
  public func save() throws {
    objects.runEnqueuedBlocks()
    objects.processPendingChanges()
    guard objects.hasChanges else { return }
    let changes = SavedChanges(in: objects)
    changes.post(Self.willSave, by: self)
    let inserted = newModels.values.filter { $0.modelContext != nil }
    try objects.save()
    newModels = [:]
    for model in inserted where model.modelContext == nil { try join(model) }
    changes.post(Self.didSave, by: self)
  }

  /// Gives a new model the managed object of the saved one whose place it took: the one with the same unique values.
  private func join<Model: PersistentModel>(_ model: Model) throws {
    guard let former = model.managedObject else { return }
    for table in sequence(first: try ModelTable.of(type(of: model)), next: \.superclass) {
      // Values of which one is nil are not unique.
      for names in table.uniquenessConstraints where names.allSatisfy({ former.value(forKey: $0) != nil }) {
        let request = NSFetchRequest<NSManagedObject>(entityName: Schema.name(of: table.model))
        request.predicate = NSCompoundPredicate(
          andPredicateWithSubpredicates: names.map {
            NSPredicate(format: "%K == %@", argumentArray: [$0, former.value(forKey: $0) ?? NSNull()])
          })
        guard let object = try objects.fetch(request).first as? ModelObject, object.entity == former.entity else {
          continue
        }
        let root = unsafeDowncast(model, to: Model.Root.self)
        let generation = object.existingModel == nil ? object.adopt(model) : 0
        root.persistentBackingData = ManagedBackingData<Model.Root>(object, generation)
        return
      }
    }
  }

  /// Runs a block and saves.
  ///
  /// - Throws: the error of the block or of the save.
  public func transaction(block: () throws -> Void) throws {
    try block()
    try save()
  }

  // MARK: Models

  /// Returns the model with an identifier, which need not exist: its values are read when they are used.
  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    objects.runEnqueuedBlocks()
    guard let id = container.managedObjectID(persistentModelID), let object = objects.object(with: id) as? ModelObject,
      let model = anyModel(object)
    else { fatalError("\(persistentModelID) is of no store of the container") }
    return model
  }

  /// Returns the model with an identifier; nil if the store does not have it.
  func existingModel(for id: PersistentIdentifier) -> (any PersistentModel)? {
    objects.runEnqueuedBlocks()
    let object = container.managedObjectID(id).flatMap { try? objects.existingObject(with: $0) }
    return (object as? ModelObject).flatMap(anyModel)
  }

  /// Returns the model with an identifier if the context has it already.
  public func registeredModel<T>(for persistentModelID: PersistentIdentifier) -> T? where T: PersistentModel {
    let object = container.managedObjectID(persistentModelID).flatMap {
      objects.registeredObject(for: $0) as? ModelObject
    }
    return object?.existingModel as? T
  }

  private func anyModel(_ object: ModelObject) -> (any PersistentModel)? {
    func model<Model: PersistentModel>(_: Model.Type) -> any PersistentModel { object.model(as: Model.self) }
    guard let type = object.entity.name.flatMap(container.model(ofEntity:)) else { return nil }
    return model(type)
  }

  public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool { lhs === rhs }

  /// The number of changes.
  public var debugDescription: String {
    "ModelContext(\(objects.insertedObjects.count) inserted, \(objects.updatedObjects.count) changed, "
      + "\(objects.deletedObjects.count) deleted)"
  }
}

/// A context belongs to one actor.
@available(*, unavailable, message: "A ModelContext belongs to one actor: make one for each.")
extension ModelContext: Sendable {}
