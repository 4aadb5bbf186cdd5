import Foundation

/// An index that the store keeps for an entity, for fetches that filter or sort by its properties.
///
/// A change of the indexes does not change the version hash of the entity.
///
/// ```swift
/// let time = quakeEntity.propertiesByName["time"]!  // Set properties first.
/// let element = NSFetchIndexElementDescription(
///   property: time, collationType: .binary)
/// element.isAscending = false
/// quakeEntity.indexes = [
///   NSFetchIndexDescription(name: "byTime", elements: [element])
/// ]
/// ```
///
/// See <https://developer.apple.com/documentation/coredata/nsfetchindexdescription>
open class NSFetchIndexDescription: NSObject, NSSecureCoding, @unchecked Sendable {
  // Sendable: part of the model, which is immutable once it is frozen.

  /// The name of the index, unique within its entity.
  public var name: String {
    get { givenName }
    set { edit(&givenName, to: newValue) }
  }
  private var givenName: String

  // Taken away by the entity when that goes.
  /// The entity that the index belongs to.
  public internal(set) unowned(unsafe) var entity: NSEntityDescription?

  /// The indexed properties, most significant first. All are of one collation type; a list of both stops the program.
  public var elements: [NSFetchIndexElementDescription] {
    get { givenElements }
    set {
      Self.refuseMixture(newValue, of: name)
      let old = givenElements
      edit(&givenElements, to: newValue)
      for element in old where element.indexDescription === self { element.indexDescription = nil }
      for element in newValue { element.indexDescription = self }
    }
  }
  private var givenElements: [NSFetchIndexElementDescription]

  /// The predicate that rows must match to be in the index; nil for all rows.
  public var partialIndexPredicate: NSPredicate? {
    get { givenPartialIndexPredicate }
    set { edit(&givenPartialIndexPredicate, to: newValue) }
  }
  private var givenPartialIndexPredicate: NSPredicate?

  /// Creates an index.
  /// - Parameters:
  ///   - name: a name that is unique within the entity.
  ///   - elements: the indexed properties, most significant first.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    Self.refuseMixture(elements ?? [], of: name)
    givenName = name
    givenElements = elements ?? []
    super.init()
    for element in givenElements { element.indexDescription = self }
  }

  /// True: an index can be archived with secure coding.
  public class var supportsSecureCoding: Bool { true }

  /// Archives the index with its properties.
  open func encode(with coder: NSCoder) {
    coder.encode(NSString(string: name), forKey: "name")
    coder.encode(NSArray(array: elements), forKey: "elements")
    if let partialIndexPredicate { coder.encode(partialIndexPredicate, forKey: "partialIndexPredicate") }
  }

  /// Creates an index from an archive made by this framework; nil for any other archive. It belongs to no entity.
  public required init?(coder: NSCoder) {
    let classes = [NSArray.self, NSFetchIndexElementDescription.self]
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name"),
      let elements = coder.decodeObject(of: classes, forKey: "elements") as? [NSFetchIndexElementDescription],
      !Self.isMixture(elements)
    else { return nil }
    givenName = name as String
    givenElements = elements
    if coder.containsValue(forKey: "partialIndexPredicate") {
      guard let predicate = coder.decodeObject(of: NSPredicate.self, forKey: "partialIndexPredicate") else {
        return nil
      }
      givenPartialIndexPredicate = predicate
    }
    super.init()
    for element in givenElements { element.indexDescription = self }
  }

  deinit {
    for element in givenElements where element.indexDescription === self { element.indexDescription = nil }
  }

  /// Returns whether another index has the same content.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchIndexDescription else { return false }
    return self === other
      || name == other.name && elements == other.elements && partialIndexPredicate == other.partialIndexPredicate
  }

  /// A hash of the name.
  open override var hash: Int { name.hashValue }

  private func edit<Value>(_ held: inout Value, to value: Value) {
    entity?.willEdit()
    held = value
  }

  /// Whether a list of elements has both collation types: no index of a store can be in two structures.
  package static func isMixture(_ elements: [NSFetchIndexElementDescription]) -> Bool {
    elements.contains { $0.collationType != elements[0].collationType }
  }

  fileprivate static func refuseMixture(_ elements: [NSFetchIndexElementDescription], of name: String) {
    if isMixture(elements) {
      fatalError("The elements of the index '\(name)' have different collation types; an index has one for all.")
    }
  }
}

/// One property of a fetch index.
///
/// See <https://developer.apple.com/documentation/coredata/nsfetchindexelementdescription>
open class NSFetchIndexElementDescription: NSObject, NSSecureCoding, @unchecked Sendable {
  // Sendable: part of the model, which is immutable once it is frozen.

  /// The indexed attribute or to-one relationship.
  public let property: NSPropertyDescription?

  /// The name of the property.
  public var propertyName: String? { property?.name }

  /// Whether values are indexed in order, or as ranges in an R-tree.
  public var collationType: NSFetchIndexElementType {
    get { givenCollationType }
    set {
      edit(&givenCollationType, to: newValue)
      if let index = indexDescription { NSFetchIndexDescription.refuseMixture(index.elements, of: index.name) }
    }
  }
  private var givenCollationType: NSFetchIndexElementType

  /// Whether the smallest value comes first. Default: true.
  public var isAscending: Bool {
    get { givenIsAscending }
    set { edit(&givenIsAscending, to: newValue) }
  }
  private var givenIsAscending = true

  /// The index that the element is part of.
  // Taken away by the index when that goes.
  /// The index that the element belongs to.
  public internal(set) unowned(unsafe) var indexDescription: NSFetchIndexDescription?

  /// Creates an element for a property.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    self.property = property
    givenCollationType = collationType
    super.init()
  }

  /// True: an element can be archived with secure coding.
  public class var supportsSecureCoding: Bool { true }

  /// Archives the element with its property.
  open func encode(with coder: NSCoder) {
    coder.encode(property, forKey: "property")
    coder.encode(Int(collationType.rawValue), forKey: "collationType")
    coder.encode(isAscending, forKey: "isAscending")
  }

  /// Creates an element from an archive made by this framework; nil for any other archive. It belongs to no index.
  public required init?(coder: NSCoder) {
    let collation = NSFetchIndexElementType(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "collationType")))
    guard let property = coder.decodeObject(of: NSPropertyDescription.self, forKey: "property"), let collation else {
      return nil
    }
    self.property = property
    givenCollationType = collation
    givenIsAscending = coder.decodeBool(forKey: "isAscending")
    super.init()
  }

  /// Returns whether another element has the same content.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchIndexElementDescription else { return false }
    return self === other
      || property == other.property && collationType == other.collationType && isAscending == other.isAscending
  }

  /// A hash of the property.
  open override var hash: Int { property?.hash ?? 0 }

  private func edit<Value>(_ held: inout Value, to value: Value) {
    indexDescription?.entity?.willEdit()
    held = value
  }
}
