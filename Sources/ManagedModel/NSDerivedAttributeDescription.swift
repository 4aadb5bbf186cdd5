import Foundation
import Predicates

/// An attribute whose value the store computes from other properties when an object is saved.
/// See https://developer.apple.com/documentation/coredata/nsderivedattributedescription
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// What the value is: a key path (`region.name`, `quakes.@count`) or a function (`canonical:(title)`, `now()`).
  ///
  /// Number of objects and sum are key paths with an operator here, also where an expression has them as functions.
  package var derivation: ExpressionNode? { willSet { willEdit() } }

  /// What the value is. An expression made of a block has no meaning for a store and is none here.
  public var derivationExpression: Predicates.NSExpression? {
    get { derivation.map { .expression(with: $0) } }
    set { derivation = (try? newValue?.node)?.countingByPath }
  }

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

extension ExpressionNode {
  /// Sources say `quakes.@count` where archives and `NSExpression` say `count:(quakes)`, and `quakes.@sum.depth` where
  /// they say `sum:(quakes.depth)`.
  var countingByPath: ExpressionNode {
    guard case .function(let function, let arguments) = self, arguments.count == 1,
      case .keyPath(var path) = arguments[0]
    else { return self }
    switch function {
    case .count: return .keyPath(path + ["@count"])
    case .sum where path.count > 1:
      path.insert("@sum", at: path.count - 1)
      return .keyPath(path)
    default: return self
    }
  }
}
