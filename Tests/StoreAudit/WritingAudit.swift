import CoreData
import Foundation
import StrataManagedModel
import StrataPredicates

/// Inserts and links objects of every entity, changes and deletes some, and checks the resulting file.
struct WritingAudit {
  private(set) var inserted = 0
  private(set) var updated = 0
  private(set) var deleted = 0
  private(set) var differences: [String] = []

  private let raw: RawStore
  private let before: [String: [String]]
  private static let kept = [
    "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name", "SELECT hex(Z_CONTENT) FROM Z_MODELCACHE",
    "SELECT Z_UUID || hex(Z_PLIST) FROM Z_METADATA",
  ]

  init(_ container: AuditedStore, _ raw: RawStore) throws {
    self.raw = raw
    before = try Self.facts(of: raw)
    let history = try Self.history(raw)
    let context = container.context
    var new: [NSManagedObject] = []
    let entities = container.model.entities.filter { !$0.isAbstract }
    for entity in entities {
      // Objects in an entity hierarchy share the related objects that they need.
      for _ in 0..<(entity.superentity == nil && entity.subentities.isEmpty ? 18 : 6) {
        new.append(Self.insert(entity, 1_000 + new.count, context))
      }
    }
    link(new)
    try context.save()
    inserted = new.count
    try expectVersion(1, of: new)
    for object in new { Self.change(object) }
    updated = new.filter(\.hasChanges).count
    let changed = new.filter(\.hasChanges)
    try context.save()
    try expectVersion(2, of: changed)
    for entity in entities {
      guard let last = new.last(where: { $0.entity == entity && !$0.isDeleted }) else { continue }
      context.delete(last)
    }
    deleted = context.deletedObjects.count
    try context.save()
    try expectIntegrity()
    try expectHistory(since: history)
    for entity in entities { try expectCounts(of: entity) }
  }

  /// Three saves create three transactions, and at least one change per object.
  private mutating func expectHistory(since before: [Int64]) throws {
    let after = try Self.history(raw)
    guard after.count == 2, before.count == 2 else { return }
    if after[0] != before[0] + 3 { differences.append("\(after[0] - before[0]) transactions for 3 saves") }
    let minimum = Int64(inserted + updated + deleted)
    if after[1] - before[1] < minimum { differences.append("\(after[1] - before[1]) changes, not \(minimum)") }
    let orphaned = try raw.integers(
      "SELECT count(*) FROM ACHANGE WHERE ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)")
    if orphaned != [0] { differences.append("changes without a transaction: \(orphaned)") }
  }

  /// The numbers of transactions and changes; empty without history.
  private static func history(_ raw: RawStore) throws -> [Int64] {
    guard try !raw.rows("SELECT 1 FROM sqlite_master WHERE name = 'ATRANSACTION'").isEmpty else { return [] }
    return try raw.integers("SELECT count(*) FROM ATRANSACTION") + raw.integers("SELECT count(*) FROM ACHANGE")
  }

  /// A derived count equals the number of rows.
  private mutating func expectCounts(of entity: NSEntityDescription) throws {
    for case let derived as NSDerivedAttributeDescription in entity.properties {
      guard case .keyPath(let path)? = derived.derivation, path.count == 2, path[1] == "@count",
        let relationship = entity.relationshipsByName[path[0]], let inverse = relationship.inverseRelationship,
        !inverse.isToMany, let destination = relationship.destinationEntity
      else { continue }
      let (table, members) = (ReadingAudit.table(of: entity), ReadingAudit.table(of: destination))
      let column = ReadingAudit.column(inverse.name)
      let wrong = try raw.integers(
        """
        SELECT o.Z_PK FROM \(table) o WHERE o.\(ReadingAudit.column(derived.name)) IS NOT \
        (SELECT count(*) FROM \(members) m WHERE m.\(column) = o.Z_PK)
        """)
      if !wrong.isEmpty { differences.append("\(table): \(derived.name) is wrong in rows \(wrong)") }
    }
  }

