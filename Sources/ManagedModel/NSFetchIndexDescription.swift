import Foundation

/// An index that the store is to keep for an entity.
/// See https://developer.apple.com/documentation/coredata/nsfetchindexdescription
open class NSFetchIndexDescription: NSObject, @unchecked Sendable {
  // Sendable: part of the model, which nobody changes once it is frozen.

  /// The index's name, unique within its entity.
  public var name: String { willSet { willEdit() } }

  /// The entity that has the index.
  public internal(set) unowned(unsafe) var entity: NSEntityDescription?

  /// The properties by which the index is ordered, most significant first.
  public var elements: [NSFetchIndexElementDescription] {
    willSet { willEdit() }
    didSet { for element in elements { element.indexDescription = self } }
  }

  /// Which rows are in the index; nil is all of them.
  public var partialIndexPredicate: NSPredicate? { willSet { willEdit() } }

  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
    super.init()
    for element in self.elements { element.indexDescription = self }
  }

  func willEdit() { entity?.willEdit() }
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
  public var collationType: NSFetchIndexElementType { willSet { indexDescription?.willEdit() } }

  /// Whether the smallest value comes first. Default: true.
  public var isAscending: Bool = true { willSet { indexDescription?.willEdit() } }

  /// The index that the element is part of.
  public internal(set) unowned(unsafe) var indexDescription: NSFetchIndexDescription?

  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    self.property = property
    self.collationType = collationType
    super.init()
  }
}

/// How an index compares values.
/// See https://developer.apple.com/documentation/coredata/nsfetchindexelementtype
public enum NSFetchIndexElementType: UInt, Sendable {
  case binary = 0
  case rTree = 1
}
