import Foundation
import Synchronization

/// The layout of an entity's rows: a slot for each attribute and each to-one relationship, and a number for each
/// to-many relationship. Names are resolved to slots here, once, when a coordinator first uses the model.
///
/// The slots of a subentity begin with those of its parent, so a slot number means the same in the whole hierarchy.
@usableFromInline
package final class EntityLayout: @unchecked Sendable {
  // @unchecked: created and linked while the model is frozen, immutable afterwards.

  package let name: String
  /// The entity's name in older versions of the model; its current name if it was never renamed.
  package let renamingIdentifier: String?
  /// The name of the objects' class.
  package let className: String?
  /// Whether only subentities have objects.
  package let isAbstract: Bool
  /// The entity that this one inherits from.
  package let parent: EntityLayout?
  /// The names in each uniqueness constraint that the entity itself declares; paths for elements of composite attributes.
  package let uniqueNames: [[String]]
  /// The fetch indexes that the entity itself declares.
  package let indexes: [IndexLayout]
  /// A hash that changes whenever the way the entity is stored changes.
  package let versionHash: Data
  /// Information of the program's own, for predicates.
  let userInfo: [AnyHashable: Any]?
  /// Starts at 1: the position in a depth-first walk over the inheritance forest, siblings by name. `Z_ENT` in a new
  /// store.
  package let number: Int
  /// The number of the hierarchy's root, whose table and key space all its entities share.
  package let rootNumber: Int
  /// Unique in the process: typed accessors cache their slots by it. An entity's descendants have the numbers that follow.
  package let serial: UInt32
  /// The numbers of the entities that a fetch with subentities returns: this one and its descendants.
  package var subtreeNumbers: [Int] { subtreeList }
  // Changed only while the model is frozen, like those below.
  @exclusivity(unchecked) var subtreeList: [Int]
  // Changed only while the model is frozen, so exclusive access need not be checked. Other modules, which would check
  // it for stored properties, use the accessors.
  @exclusivity(unchecked) @usableFromInline var slotList: [PropertySlot]
  @exclusivity(unchecked) @usableFromInline var toManyList: [ToManyProperty]
  @inlinable package var slots: [PropertySlot] { slotList }
  @inlinable package var toMany: [ToManyProperty] { toManyList }
  /// The composite attributes, whose elements have slots of their own.
  package let composites: [CompositeAttribute]
  /// Whether the model has composite attributes: paths may lead into one.
  package var modelHasComposites: Bool { compositesExist }
  @exclusivity(unchecked) var compositesExist = false
  /// The kind of each slot, for code that runs per row: immutable, so access is not checked.
  @usableFromInline package let kinds: [SlotKind]
  /// The slots whose values are on a page's heap.
  package let heapSlots: [Int]
  /// The slots of to-one relationships.
  package let toOneSlots: [Int]
  /// The slots of transient attributes with default values.
  @usableFromInline package let transientDefaults: [Int]
  /// The slots of transient attributes and to-one relationships.
  package let transientSlots: [Int]
  /// The slots of transient attributes whose values are not in the row.
  package let objectSlots: [Int]
  /// The numbers of transient to-many relationships.
  package let transientToMany: [Int]
  /// The number of to-many relationships that the entity declares itself.
  let ownToManyCount: Int
  /// The derived attributes of other rows that are computed from rows of the entity: empty for most models.
  package var remoteDerivations: [RemoteDerivation] { remoteDerivationList }
  @exclusivity(unchecked) var remoteDerivationList: [RemoteDerivation] = []
  /// The slots of derived attributes.
  package let derivedSlots: [Int]
  /// A cache of the object graph: whether the entity's class implements accessors, and the stamp that makes that valid.
  package let accessorState = Atomic(0)
  /// Whether a relationship has the deny rule.
  package let deniesDeletion: Bool
  /// The number of words at the beginning of a row that mark nil slots.
  package let nullWords: Int
  /// A bit set of slots in which no bit is set.
  package let noSlots: [UInt64]
  /// The number of 8-byte words per row: ID, version, nulls, slots.
  package let stride: Int
  /// The index of slot 0's word.
  package let firstSlotWord: Int

  /// The names of the fetched properties, including inherited ones; few entities have any.
  private let fetchedProperties: Set<String>
  private let slotNumbers: [String: Int]
  private let toManyNumbers: [String: Int]
  /// By path, including nested ones.
  private let compositesByName: [String: CompositeAttribute]

  private static let lastSerial = Atomic<UInt32>(0)

  /// - Parameter toManyCount: the number of to-many relationships that the entities before this one declare.
  init(entity: NSEntityDescription, number: Int, parent: EntityLayout?, toManyCount: Int) {
    let own = entity.ownProperties.filter(\.isInRows).sorted {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
    self.name = entity.name ?? ""
    renamingIdentifier = entity.renamingIdentifier
    className = entity.managedObjectClassName
    isAbstract = entity.isAbstract
    self.parent = parent
    uniqueNames = entity.uniqueNames
    indexes = entity.indexes.map(IndexLayout.init)
    versionHash = entity.versionHash
    userInfo = entity.userInfo
    self.number = number
    subtreeList = [number]
    rootNumber = parent?.rootNumber ?? number
    serial = Self.lastSerial.add(1, ordering: .relaxed).newValue
    var slots = parent?.slots ?? []
    var composites = parent?.composites ?? []
    for property in own {
      if let composite = property as? NSCompositeAttributeDescription {
        composites.append(CompositeAttribute(composite, declarer: number, in: &slots))
      } else if let slot = PropertySlot(property, declarer: number) {
        slots.append(slot)
      }
    }
    slotList = slots
    self.composites = composites
    compositesByName = Dictionary(
      composites.flatMap(\.family).map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    kinds = slots.map(\.kind)
    heapSlots = slots.indices.filter { slots[$0].kind.isOnHeap }
    toOneSlots = slots.indices.filter { slots[$0].kind == .toOne }
    objectSlots = slots.indices.filter { slots[$0].kind == .object }
    transientSlots = slots.indices.filter { slots[$0].isTransient }
    transientDefaults = slots.indices.filter { slots[$0].isTransient && slots[$0].defaultValue != nil }
    var toMany = parent?.toMany ?? []
    let inheritedCount = toMany.count
    for var property in own.compactMap({ ToManyProperty($0, declarer: number) }) {
      property.index = toManyCount + toMany.count - inheritedCount
      toMany.append(property)
    }
    ownToManyCount = toMany.count - inheritedCount
    derivedSlots = slots.indices.filter { slots[$0].attribute?.isDerived == true }
    toManyList = toMany
    transientToMany = toMany.indices.filter { toMany[$0].relationship.isTransient }
    deniesDeletion =
      slots.contains { $0.relationship?.deleteRule == .denyDeleteRule }
      || toMany.contains { $0.relationship.deleteRule == .denyDeleteRule }
    fetchedProperties = (parent?.fetchedProperties ?? []).union(
      own.lazy.filter { $0 is NSFetchedPropertyDescription }.map(\.name))
    nullWords = max(1, (slots.count + 63) / 64)
    noSlots = Array(repeating: 0, count: nullWords)
    firstSlotWord = 2 + nullWords
    stride = firstSlotWord + slots.count
    slotNumbers = Dictionary(slots.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { _, last in last })
    toManyNumbers = Dictionary(toMany.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// Returns the slot of an attribute or to-one relationship.
  package func slot(named name: String) -> Int? { slotNumbers[name] }

  /// Returns a composite attribute, by its path if it is nested.
  package func composite(named name: String) -> CompositeAttribute? {
    compositesByName.isEmpty ? nil : compositesByName[name]
  }

  /// Returns the composite attribute of the entity that a slot belongs to.
  package func composite(of slot: Int) -> CompositeAttribute? {
    composites.isEmpty ? nil : composites.first { $0.slots.contains(slot) }
  }

  /// The names of the attributes and to-one relationships, in the order of their slots.
  package var ownerNames: [String] {
    slots.indices.filter { $0 == 0 || slots[$0].ownerName != slots[$0 - 1].ownerName }.map { slots[$0].ownerName }
  }

  /// Returns the number of a to-many relationship.
  package func toMany(named name: String) -> Int? { toManyNumbers[name] }

  /// Whether the entity has a fetched property with a name.
  package func hasFetchedProperty(named name: String) -> Bool {
    !fetchedProperties.isEmpty && fetchedProperties.contains(name)
  }

  /// Whether the entity has fetched properties, declared or inherited.
  package var hasFetchedProperties: Bool { !fetchedProperties.isEmpty }

  /// Whether the entity has a property with a name, of any kind.
  package func hasProperty(named name: String) -> Bool {
    slot(named: name) != nil || toMany(named: name) != nil || composite(named: name) != nil
      || hasFetchedProperty(named: name)
  }

  /// Whether other entities inherit from the entity.
  package var hasDescendants: Bool { subtreeList.count > 1 }

  /// Whether the entity is `other` or inherits from it.
  package func isKind(of other: EntityLayout) -> Bool {
    serial >= other.serial && Int(serial - other.serial) < other.subtreeList.count
  }

  /// The entity and its ancestors, the root last.
  package var lineage: [EntityLayout] {
    var line = [self]
    while let parent = line[line.count - 1].parent { line.append(parent) }
    return line
  }

  /// Returns a relationship.
  package func relationship(named name: String) -> RelationshipLayout? {
    slot(named: name).map { slots[$0].relationship } ?? toMany(named: name).map { toMany[$0].relationship }
  }

  /// Whether the entity declares a property of its own, rather than inheriting it.
  package func declares(_ slot: PropertySlot) -> Bool { slot.declarer == number }

  /// Whether the entity declares a relationship of its own, rather than inheriting it.
  package func declares(_ relationship: RelationshipLayout) -> Bool { relationship.declarer == number }
}

/// An attribute or to-one relationship in a row.
@usableFromInline
package struct PropertySlot: Sendable {
  /// For an element, the path from the entity: `magnitude.richter`.
  package let name: String
  @usableFromInline package let kind: SlotKind
  package let isTransient: Bool
  package let isOptional: Bool
  /// The number of the entity that declares the property.
  package let declarer: Int
  /// The attribute, if the slot is one.
  package let attribute: AttributeLayout?
  /// The relationship, if the slot is one.
  package let relationship: RelationshipLayout?
  /// The location of a to-one relationship's inverse in the destination's rows.
  package internal(set) var inverse = InverseLocation.none

  init?(_ property: NSPropertyDescription, declarer: Int) {
    switch property {
    case let attribute as NSAttributeDescription:
      kind = SlotKind(attribute.attributeType)
      (self.attribute, relationship) = (AttributeLayout(attribute), nil)
    case let relationship as NSRelationshipDescription where !relationship.isToMany:
      kind = .toOne
      (attribute, self.relationship) = (nil, RelationshipLayout(relationship, declarer: declarer))
    default: return nil
    }
    name = property.name
    isTransient = property.isTransient
    isOptional = property.isOptional
    self.declarer = declarer
  }

  /// Creates the slot of an element of a composite attribute.
  init(
    _ element: NSAttributeDescription, of owner: NSCompositeAttributeDescription, named name: String, isTransient: Bool,
    declarer: Int
  ) {
    kind = SlotKind(element.attributeType)
    attribute = AttributeLayout(element, of: owner)
    relationship = nil
    self.name = name
    self.isTransient = isTransient || element.isTransient
    isOptional = element.isOptional
    self.declarer = declarer
  }

  /// The default value of new objects; nil for none.
  package var defaultValue: Any? { attribute?.defaultValue }

  /// The name of the entity's property: that of the composite attribute that contains an element.
  package var ownerName: String { attribute?.compositeName ?? name }

  /// Whether the model preserves the slot's value in the history of a deletion, directly or as part of an attribute.
  package var isKeptOnDeletion: Bool { attribute?.preservesValueOnDeletion == true }

  /// Returns the slot's part of its property's value: for an element, the dictionary's value at its path.
  package func part(of value: Any?) -> Any? {
    guard attribute?.compositeName != nil else { return value }
    return name.split(separator: ".").dropFirst().reduce(value) { value, key in
      (value as? [String: Any])?[String(key)]
    }
  }
}

extension NSPropertyDescription {
  /// Whether the property is not a relationship without a destination.
  fileprivate var isInRows: Bool {
    (self as? NSRelationshipDescription).map { $0.destinationEntity != nil } ?? true
  }
}

extension EntityLayout {
  /// Whether members of a to-many relationship may have several owners. Members with a to-one inverse have only one.
  package func sharesMembers(_ number: Int) -> Bool { if case .slot = toMany[number].inverse { false } else { true } }
}

/// A to-many relationship.
@usableFromInline
package struct ToManyProperty: Sendable {
  package let relationship: RelationshipLayout
  package let name: String
  /// The position among all to-many relationships of the model; the same in subentities, which inherit it.
  package internal(set) var index = 0
  /// The location of the inverse in the destination's rows.
  package internal(set) var inverse = InverseLocation.none

  init?(_ property: NSPropertyDescription, declarer: Int) {
    guard let description = property as? NSRelationshipDescription, description.isToMany else { return nil }
    relationship = RelationshipLayout(description, declarer: declarer)
    name = description.name
  }
}

/// The location of a relationship's inverse in the rows of its destination entity and that entity's descendants.
package enum InverseLocation: Hashable, Sendable {
  /// The relationship has no inverse.
  case none
  /// A to-one relationship, by its slot.
  case slot(Int)
  /// A to-many relationship, by its number.
  case toMany(Int)

  init(of relationship: RelationshipLayout?, in layouts: [EntityLayout]) {
    guard let inverse = relationship?.inverse else {
      self = .none
      return
    }
    let layout = layouts[inverse.declarer - 1]
    self =
      layout.toMany(named: inverse.name).map(InverseLocation.toMany)
      ?? layout.slot(named: inverse.name).map(InverseLocation.slot) ?? .none
  }
}

/// The meaning of a slot's 8 bytes.
@usableFromInline
package enum SlotKind: UInt8, Sendable {
  /// An `Int64`.
  case integer16, integer32, integer64
  /// 0 or 1.
  case boolean
  /// The bits of a `Double`; of a date the seconds since 2001-01-01 00:00 UTC.
  case double, float, date
  /// How far before the end of the page's heap the UTF-8 text begins (high 32 bits), and its length in bytes.
  case string, uri
  /// Offset and length of bytes in the page's heap: the data, 16 bytes of a UUID, a `Decimal` as it lies in memory,
  /// the output of a value transformer.
  case data, uuid, decimal, transformable
  /// The bits of a `RowID`; 0 is nil.
  case toOne
  /// Not in the row: the object stores the value of a transient attribute of undefined type separately.
  case object

  package init(_ type: NSAttributeType) {
    switch type {
    case .integer16AttributeType: self = .integer16
    case .integer32AttributeType: self = .integer32
    case .integer64AttributeType: self = .integer64
    case .booleanAttributeType: self = .boolean
    case .doubleAttributeType: self = .double
    case .floatAttributeType: self = .float
    case .dateAttributeType: self = .date
    case .stringAttributeType: self = .string
    case .URIAttributeType: self = .uri
    case .binaryDataAttributeType: self = .data
    case .UUIDAttributeType: self = .uuid
    case .decimalAttributeType: self = .decimal
    case .transformableAttributeType: self = .transformable
    case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: self = .object
    }
  }

  /// Whether the slot holds an offset and a length in the page's heap.
  @inlinable package var isOnHeap: Bool {
    switch self {
    case .string, .uri, .data, .uuid, .decimal, .transformable: true
    default: false
    }
  }
}
