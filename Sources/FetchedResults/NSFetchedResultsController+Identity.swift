import Foundation

// A delegate compares the controller passed to it with its own by `===`, as all code for Apple's framework does. On
// Linux these are two objects if their result types differ, so the operator compares their implementations.
//
// The compiler considers every operator of a name wherever a program uses one. Operands of a protocol's type are the
// only form that leaves its messages about other operands as they are without this module.

/// A fetched results controller of any result type, for `===` and `!==`.
public protocol _AnyFetchedResultsController: NSObject {}

extension NSFetchedResultsController: _AnyFetchedResultsController {}

/// Returns whether two controllers are the same, whatever their result types.
///
/// A controller in a variable of type `AnyObject` is compared as any other object.
public func === (left: (any _AnyFetchedResultsController)?, right: (any _AnyFetchedResultsController)?) -> Bool {
  left.map { $0.isEqual(right) } ?? (right == nil)
}

/// Returns whether two controllers are different, whatever their result types.
public func !== (left: (any _AnyFetchedResultsController)?, right: (any _AnyFetchedResultsController)?) -> Bool {
  !(left === right)
}
