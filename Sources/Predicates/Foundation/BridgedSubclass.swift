import Foundation

/// An instance of a subclass of `NSExpression` or `NSComparisonPredicate`, whose own initialisers all trap.
///
/// It is created as an instance of a class with the same layout, and its class pointer is then replaced: the conforming
/// class stores `contents`, declared as `final var contents: AnyObject?`, and nothing else.
package protocol BridgedSubclass: NSObject {
  var contents: AnyObject? { get set }
}

extension BridgedSubclass where Self: NSExpression {
  package static func made(of contents: AnyObject) -> Self {
    classed(ExpressionStorage(), contents)
  }
}

extension BridgedSubclass where Self: NSComparisonPredicate {
  package static func made(of contents: AnyObject) -> Self {
    // Uses a block, because Foundation considers block predicates equal to no other.
    classed(PredicateStorage { _, _ in preconditionFailure("A comparison answers by its tree.") }, contents)
  }
}

extension BridgedSubclass {
  fileprivate static func classed(_ storage: NSObject, _ contents: AnyObject) -> Self {
    precondition(
      hasStorage(of: type(of: storage)),
      "\(self) has other storage with this Foundation than with the one that this package was made for: use the "
        + "toolchain that its README names.")
    let address = Unmanaged.passRetained(storage).toOpaque()
    // The first word of an object is its class. Both classes have the same layout, from the superclass with a working
    // initialiser down to `contents`; no class in between adds stored properties.
    address.storeBytes(of: unsafeBitCast(Self.self, to: UnsafeRawPointer.self), as: UnsafeRawPointer.self)
    let object = Unmanaged<Self>.fromOpaque(address).takeRetainedValue()
    object.contents = contents
    return object
  }
}

extension BridgedSubclass {
  /// Whether instances have the same size as those of another class.
  fileprivate static func hasStorage(of type: AnyClass) -> Bool {
    ClassWords(self).instanceSize == ClassWords(type).instanceSize
  }
}

private final class ExpressionStorage: NSObject { final var contents: AnyObject? }

private final class PredicateStorage: NSPredicate { final var contents: AnyObject? }
