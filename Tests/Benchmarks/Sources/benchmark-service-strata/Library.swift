import CoreData

/// Books with shared tags.
enum Library {
  static let model: NSManagedObjectModel = {
    // The build plugin registers classes like this. No class overrides validateValue(_:forKey:).
    _registerClasses { [Book.self, Tag.self].map { _RegisteredClass(String(reflecting: $0), $0) } }
    let (book, tag) = (entity("Book", Book.self), entity("Tag", Tag.self))
    let (tags, books) = (NSRelationshipDescription(), NSRelationshipDescription())
    (tags.name, tags.destinationEntity, tags.inverseRelationship) = ("tags", tag, books)
    (books.name, books.destinationEntity, books.inverseRelationship) = ("books", book, tags)
    for relationship in [tags, books] {
      (relationship.isOptional, relationship.maxCount, relationship.deleteRule) = (true, 0, .nullifyDeleteRule)
    }
    book.properties = [attribute("title", .stringAttributeType), attribute("added", .dateAttributeType), tags]
    tag.properties = [attribute("name", .stringAttributeType), books]
    let model = NSManagedObjectModel()
    model.entities = [book, tag]
    return model
  }()

  private static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = NSStringFromClass(type)
    return entity
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    return attribute
  }

  /// Creates a store.
  static func open(_ path: String, history: Bool) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: path))
    if history { description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey) }
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }
}

private enum Key {
  static let title = _ManagedKey("title")
  static let added = _ManagedKey("added")
  static let tags = _ManagedKey("tags")
  static let name = _ManagedKey("name")
}

// The classes as the build plugin generates them for `@NSManaged public var title: String?` and similar properties.

final class Book: NSManagedObject {
  var title: String? {
    get { _string(Key.title) }
    set { _setString(newValue, Key.title) }
  }
  var added: Date? {
    get { _date(Key.added) }
    set { _setDate(newValue, Key.added) }
  }
  var tags: Set<Tag> {
    get { _value(Key.tags, as: Set<Tag>.self) }
    set { _setValue(newValue, Key.tags) }
  }
}

final class Tag: NSManagedObject {
  var name: String? {
    get { _string(Key.name) }
    set { _setString(newValue, Key.name) }
  }
}
