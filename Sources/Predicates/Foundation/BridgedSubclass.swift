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
    classed(ExpressionStorage(), contents: contents)
  }
}

extension BridgedSubclass where Self: NSComparisonPredicate {
  package static func made(of contents: AnyObject) -> Self {
    // Uses a block, because Foundation considers block predicates equal to no other.
    classed(PredicateStorage { _, _ in preconditionFailure("A comparison answers by its tree.") }, contents: contents)
  }
}

extension BridgedSubclass {
  fileprivate static func classed(_ storage: NSObject, contents: AnyObject) -> Self {
    BridgedStorage.require(self, asLargeAs: type(of: storage))
    let address = Unmanaged.passRetained(storage).toOpaque()
    // The first word of an object is its class. Both classes have the same layout, from the superclass with a working
    // initialiser down to `contents`; no class in between adds stored properties.
    address.storeBytes(of: unsafeBitCast(Self.self, to: UnsafeRawPointer.self), as: UnsafeRawPointer.self)
    let object = Unmanaged<Self>.fromOpaque(address).takeRetainedValue()
    object.contents = contents
    return object
  }
}

/// Whether classes have the storage that is expected here.
package enum BridgedStorage {
  /// Stops the program if instances of a class do not have the size of those they are made from, which means another
  /// Foundation than the one that this package was written for. Nothing has been written to memory by then. There is no
  /// fallback: without such objects no format string could become a predicate.
  ///
  /// Compares two numbers on each call, which is cheaper than checking whether that has been done before.
  package static func require(_ type: AnyClass, asLargeAs storage: AnyClass) {
    let (size, needed) = (ClassMetadata.instanceSize(of: type), ClassMetadata.instanceSize(of: storage))
    guard size == needed else {
      fatalError(
        "\(type) has \(size) bytes with this Foundation, and \(needed) with the one that this package was made for: "
          + "use the toolchain that its README names.")
    }
  }
}

private final class ExpressionStorage: NSObject { final var contents: AnyObject? }

private final class PredicateStorage: NSPredicate { final var contents: AnyObject? }
