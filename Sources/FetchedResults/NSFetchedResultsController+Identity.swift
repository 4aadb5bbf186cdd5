import Foundation
import StrataObjectGraph

// A delegate compares the controller that it is given with its own by `===`, as all code written for Apple's framework
// does. On Linux these are two objects if their result types differ, so the operator goes by what stands behind them.

/// Whether a delegate's controller is another one, whatever the result types are called.
public func === (left: NSFetchedResultsController<any NSFetchRequestResult>?, right: AnyObject?) -> Bool {
  left.map { $0.isEqual(right) } ?? (right == nil)
}

/// Whether a controller is a delegate's, whatever the result types are called.
public func === (left: AnyObject?, right: NSFetchedResultsController<any NSFetchRequestResult>?) -> Bool {
  right === left
}

/// Whether two controllers of a delegate are one.
public func === (
  left: NSFetchedResultsController<any NSFetchRequestResult>?,
  right: NSFetchedResultsController<any NSFetchRequestResult>?
) -> Bool { left.map { $0.isEqual(right) } ?? (right == nil) }

/// Whether a delegate's controller is not another one, whatever the result types are called.
public func !== (left: NSFetchedResultsController<any NSFetchRequestResult>?, right: AnyObject?) -> Bool {
  !(left === right)
}

/// Whether a controller is not a delegate's, whatever the result types are called.
public func !== (left: AnyObject?, right: NSFetchedResultsController<any NSFetchRequestResult>?) -> Bool {
  !(right === left)
}

/// Whether two controllers of a delegate are not one.
public func !== (
  left: NSFetchedResultsController<any NSFetchRequestResult>?,
  right: NSFetchedResultsController<any NSFetchRequestResult>?
) -> Bool { !(left === right) }
