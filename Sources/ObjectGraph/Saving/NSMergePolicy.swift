import Foundation
import StrataCoreDataErrors

/// What a merge policy does about a conflict.
/// See https://developer.apple.com/documentation/coredata/nsmergepolicytype
public enum NSMergePolicyType: UInt, Sendable {
  /// The save fails and changes nothing.
  case errorMergePolicyType = 0
  /// Where a property was changed on both sides, the store's value stays.
  // Apple's online pages describe this type and the next one the wrong way round; its header, the names and the
  // behaviour agree with each other.
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  /// Where a property was changed on both sides, the object's value goes to the store.
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  /// All of the object's values go to the store, changed or not.
  case overwriteMergePolicyType = 3
  /// The object takes the store's values, and its own changes are lost.
  case rollbackMergePolicyType = 4
}

/// Decides what becomes of a save when others have saved the same objects since they were read, or objects with the
/// same unique values.
///
/// A policy changes the objects until they fit; the save is then tried again. A subclass overrides
/// `resolve(mergeConflicts:)`, or one of the two finer methods, and leaves what it does not decide itself to `super`.
/// On the queue of the context that saves. See https://developer.apple.com/documentation/coredata/nsmergepolicy
open class NSMergePolicy: NSObject {
  /// What the policy does.
  public let mergeType: NSMergePolicyType

  /// A policy of a type; for a subclass, the type that comes nearest.
  public init(merge ty: NSMergePolicyType) { mergeType = ty }

  /// The save fails with the conflicts: the policy of every new context.
  public class var error: NSMergePolicy { Policies.error }
  /// Where both sides changed a property, the store's value stays.
  public class var mergeByPropertyStoreTrump: NSMergePolicy { Policies.storeTrump }
  /// Where both sides changed a property, the object's value goes to the store.
  public class var mergeByPropertyObjectTrump: NSMergePolicy { Policies.objectTrump }
  /// The objects' values go to the store whole.
  public class var overwrite: NSMergePolicy { Policies.overwrite }
  /// Objects in conflict lose their changes.
  public class var rollback: NSMergePolicy { Policies.rollback }

  /// Resolves all conflicts of a save: those of versions first, then those of unique values.
  /// - Parameter list: `NSMergeConflict` and `NSConstraintConflict`.
  /// - Throws: what the save is to throw.
  open func resolve(mergeConflicts list: [Any]) throws {
    let versions = list.compactMap { $0 as? NSMergeConflict }
    if !versions.isEmpty { try resolve(optimisticLockingConflicts: versions) }
    let constraints = list.compactMap { $0 as? NSConstraintConflict }
    if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
  }

  /// Resolves conflicts of versions.
  /// - Throws: 133020 with the conflicts, if the policy is the one for errors; the store's error if a row cannot be read.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    guard mergeType != .errorMergePolicyType else { throw CocoaError.conflict(list) }
    // All rows are read before the first object changes, so that a read that fails has changed nothing.
    let resolutions = try list.map { try VersionResolution(of: $0, by: mergeType) }
    for resolution in resolutions { resolution.resolve() }
  }

  /// Resolves conflicts of values that must be unique.
  /// - Throws: 133021 with the conflicts, if the policy is the one for errors.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    guard mergeType != .errorMergePolicyType else { throw CocoaError.conflict(list) }
    for conflict in list { ConstraintResolution(of: conflict, by: mergeType).resolve() }
  }
}

/// The one policy of each type.
private enum Policies {
  // Policies of this very class never change, so any thread may have them; a subclass may not be as careful.
  nonisolated(unsafe) static let error = NSMergePolicy(merge: .errorMergePolicyType)
  nonisolated(unsafe) static let storeTrump = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
  nonisolated(unsafe) static let objectTrump = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
  nonisolated(unsafe) static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
  nonisolated(unsafe) static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)
}

// Variables at Apple, which nobody sets; without a setter they are safe in every thread.

/// `NSMergePolicy.error` under its older name.
public var NSErrorMergePolicy: AnyObject { NSMergePolicy.error }
/// `NSMergePolicy.mergeByPropertyStoreTrump` under its older name.
public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyStoreTrump }
/// `NSMergePolicy.mergeByPropertyObjectTrump` under its older name.
public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyObjectTrump }
/// `NSMergePolicy.overwrite` under its older name.
public var NSOverwriteMergePolicy: AnyObject { NSMergePolicy.overwrite }
/// `NSMergePolicy.rollback` under its older name.
public var NSRollbackMergePolicy: AnyObject { NSMergePolicy.rollback }

extension CocoaError {
  /// The failure of a save under the policy for errors.
  // Apple's code list has 134050 for unresolved conflicts too, but its saves fail with 133020. The old page of
  // NSErrorMergePolicy looks for ids under the keys of notifications, the newer ones look for the list: both are there.
  static func conflict(_ list: [NSMergeConflict]) -> CocoaError {
    let objects = list.map(\.sourceObject)
    return .coreData(
      .conflict,
      "Could not merge changes: \(list.count) of the objects were changed or deleted by others since they were read.",
      [
        NSPersistentStoreSaveConflictsErrorKey: list, NSAffectedObjectsErrorKey: objects,
        NSUpdatedObjectsKey: objects.map(\.objectID),
      ])
  }

  static func conflict(_ list: [NSConstraintConflict]) -> CocoaError {
    let objects = list.flatMap(\.conflictingObjects)
    let names = Set(list.map { $0.constraint.joined(separator: ", ") }).sorted().map { "(\($0))" }
    return .coreData(
      .constraint, "Values of \(names.joined(separator: ", ")) must be unique, and others have them already.",
      [
        NSPersistentStoreSaveConflictsErrorKey: list, NSAffectedObjectsErrorKey: objects,
        NSInsertedObjectsKey: objects.map(\.objectID),
      ])
  }
}
