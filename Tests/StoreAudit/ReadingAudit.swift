import CoreData
import Foundation

/// Compares every value of every row, read through the public API, with the file.
struct ReadingAudit {
  private(set) var entities = 0
  private(set) var rows = 0
  private(set) var values = 0
  private(set) var differences: [String] = []

  private let raw: RawStore
  private let numbers: [String: Int64]

  init(_ context: NSManagedObjectContext, _ model: NSManagedObjectModel, _ raw: RawStore) throws {
    self.raw = raw
    numbers = try raw.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY").reduce(into: [:]) { numbers, row in
      if case .text(let name) = row[0], case .integer(let number) = row[1] { numbers[name] = number }
    }
    for entity in model.entities { try compare(entity, context) }
  }

  private mutating func compare(_ entity: NSEntityDescription, _ context: NSManagedObjectContext) throws {
    guard let name = entity.name, let number = numbers[name] ?? entity.renamingIdentifier.flatMap({ numbers[$0] })
    else {
      differences.append("\(entity.name ?? ""): is not in Z_PRIMARYKEY")
      return
    }
    entities += 1
    let stored = try raw.table(Self.table(of: entity), entity: number)
    let request = NSFetchRequest<NSManagedObject>(entityName: name)
    request.includesSubentities = false
    let objects = try context.fetch(request)
    if objects.count != stored.count { differences.append("\(name): \(objects.count) objects, \(stored.count) rows") }
    for object in objects {
      guard let key = Self.key(of: object), let row = stored[key] else {
        differences.append("\(name): \(object.objectID) is not in the file")
        continue
      }
      rows += 1
      for property in entity.properties { try compare(property, of: object, key, row) }
    }
  }

  private mutating func compare(
    _ property: NSPropertyDescription, of object: NSManagedObject, _ key: Int64, _ row: [String: RawStore.Value]
  ) throws {
    guard !property.isTransient else { return }
    switch property {
    case let attribute as NSAttributeDescription:
      guard let stored = row[Self.column(attribute.name)] else { return note(property, key, "has no column") }
      let value = object.value(forKey: attribute.name)
      check(Self.isSame(value, stored, attribute), property, key, "\(value ?? "nil") for \(stored)")
    case let relationship as NSRelationshipDescription where !relationship.isToMany:
      guard let stored = row[Self.column(relationship.name)] else { return note(property, key, "has no column") }
      let found = (object.value(forKey: relationship.name) as? NSManagedObject).flatMap(Self.key)
      check(found.map(RawStore.Value.integer) ?? .null == stored, property, key, "\(found ?? 0) for \(stored)")
    case let relationship as NSRelationshipDescription: try compare(relationship, of: object, key)
    default: break
    }
  }

  private mutating func compare(_ relationship: NSRelationshipDescription, of object: NSManagedObject, _ key: Int64)
    throws
  {
    guard let stored = try members(of: relationship, key) else { return }
    let value = object.value(forKey: relationship.name)
    let found: [Int64]
    if relationship.isOrdered {
      found = ((value as? NSOrderedSet)?.array ?? []).compactMap { ($0 as? NSManagedObject).flatMap(Self.key) }
    } else {
      found = ((value as? NSSet)?.allObjects ?? []).compactMap { ($0 as? NSManagedObject).flatMap(Self.key) }.sorted()
    }
    check(found == stored, relationship, key, "\(found) for \(stored)")
  }

  /// The members' keys, sorted unless the relationship is ordered; nil if it is stored in a form that this audit does not know.
  private func members(of relationship: NSRelationshipDescription, _ key: Int64) throws -> [Int64]? {
    guard let inverse = relationship.inverseRelationship, let destination = relationship.destinationEntity else {
      return nil
    }
    if !inverse.isToMany {
      let order = relationship.isOrdered ? "Z_FOK_\(inverse.name.uppercased())" : "Z_PK"
      let column = Self.column(inverse.name)
      return try raw.integers(
        "SELECT Z_PK FROM \(Self.table(of: destination)) WHERE \(column) = \(key) ORDER BY \(order)")
    }
    return try pairs(of: relationship, inverse, key)
  }

  /// Members from a join table, which may be named after either side.
  private func pairs(
    of relationship: NSRelationshipDescription, _ inverse: NSRelationshipDescription, _ key: Int64
  ) throws -> [Int64]? {
    guard let own = relationship.entity.name.flatMap({ numbers[$0] }),
      let other = inverse.entity.name.flatMap({ numbers[$0] }), relationship !== inverse
    else { return nil }
    let names = ["Z_\(own)\(relationship.name.uppercased())", "Z_\(other)\(inverse.name.uppercased())"]
    for name in names where try !raw.rows("SELECT 1 FROM sqlite_master WHERE name = '\(name)'").isEmpty {
      let order =
        relationship.isOrdered
        ? "Z_FOK_\(other)\(relationship.name.uppercased())" : names[0].replacing("Z_\(own)", with: "Z_\(other)")
      return try raw.integers(
        """
        SELECT Z_\(other)\(relationship.name.uppercased()) FROM "\(name)" WHERE Z_\(own)\(inverse.name.uppercased()) \
        = \(key) ORDER BY \(order)
        """)
    }
    return nil
  }

  private mutating func check(_ isSame: Bool, _ property: NSPropertyDescription, _ key: Int64, _ text: String) {
    values += 1
    if !isSame { note(property, key, text) }
  }

  private mutating func note(_ property: NSPropertyDescription, _ key: Int64, _ text: String) {
    differences.append("\(property.entity.name ?? "").\(property.name) of row \(key): \(text)")
  }

  static func table(of entity: NSEntityDescription) -> String {
    var root = entity
    while let parent = root.superentity { root = parent }
    return "Z" + (root.name ?? "").uppercased()
  }

  static func column(_ name: String) -> String { "Z" + name.uppercased() }

  static func key(of object: NSManagedObject) -> Int64? {
    Int64(object.objectID.uriRepresentation().lastPathComponent.dropFirst())
  }
}

/// Compares values of the API with values in the file.
extension ReadingAudit {
  private static func isSame(_ value: Any?, _ stored: RawStore.Value, _ attribute: NSAttributeDescription) -> Bool {
    switch (attribute.attributeType, value, stored) {
    case (_, nil, .null): true
    case (.stringAttributeType, let text as String, .text(let stored)): text == stored
    case (.URIAttributeType, let url as URL, .text(let stored)): url.absoluteString == stored
    case (.UUIDAttributeType, let uuid as UUID, .blob(let stored)):
      withUnsafeBytes(of: uuid.uuid) { Data($0) } == stored
    case (.binaryDataAttributeType, let data as Data, .blob(let stored)):
      data == (attribute.allowsExternalBinaryDataStorage ? stored.dropFirst() : stored)
    case (.transformableAttributeType, let data as Data, .blob(let stored)): data == stored
    case (.decimalAttributeType, let number as NSDecimalNumber, _): Double(number.stringValue) == stored.double
    case (.dateAttributeType, let date as Date, _): date.timeIntervalSinceReferenceDate == stored.double
    case (.booleanAttributeType, let flag as Bool, .integer(let stored)): flag == (stored != 0)
    case (_, let number as NSNumber, .integer(let stored)): number.int64Value == stored
    case (_, let number as NSNumber, .real(let stored)): number.doubleValue == stored
    default: false
    }
  }
}

extension RawStore.Value {
  /// A number as a double; nil for others.
  fileprivate var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }
}
