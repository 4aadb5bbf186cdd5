import CoreData

/// One change of one object, named by keys, so that every context can perform it.
enum Edit {
  case insert(Int, entity: String)
  case setText(Int, String, String?)
  case setNumber(Int, String, Int?)
  case setTarget(Int, String, Int?)
  case add(Int, String, Int, way: Int)
  case remove(Int, String, Int, way: Int)
  case insertMember(Int, String, Int, at: Int, way: Int)
  case replace(Int, String, [Int], way: Int)
  case delete(Int)

  /// Performs the change on the plain model.
  func perform(on graph: inout Graph) {
    switch self {
    case .insert(let key, let entity): graph.insert(key, entity: entity)
    case .setText(let key, let name, let text): graph.set(name, of: key, to: text)
    case .setNumber(let key, let name, let number): graph.set(name, of: key, to: number)
    case .setTarget(let key, let name, let target): graph.setTarget(name, of: key, to: target)
    case .add(let key, let name, let member, _): graph.add(member, to: name, of: key)
    case .remove(let key, let name, let member, _): graph.remove(member, from: name, of: key)
    case .insertMember(let key, let name, let member, let index, _):
      graph.insert(member, into: name, of: key, at: index)
    case .replace(let key, let name, let members, let way):
      // The mutable ordered set is emptied first, so that at the other ends the object moves to the end.
      if way % 2 == 1, ordered(name) != "" { graph.replace(name, of: key, with: []) }
      graph.replace(name, of: key, with: members)
    case .delete(let key): graph.delete(key)
    }
  }
}

extension Edit {
  /// The objects that the change names.
  var keys: [Int] {
    switch self {
    case .insert(let key, _), .setText(let key, _, _), .setNumber(let key, _, _), .delete(let key): [key]
    case .setTarget(let key, _, let target): [key] + (target.map { [$0] } ?? [])
    case .add(let key, _, let member, _), .remove(let key, _, let member, _),
      .insertMember(let key, _, let member, _, _):
      [key, member]
    case .replace(let key, _, let members, _): [key] + members
    }
  }

  /// Whether the change affects a relationship.
  var changesRelationship: Bool {
    switch self {
    case .insert, .setText, .setNumber: false
    default: true
    }
  }

  /// Performs the change in a context, through one of several parts of the public API.
  func perform(in context: GraphContext) throws {
    switch self {
    case .insert(let key, let entity):
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context.context)
      object.setValue(Int64(key), forKey: GraphSchema.key)
      context.hold(object, as: key)
    case .setText(let key, let name, let text): try context.object(key).setValue(text, forKey: name)
    case .setNumber(let key, let name, let number):
      try context.object(key).setValue(number.map { Int64($0) }, forKey: name)
    case .setTarget(let key, let name, let target):
      try context.object(key).setValue(try target.map(context.object), forKey: name)
    case .add(let key, let name, let member, let way):
      try Self.add(try context.object(member), to: name, of: try context.object(key), way: way)
    case .remove(let key, let name, let member, let way):
      try Self.remove(try context.object(member), from: name, of: try context.object(key), way: way)
    case .insertMember(let key, let name, let member, let index, let way):
      Self.insert(try context.object(member), into: name, of: try context.object(key), at: index, way: way)
    case .replace(let key, let name, let members, let way):
      Self.replace(name, of: try context.object(key), with: try members.map(context.object), way: way)
    case .delete(let key): context.context.delete(try context.object(key))
    }
  }

  private static func isOrdered(_ name: String, of object: NSManagedObject) -> Bool {
    object.entity.relationshipsByName[name]?.isOrdered == true
  }

  private static func add(_ member: NSManagedObject, to name: String, of object: NSManagedObject, way: Int) throws {
    if isOrdered(name, of: object) {
      if way % 2 == 0 { return object.mutableOrderedSetValue(forKey: name).add(member) }
      let set = NSMutableOrderedSet(orderedSet: object.value(forKey: name) as? NSOrderedSet ?? NSOrderedSet())
      set.add(member)
      object.setValue(set, forKey: name)
    } else {
      if way % 2 == 0 { return object.mutableSetValue(forKey: name).add(member) }
      let set = NSMutableSet(set: object.value(forKey: name) as? NSSet ?? NSSet())
      set.add(member)
      object.setValue(set, forKey: name)
    }
  }

  private static func remove(
    _ member: NSManagedObject, from name: String, of object: NSManagedObject, way: Int
  ) throws {
    if isOrdered(name, of: object) {
      if way % 2 == 0 { return object.mutableOrderedSetValue(forKey: name).remove(member) }
      let set = NSMutableOrderedSet(orderedSet: object.value(forKey: name) as? NSOrderedSet ?? NSOrderedSet())
      set.remove(member)
      object.setValue(set, forKey: name)
    } else {
      if way % 2 == 0 { return object.mutableSetValue(forKey: name).remove(member) }
      let set = NSMutableSet(set: object.value(forKey: name) as? NSSet ?? NSSet())
      set.remove(member)
      object.setValue(set, forKey: name)
    }
  }

  private static func insert(
    _ member: NSManagedObject, into name: String, of object: NSManagedObject, at index: Int, way: Int
  ) {
    if way % 2 == 0 { return object.mutableOrderedSetValue(forKey: name).insert(member, at: index) }
    let set = NSMutableOrderedSet(orderedSet: object.value(forKey: name) as? NSOrderedSet ?? NSOrderedSet())
    set.insert(member, at: index)
    object.setValue(set, forKey: name)
  }

  private static func replace(
    _ name: String, of object: NSManagedObject, with members: [NSManagedObject], way: Int
  ) {
    if isOrdered(name, of: object) {
      if way % 2 == 0 { return object.setValue(NSOrderedSet(array: members), forKey: name) }
      let set = object.mutableOrderedSetValue(forKey: name)
      // Sets exactly the new order, even if members stay.
      set.removeAllObjects()
      set.addObjects(from: members)
    } else {
      if way % 2 == 0 { return object.setValue(NSSet(array: members), forKey: name) }
      object.mutableSetValue(forKey: name).setSet(Set(members))
    }
  }
}

