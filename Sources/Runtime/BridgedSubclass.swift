import Foundation

/// An instance of a subclass of `NSExpression` or `NSComparisonPredicate`, whose own initializers all trap.
///
/// It is created as an instance of a class of this module with the same layout, and its class pointer is then replaced,
/// before anything else has a reference to it. The conforming class stores `contents`, declared as
/// `final var contents: AnyObject?`, and nothing else.
@usableFromInline package protocol BridgedSubclass: NSObject {
  var contents: AnyObject? { get set }
}

extension BridgedSubclass {
  @inlinable package static func made(of contents: AnyObject) -> Self { classed(ObjectStorage(), contents: contents) }
}

extension BridgedSubclass where Self: NSPredicate {
  @inlinable package static func made(of contents: AnyObject) -> Self {
    // Uses a block, because Foundation considers block predicates equal to no other.
    classed(
      PredicateStorage { _, _ in preconditionFailure("A comparison is evaluated by its tree.") }, contents: contents)
  }
}

extension BridgedSubclass {
  @inlinable package static func classed(_ storage: NSObject, contents: AnyObject) -> Self {
    BridgedStorage.require(self, asLargeAs: type(of: storage))
    let address = Unmanaged.passRetained(storage).toOpaque()
    // The first word of an object is its class. Both classes have the same layout, from the superclass with a working
    // initializer down to `contents`; no class in between adds stored properties.
    address.storeBytes(of: unsafeBitCast(Self.self, to: UnsafeRawPointer.self), as: UnsafeRawPointer.self)
    let object = Unmanaged<Self>.fromOpaque(address).takeRetainedValue()
    object.contents = contents
    return object
  }
}

/// Whether classes have the storage that is expected here.
@usableFromInline package enum BridgedStorage {
  /// Stops the program if instances of a class do not have the size of those they are made from, which means another
  /// Foundation than the one that this package was written for. Nothing has been written to memory by then. There is no
  /// fallback: without such objects no format string could become a predicate.
  ///
  /// Compares two numbers on each call, which is cheaper than checking whether that has been done before.
  @inlinable package static func require(_ type: AnyClass, asLargeAs storage: AnyClass) {
    let (size, needed) = (ClassMetadata.instanceSize(of: type), ClassMetadata.instanceSize(of: storage))
    guard size == needed else {
      fatalError(
        "\(type) has \(size) bytes with this Foundation, and \(needed) with the one that this package supports: use Swift 6.3."
      )
    }
  }
}

@usableFromInline final class ObjectStorage: NSObject { @usableFromInline final var contents: AnyObject? }

@usableFromInline final class PredicateStorage: NSPredicate { @usableFromInline final var contents: AnyObject? }
