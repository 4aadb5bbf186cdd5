import Foundation

/// An index that the store is to keep for an entity.
/// See https://developer.apple.com/documentation/coredata/nsfetchindexdescription
open class NSFetchIndexDescription: NSObject, @unchecked Sendable {
  // Sendable: part of the model, which nobody changes once it is frozen.

  /// The index's name, unique within its entity.
  public var name: String {
    get { givenName }
    set { edit(&givenName, newValue) }
  }
  private var givenName: String

  /// The entity that has the index.
  // Taken away by the entity when that goes.
  public internal(set) unowned(unsafe) var entity: NSEntityDescription?

  /// The properties by which the index is ordered, most significant first.
  public var elements: [NSFetchIndexElementDescription] {
    get { givenElements }
    set {
      let old = givenElements
      edit(&givenElements, newValue)
      for element in old where element.indexDescription === self { element.indexDescription = nil }
      for element in newValue { element.indexDescription = self }
    }
  }
  private var givenElements: [NSFetchIndexElementDescription]

  /// Which rows are in the index; nil is all of them.
  public var partialIndexPredicate: NSPredicate? {
    get { givenPartialIndexPredicate }
    set { edit(&givenPartialIndexPredicate, newValue) }
  }
  private var givenPartialIndexPredicate: NSPredicate?

  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    givenName = name
    givenElements = elements ?? []
    super.init()
    for element in givenElements { element.indexDescription = self }
  }

  deinit {
    for element in givenElements where element.indexDescription === self { element.indexDescription = nil }
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchIndexDescription else { return false }
    return self === other
      || name == other.name && elements == other.elements && partialIndexPredicate == other.partialIndexPredicate
  }

  open override var hash: Int { name.hashValue }

  private func edit<Value>(_ held: inout Value, _ value: Value) {
    entity?.willEdit()
    held = value
  }
}

/// One property of an index.
/// See https://developer.apple.com/documentation/coredata/nsfetchindexelementdescription
open class NSFetchIndexElementDescription: NSObject, @unchecked Sendable {
  // Sendable: part of the model, which nobody changes once it is frozen.

  /// The property; an attribute or a to-one relationship.
  public let property: NSPropertyDescription?

  /// The property's name.
  public var propertyName: String? { property?.name }

  /// Whether values are compared as they are, or as ranges in an R-tree.
  public var collationType: NSFetchIndexElementType {
    get { givenCollationType }
    set { edit(&givenCollationType, newValue) }
  }
  private var givenCollationType: NSFetchIndexElementType

  /// Whether the smallest value comes first. Default: true.
  public var isAscending: Bool {
    get { givenIsAscending }
    set { edit(&givenIsAscending, newValue) }
  }
  private var givenIsAscending = true

  /// The index that the element is part of.
  // Taken away by the index when that goes.
  public internal(set) unowned(unsafe) var indexDescription: NSFetchIndexDescription?

  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    self.property = property
    givenCollationType = collationType
    super.init()
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchIndexElementDescription else { return false }
    return self === other
      || property == other.property && collationType == other.collationType && isAscending == other.isAscending
  }

  open override var hash: Int { property?.hash ?? 0 }

  private func edit<Value>(_ held: inout Value, _ value: Value) {
    indexDescription?.entity?.willEdit()
    held = value
  }
}

/// How an index compares values.
/// See https://developer.apple.com/documentation/coredata/nsfetchindexelementtype
public enum NSFetchIndexElementType: UInt, Sendable {
  case binary = 0
  case rTree = 1
}