/// The change as Swift code.
extension Edit: CustomStringConvertible {
  var description: String {
    switch self {
    case .insert(let key, let entity): "let o\(key) = insert(\"\(entity)\", key: \(key))"
    case .setText(let key, let name, let text):
      "o\(key).setValue(\(text.map { "\"\($0)\"" } ?? "nil"), forKey: \"\(name)\")"
    case .setNumber(let key, let name, let number):
      "o\(key).setValue(\(number.map(String.init) ?? "nil"), forKey: \"\(name)\")"
    case .setTarget(let key, let name, let target):
      "o\(key).setValue(\(target.map { "o\($0)" } ?? "nil"), forKey: \"\(name)\")"
    case .add(let key, let name, let member, let way):
      way % 2 == 0
        ? "\(live(key, name)).add(o\(member))" : "\(assigned(key, name, "+ [o\(member)]"))"
    case .remove(let key, let name, let member, let way):
      way % 2 == 0
        ? "\(live(key, name)).remove(o\(member))" : "\(assigned(key, name, "- [o\(member)]"))"
    case .insertMember(let key, let name, let member, let index, let way):
      way % 2 == 0
        ? "\(live(key, name)).insert(o\(member), at: \(index))"
        : "\(assigned(key, name, "with o\(member) at \(index)"))"
    case .replace(let key, let name, let members, let way):
      way % 2 == 0
        ? "o\(key).setValue(NS\(ordered(name))Set(array: [\(list(members))]), forKey: \"\(name)\")"
        : "\(live(key, name)).setSet([\(list(members))])"
    case .delete(let key): "context.delete(o\(key))"
    }
  }

  private func list(_ keys: [Int]) -> String { keys.map { "o\($0)" }.joined(separator: ", ") }

  private func ordered(_ name: String) -> String {
    let isOrdered = GraphSchema.entities.contains { entity in
      entity.relationships.contains { $0.name == name && $0.isOrdered }
    }
    return isOrdered ? "Ordered" : ""
  }

  private func live(_ key: Int, _ name: String) -> String {
    "o\(key).mutable\(ordered(name))SetValue(forKey: \"\(name)\")"
  }

  private func assigned(_ key: Int, _ name: String, _ change: String) -> String {
    "o\(key).setValue(o\(key).\(name) \(change), forKey: \"\(name)\")"
  }
}
