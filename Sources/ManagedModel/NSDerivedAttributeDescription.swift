import Foundation
import Predicates

/// An attribute whose value the store computes from other properties when an object is saved.
/// See https://developer.apple.com/documentation/coredata/nsderivedattributedescription
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// What the value is: a key path (`region.name`, `quakes.@count`) or a function (`canonical:(title)`, `now()`).
  package var derivation: ExpressionNode? { willSet { willEdit() } }

  package override func makeCopy() -> NSPropertyDescription {
    let copy = NSDerivedAttributeDescription()
    copy.take(from: self)
    return copy
  }

  package override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSDerivedAttributeDescription else { return }
    derivation = other.derivation
  }
}
