import Foundation
import StrataObjectGraph

// A delegate compares the controller passed to it with its own by `===`, as all code for Apple's framework does. On
// Linux these are two objects if their result types differ, so the operator compares their implementations.

/// Returns whether a delegate's controller and another object are the same controller, whatever their result types.
public func === (left: NSFetchedResultsController<any NSFetchRequestResult>?, right: AnyObject?) -> Bool {
  left.map { $0.isEqual(right) } ?? (right == nil)
}

/// Returns whether an object and a delegate's controller are the same controller, whatever their result types.
public func === (left: AnyObject?, right: NSFetchedResultsController<any NSFetchRequestResult>?) -> Bool {
  right === left
}

/// Returns whether two controllers of a delegate are the same.
public func === (
  left: NSFetchedResultsController<any NSFetchRequestResult>?,
  right: NSFetchedResultsController<any NSFetchRequestResult>?
) -> Bool { left.map { $0.isEqual(right) } ?? (right == nil) }

/// Returns whether a delegate's controller and another object are different controllers, whatever their result types.
public func !== (left: NSFetchedResultsController<any NSFetchRequestResult>?, right: AnyObject?) -> Bool {
  !(left === right)
}

/// Returns whether an object and a delegate's controller are different controllers, whatever their result types.
public func !== (left: AnyObject?, right: NSFetchedResultsController<any NSFetchRequestResult>?) -> Bool {
  !(right === left)
}

/// Returns whether two controllers of a delegate are different.
public func !== (
  left: NSFetchedResultsController<any NSFetchRequestResult>?,
  right: NSFetchedResultsController<any NSFetchRequestResult>?
) -> Bool { !(left === right) }
