import Foundation

/// An object of a subclass of `NSExpression` or `NSComparisonPredicate`, whose own initialisers all trap.
///
/// It is made as an object of a class with the same storage and then told its class: the conforming class stores
/// `contents`, declared as `final var contents: AnyObject?`, and nothing else.
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
    // A predicate of a block equals no other of Foundation's.
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
    // The first word of an object is its class. The storage of both classes is the same, from the superclass that
    // Foundation gives a working initialiser down to `contents`; none of the classes between adds to it.
    address.storeBytes(of: unsafeBitCast(Self.self, to: UnsafeRawPointer.self), as: UnsafeRawPointer.self)
    let object = Unmanaged<Self>.fromOpaque(address).takeRetainedValue()
    object.contents = contents
    return object
  }
}

extension BridgedSubclass {
  /// Whether objects of the class are as large as those of another.
  fileprivate static func hasStorage(of type: AnyClass) -> Bool {
    ClassWords(self).instanceSize == ClassWords(type).instanceSize
  }
}

private final class ExpressionStorage: NSObject { final var contents: AnyObject? }

private final class PredicateStorage: NSPredicate { final var contents: AnyObject? }
