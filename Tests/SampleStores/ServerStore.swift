import CoreData

/// A store whose rows are on a server: an incremental store as a program might implement it.
public final class ServerStore: NSIncrementalStore, @unchecked Sendable {
  public static let type = "Server"

  /// Registers the store type with coordinators.
  public static func register() {
    NSPersistentStoreCoordinator.registerStoreClass(ServerStore.self, forStoreType: type)
  }

  private var server: Server { Server.at(url ?? URL(fileURLWithPath: "/")) }

  public override func loadMetadata() throws {
    var known = server.notes
    if known[NSStoreUUIDKey] == nil {
      known[NSStoreUUIDKey] = UUID().uuidString
      known[NSStoreTypeKey] = Self.type
      server.notes = known
    }
    metadata = known
  }

  // MARK: Requests

  public override func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
  ) throws -> Any {
    switch request {
    case let fetch as NSFetchRequest<any NSFetchRequestResult>: try objects(for: fetch, context)
    case let save as NSSaveChangesRequest: try write(save)
    default: throw CocoaError(.featureUnsupported)
    }
  }

  private func objects(
    for request: NSFetchRequest<any NSFetchRequestResult>, _ context: NSManagedObjectContext?
  ) throws -> [NSManagedObject] {
    guard let entity = request.entity, let context else { return [] }
    var found = try ids(of: entity, withSubentities: request.includesSubentities).map { context.object(with: $0) }
    if let predicate = request.predicate { found = found.filter { predicate.evaluate(with: $0) } }
    if let sort = request.sortDescriptors, !sort.isEmpty {
      // Equal objects keep the order of their names, or reverse it if an index is read backwards, as in the other stores.
      if sort.last?.ascending == false, entity.isIndexed(by: sort.compactMap(\.key)) { found.reverse() }
      found = NSArray(array: found).sortedArray(using: sort) as? [NSManagedObject] ?? []
    }
    let rest = found.dropFirst(request.fetchOffset)
    return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
  }

  private func ids(of entity: NSEntityDescription, withSubentities: Bool) throws -> [NSManagedObjectID] {
    let entities = withSubentities ? [entity] + entity.allSubentities : [entity]
    let named = try entities.flatMap { entity in
      try server.names(of: entity.name ?? "").map { (number: Int($0) ?? 0, name: $0, entity: entity) }
    }
    return named.sorted { $0.number < $1.number }.map { newObjectID(for: $0.entity, referenceObject: $0.name) }
  }

  private func write(_ request: NSSaveChangesRequest) throws -> [Any] {
    try server.write {
      for objects in [request.insertedObjects, request.updatedObjects] {
        for object in objects ?? [] { server.put(row(of: object), name(of: object), of: entity(of: object)) }
      }
      for object in request.deletedObjects ?? [] { server.remove(name(of: object), of: entity(of: object)) }
    }
    server.notes = metadata
    return []
  }

  private func row(of object: NSManagedObject) -> Server.Row {
    var row = Server.Row()
    for (key, attribute) in object.entity.attributesByName where !attribute.isTransient {
      row.values[key] = object.value(forKey: key)
    }
    for key in object.entity.relationshipsByName.keys {
      let value = object.value(forKey: key)
      let members = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? value.map { [$0] } ?? []
      row.links[key] = members.compactMap { $0 as? NSManagedObject }.map { "\(entity(of: $0))/\(name(of: $0))" }
    }
    return row
  }

  private func name(of object: NSManagedObject) -> String { name(of: object.objectID) }

  /// The reference object of an object ID created from a URI is a number if it looks like one.
  private func name(of objectID: NSManagedObjectID) -> String { "\(referenceObject(for: objectID))" }
  private func entity(of object: NSManagedObject) -> String { object.entity.name ?? "" }

  public override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    array.map { newObjectID(for: $0.entity, referenceObject: server.newName()) }
  }

  // MARK: Rows

  /// Attributes and to-one relationships; to-many relationships are fetched on demand.
  public override func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    let row = try row(objectID)
    var values = row.values
    for (key, relationship) in objectID.entity.relationshipsByName where !relationship.isToMany {
      values[key] = row.links[key]?.first.map(objectID(of:)) ?? NSNull()
    }
    return NSIncrementalStoreNode(objectID: objectID, withValues: values, version: row.version)
  }

  public override func newValue(
    forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    try row(objectID).links[relationship.name]?.map(self.objectID(of:)) ?? []
  }

  private func row(_ objectID: NSManagedObjectID) throws -> Server.Row {
    guard let row = try server.row(name(of: objectID), of: objectID.entity.name ?? "") else {
      throw CocoaError(.managedObjectReferentialIntegrity)
    }
    return row
  }

  private func objectID(of link: String) -> NSManagedObjectID {
    let parts = link.split(separator: "/")
    guard let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[String(parts[0])] else {
      fatalError("The server has a row of an unknown entity: \(link).")
    }
    return newObjectID(for: entity, referenceObject: String(parts[1]))
  }
}

extension NSEntityDescription {
  fileprivate var allSubentities: [NSEntityDescription] { subentities.flatMap { [$0] + $0.allSubentities } }
}

extension NSEntityDescription {
  /// Whether a fetch index begins with the properties.
  fileprivate func isIndexed(by keys: [String]) -> Bool {
    sequence(first: self, next: \.superentity).contains { entity in
      entity.indexes.contains { $0.elements.compactMap(\.propertyName).starts(with: keys) }
    }
  }
}
