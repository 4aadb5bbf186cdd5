import Foundation
import StrataFoundationGaps
import StrataManagedModel
import StrataRowStore
import StrataRuntime
import StrataSupport
import Synchronization

/// Maps entities to the classes of their objects, and classes to entities.
package enum ObjectClasses {
  private static let models = WeakList<NSManagedObjectModel>()
  /// The number of models ever registered, including those that no longer exist.
  private static let modelCount = Atomic(0)

  /// Registers a model that a coordinator uses, so that `Quake.entity()` finds its entity.
  static func register(_ model: NSManagedObjectModel) {
    if models.insert(model) { modelCount.add(1, ordering: .releasing) }
  }

  /// Returns the class that an entity names, or `NSManagedObject`, with a warning, if the program has no such class.
  static func type(of entity: NSEntityDescription) -> NSManagedObject.Type {
    if let type = knownType(of: entity) { return type }
    Diagnostics.warnOnce(
      "Unable to load class named '\(entity.managedObjectClassName ?? "")' for entity '\(entity.name ?? "")'. "
        + "Class not found, using default NSManagedObject instead.")
    return NSManagedObject.self
  }

  /// Returns the class that an entity names; nil if the program has no such class, as one whose contexts use another class for
  /// all objects.
  static func knownType(of entity: NSEntityDescription) -> NSManagedObject.Type? {
    guard let name = entity.managedObjectClassName, name != "NSManagedObject" else { return NSManagedObject.self }
    let wanted = ClassName(name: name, home: entity.classHome)
    if let known = found.withLock({ $0[wanted] }) { return known }
    let type = ProgramClasses.type(named: name, below: NSManagedObject.self, near: wanted.home)
    found.withLock { $0[wanted] = type }
    return type
  }

  /// The name of a class, and the module or bundle of the entity that it is written in.
  private struct ClassName: Hashable {
    let name: String
    let home: String?
  }

  /// The classes found so far, by name.
  private static let found = Mutex<[ClassName: NSManagedObject.Type]>([:])

  /// Whether an entity's class name is the full name of a class.
  static func isNamed(_ type: NSManagedObject.Type, by entity: NSEntityDescription) -> Bool {
    type != NSManagedObject.self && entity.managedObjectClassName == TypeNames.full(of: type)
  }

  /// Returns the entity of a model whose objects have a class.
  static func entity(of type: NSManagedObject.Type, in model: NSManagedObjectModel) -> NSEntityDescription? {
    guard type != NSManagedObject.self else { return nil }
    let name = TypeNames.full(of: type)
    return model.entities.first { $0.managedObjectClassName == name }
      ?? model.entities.first { isMeant(type, name, by: $0) }
  }

  /// Whether an entity names a class in short.
  private static func isMeant(_ type: NSManagedObject.Type, _ name: String, by entity: NSEntityDescription) -> Bool {
    let last = name.split(separator: ".").last.map(String.init) ?? name
    guard let given = entity.managedObjectClassName, given == last || given.hasSuffix(".\(last)"),
      ProgramClasses.isMeant(type, by: given)
    else { return false }
    guard let home = entity.classHome else { return true }
    // A class of the same name in the entity's own module takes precedence.
    return ProgramClasses.type(named: given, below: NSManagedObject.self, in: home) ?? type == type
  }

  /// Returns the entity of a class in any model in use.
  static func entity(of type: NSManagedObject.Type) -> NSEntityDescription? {
    let count = modelCount.load(ordering: .acquiring)
    let loaded = models.objects
    let isNews = checked.withLock { $0.updateValue(count, forKey: ObjectIdentifier(type)) != count }
    if isNews { warnOfRivals(for: type, in: loaded) }
    return loaded.lazy.compactMap { entity(of: type, in: $0) }.first
  }

  /// Warns once of a class without an entity in any model in use.
  static func warnOfMissingEntity(of type: NSManagedObject.Type) {
    let text = "No NSEntityDescriptions in any model claim the NSManagedObject subclass '\(type)'"
    let reason =
      models.objects.isEmpty
      ? ", because no model is loaded yet: create the NSPersistentContainer, or an NSPersistentStoreCoordinator with the "
        + "model, before \(type).entity() is called."
      : "."
    Diagnostics.warnOnce(text + reason)
  }

  /// Warns once of a class that different entities of the models in use claim. The same entity in two copies of a model
  /// is no reason.
  private static func warnOfRivals(for type: NSManagedObject.Type, in loaded: [NSManagedObjectModel]) {
    let name = TypeNames.full(of: type)
    let claims = loaded.flatMap(\.entities).filter {
      $0.managedObjectClassName == name || isMeant(type, name, by: $0)
    }
    guard let first = claims.first,
      let rival = claims.dropFirst().first(where: { $0.name != first.name || $0.versionHash != first.versionHash })
    else { return }
    Diagnostics.warnOnce(
      "Multiple NSEntityDescriptions claim the NSManagedObject subclass '\(type)' so +entity is unable to "
        + "disambiguate: '\(first.name ?? "")' and '\(rival.name ?? "")'.")
  }

  /// The number of models ever registered when a class was last checked for rivals.
  private static let checked = Mutex<[ObjectIdentifier: Int]>([:])

  /// Returns an entity of any model in use whose class inherits from a class that represents no entity itself.
  static func entity(below type: NSManagedObject.Type) -> NSEntityDescription? {
    models.objects.lazy.flatMap(\.entities).first { entity in
      guard let name = entity.managedObjectClassName, name != "NSManagedObject" else { return false }
      return ProgramClasses.named(name).contains { TypeNames.line(of: $0).contains { $0 == type } }
    }
  }
}

