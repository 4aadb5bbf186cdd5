import CoreData

/// Reads the objects of a context into a plain graph, in one of several ways.
struct GraphReader {
  let context: NSManagedObjectContext
  /// Chooses among accessors and kinds of fetches.
  let way: Int

  /// Reads every object.
  func all() throws -> Graph {
    var graph = Graph()
    for entity in GraphSchema.rootEntities {
      for object in try context.fetch(request(for: entity)) {
        guard let key = key(of: object) else {
          throw GraphFailure("a fetch of \(entity) returned an object without a key: \(object)")
        }
        if graph.isLive(key) { throw GraphFailure("a fetch of \(entity) returned \(key) twice") }
        graph.adopt(record(of: object), as: key)
      }
    }
    return graph
  }

  private func request(for entity: String) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.returnsObjectsAsFaults = way % 2 == 0
    if way % 3 == 0 { request.sortDescriptors = [NSSortDescriptor(key: GraphSchema.key, ascending: true)] }
    if way % 5 == 0 { request.fetchBatchSize = 3 }
    if way % 7 < 2 { request.relationshipKeyPathsForPrefetching = prefetched(for: entity) }
    return request
  }

  private func prefetched(for entity: String) -> [String] {
    let names = GraphSchema.relationships(of: entity).filter { !$0.isTransient }.map(\.name)
    let count = max(1, way / 7 % (names.count + 1))
    return Array(names.prefix(count))
  }

  func record(of object: NSManagedObject) -> Graph.Record {
    let entity = object.entity.name ?? ""
    var record = Graph.Record(entity: entity)
    for name in GraphSchema.texts(of: entity) { record.texts[name] = object.value(forKey: name) as? String }
    for name in GraphSchema.numbers(of: entity) {
      record.numbers[name] = (object.value(forKey: name) as? NSNumber)?.intValue
    }
    for relationship in GraphSchema.relationships(of: entity) where !relationship.isTransient {
      if relationship.isToMany {
        record.many[relationship.name] = members(relationship, of: object).compactMap(key)
      } else if let target = object.value(forKey: relationship.name) as? NSManagedObject {
        record.one[relationship.name] = key(of: target)
      }
    }
    return record
  }

  private func members(_ relationship: GraphSchema.Relationship, of object: NSManagedObject) -> [NSManagedObject] {
    let name = relationship.name
    switch way % 4 {
    case 0: break
    case 1: if let typed = typedMembers(name, of: object) { return typed }
    case 2:
      let live: Any =
        relationship.isOrdered
        ? object.mutableOrderedSetValue(forKey: name).array : object.mutableSetValue(forKey: name).allObjects
      return live as? [NSManagedObject] ?? []
    default:
      return object.objectIDs(forRelationshipNamed: name).map(context.object)
    }
    let value = object.value(forKey: name)
    return ((value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects) as? [NSManagedObject] ?? []
  }

  private func typedMembers(_ name: String, of object: NSManagedObject) -> [NSManagedObject]? {
    switch (object, name) {
    case (let person as Person, "works"): Array(person.works)
    case (let person as Person, "friends"): Array(person.friends)
    case (let work as Work, "tags"): Array(work.tags)
    case (let tag as Tag, "works"): Array(tag.works)
    case (let shelf as Shelf, "works"): shelf.works.array as? [NSManagedObject]
    default: nil
    }
  }

  /// Returns the key of an object that exists: a relationship without an inverse can lead to a deleted one.
  private func key(of object: NSManagedObject) -> Int? {
    guard !object.isDeleted, object.managedObjectContext != nil else { return nil }
    let key = (object.value(forKey: GraphSchema.key) as? NSNumber)?.intValue
    return object.isDeleted ? nil : key
  }
}
