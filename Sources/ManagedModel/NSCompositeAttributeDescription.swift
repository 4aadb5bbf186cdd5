import Foundation

/// An attribute that holds several values under names of their own.
/// See https://developer.apple.com/documentation/coredata/nscompositeattributedescription
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The values in it: attributes, also composite ones, that belong to no entity.
  public var elements: [NSAttributeDescription] = [] { willSet { willEdit() } }

  public override init() {
    super.init()
    attributeType = .compositeAttributeType
  }

  package override func makeCopy() -> NSPropertyDescription {
    let copy = NSCompositeAttributeDescription()
    copy.take(from: self)
    return copy
  }

  package override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSCompositeAttributeDescription else { return }
    // A copy of an attribute is an attribute.
    elements = other.elements.compactMap { $0.makeCopy() as? NSAttributeDescription }
  }
}