extension NSManagedObjectContext {
  /// Returns the entity that a class represents in the context's model.
  func entity(of type: NSManagedObject.Type) -> NSEntityDescription {
    let id = ObjectIdentifier(type)
    for known in sourceState.classEntities where known.type == id { return known.entity }
    guard type != NSManagedObject.self else {
      fatalError("An NSManagedObject of class 'NSManagedObject' must have a valid NSEntityDescription.")
    }
    // The class's own `entity()` takes precedence, unless it belongs to another model. A context without a source may
    // not have a model yet.
    let said = type.entity()
    guard let model = source?.model ?? registry.model else { return said }
    guard let entity = said.model === model ? said : ObjectClasses.entity(of: type, in: model) else {
      fatalError("No NSEntityDescription in the context's model claims the NSManagedObject subclass '\(type)'.")
    }
    sourceState.classEntities.append((id, entity))
    return entity
  }
}

extension NSManagedObjectModel {
  /// Freezes the model for a coordinator, and registers the entities of its classes.
  package func use() {
    freeze()
    ObjectClasses.register(self)
  }
}

extension NSEntityDescription {
  /// Returns the layout of the entity in the model of a context, because a program may have loaded a model twice. Puts
  /// the entity's model to use if it is not in use yet; a context without a source has the model of its first object.
  /// - Returns: nil if the entity belongs to no model, or not to the context's.
  func layout(in context: NSManagedObjectContext?) -> EntityLayout? {
    if let own = context?.registry.model {
      return model === own ? layout : own.entitiesByName[name ?? ""]?.layout
    }
    if layout == nil { model?.use() }
    context?.registry.model = model
    return layout
  }

  /// Returns the entity with a name in a context's model; nil if the model does not have it.
  public class func entity(
    forEntityName entityName: String, in context: NSManagedObjectContext
  ) -> NSEntityDescription? {
    context.source?.model.entitiesByName[entityName]
  }

  /// Creates an object of an entity's class and inserts it into a context. An entity name that the model does not have
  /// stops the program.
  ///
  /// ```swift
  /// let quake = NSEntityDescription.insertNewObject(
  ///   forEntityName: "Quake", into: context)
  /// (quake as? Quake)?.place = "Tonga"  // Or Quake(context: context).
  /// ```
  @discardableResult
  public class func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    guard context.source != nil else {
      fatalError(
        "+entityForName: nil is not a legal NSPersistentStoreCoordinator for searching for entity name '\(entityName)'")
    }
    guard let entity = entity(forEntityName: entityName, in: context) else {
      fatalError("+entityForName: could not locate an entity named '\(entityName)' in this model.")
    }
    return context.objectClass(of: entity.layout).init(entity: entity, insertInto: context)
  }
}

/// Returns the name of a managed object class for an entity's `managedObjectClassName`: `Books.Book`.
///
/// Foundation's function on Linux stops the program for nested and private classes. This one names them too:
/// `Books.Shelf.Book`.
public func NSStringFromClass(_ aClass: NSManagedObject.Type) -> String {
  aClass == NSManagedObject.self ? "NSManagedObject" : ProgramClasses.name(of: aClass)
}

extension NSManagedObject {
  /// Returns the name of the class, as `NSStringFromClass(_:)` does: `Books.Book`.
  ///
  /// On Apple's platforms `NSObject` has this method.
  public class func description() -> String { NSStringFromClass(self) }
}
