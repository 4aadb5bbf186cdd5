import Foundation
import StrataObjectGraph

/// Hears how the contents of a fetched results controller change.
///
/// Every method is optional: each has an implementation of its own here, by which a controller finds out that the delegate
/// has none. `controller(_:didChangeContentWith:)` with a snapshot excludes all other methods. The one with a difference
/// excludes the rest, if the controller has no sections. Otherwise the calls come in this order: will change, inserted
/// sections, objects, deleted sections, did change. Of the objects, what is deleted comes first and from the back, then what
/// is inserted from the front, then moved and updated ones. Every object is named at most once, and a moved one counts as
/// updated too.
///
/// The controller that a method is given is an `NSFetchedResultsController<any NSFetchRequestResult>`, equal to the
/// program's own by `==` and `===`: without Objective-C a generic class has no common supertype.
///
/// A method counts if the class that declares the conformance has it, or a superclass; what a subclass of that class adds
/// is not seen, as with all protocols of Swift.
/// See https://developer.apple.com/documentation/coredata/nsfetchedresultscontrollerdelegate
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
  /// All contents as they are now, after a fetch and after each change. Section identifiers are the sections' names, item
  /// identifiers `NSManagedObjectID`s; the items that changed are among those to reload.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)

  /// What changed in a list without sections. Moves are removals and insertions that are associated; an object that
  /// changed at its place is removed and inserted there.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

  /// An object was inserted, deleted, moved or updated.
  /// - Parameters:
  ///   - indexPath: where it was before all changes; nil for an inserted one.
  ///   - newIndexPath: where it is after all changes; nil for a deleted one.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

  /// A section was inserted or deleted. The objects in it are named as well.
  /// - Parameter sectionIndex: its number before all changes if it was deleted, and after them if it was inserted.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)

  /// Changes are about to be told; the controller still has its old contents.
  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// All changes were told.
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// What a section is called in the index. Without it: the first letter of its name, as a capital.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?
}

/// What happened to an object or a section.
/// See https://developer.apple.com/documentation/coredata/nsfetchedresultschangetype
public enum NSFetchedResultsChangeType: UInt, Sendable {
  case insert = 1
  case delete = 2
  case move = 3
  case update = 4
}

extension NSFetchedResultsControllerDelegate {
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
  ) { controller.results.missing.insert(.snapshot) }

  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) { controller.results.missing.insert(.difference) }

  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) { controller.results.missing.insert(.objects) }

  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) { controller.results.missing.insert(.sections) }

  public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

  public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? {
    controller.results.missing.insert(.indexTitles)
    return nil
  }
}

/// The methods of a delegate that a controller asks about before it prepares what they need.
struct DelegateMethods: OptionSet {
  let rawValue: UInt8
  static let snapshot = DelegateMethods(rawValue: 1)
  static let difference = DelegateMethods(rawValue: 2)
  static let objects = DelegateMethods(rawValue: 4)
  static let sections = DelegateMethods(rawValue: 8)
  static let indexTitles = DelegateMethods(rawValue: 16)
}
