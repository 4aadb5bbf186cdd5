import Foundation
import StrataObjectGraph

/// Methods that are called when the contents of a fetched results controller change.
///
/// All methods are optional: each has a default implementation, which tells the controller that the delegate has none
/// of its own. The method with a snapshot excludes all others. The method with a difference excludes the remaining ones
/// if the controller has no sections.
///
/// Otherwise the calls come in this order: will change, inserted sections, objects, deleted sections, did change. For
/// objects, deletions come first, from last to first, then insertions from first to last, then moves and updates. Each
/// object is reported at most once. A moved object counts as updated too.
///
/// Methods receive an `NSFetchedResultsController<any NSFetchRequestResult>`, which is equal to the program's
/// controller by `==` and `===`: without Objective-C, a generic class has no common supertype.
///
/// A method counts only if the class that declares the conformance, or one of its superclasses, implements it. As with
/// all Swift protocols, implementations in subclasses are not seen.
///
/// ```swift
/// final class QuakeList: NSObject, NSFetchedResultsControllerDelegate {
///   // Write the parameter's type in full: another one is another method.
///   func controllerDidChangeContent(
///     _ controller: NSFetchedResultsController<any NSFetchRequestResult>
///   ) {
///     show(controller.fetchedObjects?.count)
///   }
/// }
/// ```
///
/// See <https://developer.apple.com/documentation/coredata/nsfetchedresultscontrollerdelegate>
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
  /// Reports the complete contents after a fetch and after each change. Changed items are among the items to reload.
  ///
  /// Section identifiers are section names, item identifiers are `NSManagedObjectID`s.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)

  /// Reports what changed in a list without sections.
  ///
  /// A move is a removal and an insertion that are associated. An object that changed in place is removed and inserted
  /// there.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

  /// Reports that an object was inserted, deleted, moved or updated.
  /// - Parameters:
  ///   - controller: the controller.
  ///   - anObject: the object.
  ///   - indexPath: the index path before all changes; nil for an inserted object.
  ///   - type: what happened.
  ///   - newIndexPath: the index path after all changes; nil for a deleted object.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

  /// Reports that a section was inserted or deleted. Its objects are reported too.
  /// - Parameters:
  ///   - controller: the controller.
  ///   - sectionInfo: the section.
  ///   - sectionIndex: the index before all changes for a deleted section, and after them for an inserted one.
  ///   - type: what happened.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)

  /// Called before changes are reported. The controller still has its old contents.
  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// Called after all changes were reported.
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// Returns the title of a section in the index. Default: the capitalized first letter of its name.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?
}

/// The kind of change of an object or a section.
///
/// See <https://developer.apple.com/documentation/coredata/nsfetchedresultschangetype>
public enum NSFetchedResultsChangeType: UInt, Sendable {
  /// It was inserted.
  case insert = 1
  /// It was deleted.
  case delete = 2
  /// It moved.
  case move = 3
  /// It changed in place.
  case update = 4
}

extension NSFetchedResultsControllerDelegate {
  /// The default implementation, which stands for a delegate without the method.
  @_documentation(visibility: internal)
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
  ) { controller.results.missing.insert(.snapshot) }

  /// The default implementation, which stands for a delegate without the method.
  @_documentation(visibility: internal)
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) { controller.results.missing.insert(.difference) }

  /// The default implementation, which stands for a delegate without the method.
  @_documentation(visibility: internal)
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) { controller.results.missing.insert(.objects) }

  /// The default implementation, which stands for a delegate without the method.
  @_documentation(visibility: internal)
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) { controller.results.missing.insert(.sections) }

  /// The default implementation, which does nothing.
  @_documentation(visibility: internal)
  public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

  /// The default implementation, which does nothing.
  @_documentation(visibility: internal)
  public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

  /// The default implementation, which stands for a delegate without the method.
  @_documentation(visibility: internal)
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? {
    controller.results.missing.insert(.indexTitles)
    return nil
  }
}

/// The delegate methods whose presence a controller checks before it prepares their arguments.
struct DelegateMethods: OptionSet {
  let rawValue: UInt8
  static let snapshot = DelegateMethods(rawValue: 1)
  static let difference = DelegateMethods(rawValue: 2)
  static let objects = DelegateMethods(rawValue: 4)
  static let sections = DelegateMethods(rawValue: 8)
  static let indexTitles = DelegateMethods(rawValue: 16)
}