  private static func facts(of raw: RawStore) throws -> [String: [String]] {
    try kept.reduce(into: [:]) { facts, sql in facts[sql] = try raw.texts(sql) }
  }

  private static func insert(_ entity: NSEntityDescription, _ number: Int, _ context: NSManagedObjectContext)
    -> NSManagedObject
  {
    let object = NSManagedObject(entity: entity, insertInto: context)
    for (name, attribute) in entity.attributesByName {
      if let value = value(of: attribute, number) { object.setValue(value, forKey: name) }
    }
    return object
  }

  /// A unique value; nil for attributes that the store computes.
  private static func value(of attribute: NSAttributeDescription, _ number: Int) -> Any? {
    guard !(attribute is NSDerivedAttributeDescription), !attribute.isTransient else { return nil }
    switch attribute.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: return number
    case .booleanAttributeType: return number % 2 == 0
    case .doubleAttributeType, .floatAttributeType: return Double(number) + 0.5
    case .decimalAttributeType: return NSDecimalNumber(string: "\(number).25")
    case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: 700_000_000.25 + Double(number))
    case .stringAttributeType: return "new \(attribute.name) \(number)"
    case .URIAttributeType: return URL(string: "https://example.com/\(number)")
    case .UUIDAttributeType: return UUID()
    case .binaryDataAttributeType, .transformableAttributeType: return Data(repeating: UInt8(number % 256), count: 100)
    default: return nil
    }
  }

  /// Relates each object to other new objects, so that its relationships have as many members as they require.
  private func link(_ new: [NSManagedObject]) {
    for object in new {
      for (name, relationship) in object.entity.relationshipsByName {
        let fitting = new.filter { other in
          relationship.destinationEntity.map { other.entity.isKindOf(entity: $0) } ?? false && other !== object
        }
        let free = fitting.first { other in
          relationship.inverseRelationship.map { $0.isToMany || other.value(forKey: $0.name) == nil } ?? true
        }
        guard let other = free ?? (relationship.isToMany ? nil : fitting.first) else { continue }
        if relationship.isToMany {
          relationship.isOrdered
            ? object.mutableOrderedSetValue(forKey: name).add(other) : object.mutableSetValue(forKey: name).add(other)
        } else if object.value(forKey: name) == nil {
          object.setValue(other, forKey: name)
        }
      }
    }
  }

  private static func change(_ object: NSManagedObject) {
    for (name, attribute) in object.entity.attributesByName
    where attribute.attributeType == .stringAttributeType && !(attribute is NSDerivedAttributeDescription) {
      object.setValue("changed " + (object.value(forKey: name) as? String ?? ""), forKey: name)
    }
  }

  private mutating func expectVersion(_ expected: Int64, of objects: [NSManagedObject]) throws {
    for object in objects {
      let (table, key) = (ReadingAudit.table(of: object.entity), ReadingAudit.key(of: object) ?? 0)
      let version = try raw.integers("SELECT Z_OPT FROM \(table) WHERE Z_PK = \(key)").first
      if version != expected { differences.append("\(table) \(key): Z_OPT is \(version ?? 0), not \(expected)") }
    }
  }

  private mutating func expectIntegrity() throws {
    let check = try raw.texts("PRAGMA integrity_check")
    if check != ["ok"] { differences += check }
    for (sql, texts) in try Self.facts(of: raw) where texts != before[sql] {
      differences.append("changed by saving: \(sql)")
    }
    for row in try raw.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_SUPER = 0 AND Z_ENT < 16000") {
      guard case .text(let name) = row[0], case .integer(let last) = row[1] else { continue }
      let highest = try raw.integers("SELECT max(Z_PK) FROM Z\(name.uppercased())").first ?? 0
      if highest > last { differences.append("\(name): Z_MAX is \(last), but there is a row \(highest)") }
    }
  }
}
