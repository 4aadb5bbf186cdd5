import Foundation

/// How a merge policy resolves conflicts.
///
/// See <https://developer.apple.com/documentation/coredata/nsmergepolicytype>
public enum NSMergePolicyType: UInt, Sendable {
  /// The save fails and changes nothing.
  case errorMergePolicyType = 0
  // Apple's online pages describe this type and the next one the wrong way round; its header, the names and the
  // behavior agree with each other.

  /// If both sides changed a property, the store's value wins.
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  /// If both sides changed a property, the object's value wins.
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  /// All values of the object are saved, changed or not.
  case overwriteMergePolicyType = 3
  /// The object takes the store's values and loses its changes. Its links to new objects stay, and so do all its links of
  /// many-to-many relationships if others changed only relationships of the object. The notification about changed objects
  /// lists the object as refreshed.
  case rollbackMergePolicyType = 4
}

/// Resolves conflicts of a save: with changes that others saved, and over uniqueness constraints.
///
/// ```swift
/// context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
/// try context.save()
/// ```
///
/// A policy changes the objects until they fit. Then they are validated again, and the save is tried again. Only the final
/// state of a save can violate a uniqueness constraint: two objects may swap their values, and no policy is asked. A
/// subclass overrides ``resolve(mergeConflicts:)``, or one of the two more specific methods, and calls `super` for what it
/// does not decide itself. The methods are called on the queue of the context that saves.
///
/// See <https://developer.apple.com/documentation/coredata/nsmergepolicy>
open class NSMergePolicy: NSObject {
  /// How the policy resolves conflicts.
  public let mergeType: NSMergePolicyType

  /// Creates a policy of a type. A subclass passes the most similar type.
  public init(merge ty: NSMergePolicyType) { mergeType = ty }

  /// The policy that fails: the default of a context.
  public class var error: NSMergePolicy { Policies.error }
  /// The policy by which the store's value wins if both sides changed a property.
  public class var mergeByPropertyStoreTrump: NSMergePolicy { Policies.storeTrump }
  /// The policy by which the object's value wins if both sides changed a property.
  public class var mergeByPropertyObjectTrump: NSMergePolicy { Policies.objectTrump }
  /// The policy that saves all values of the object.
  public class var overwrite: NSMergePolicy { Policies.overwrite }
  /// The policy that discards the changes of objects in conflict.
  public class var rollback: NSMergePolicy { Policies.rollback }
  /// The policy that merges changes of relationships, and fails like ``error`` for everything else. Not part of Apple's
  /// framework.
  ///
  /// To link an object to another changes the versions of both. So two saves that add books to one tag are in conflict,
  /// although neither overwrites what the other saved. This policy keeps the links of both. It fails with 133020 if both
  /// sides changed attributes of one object, if both set a to-one relationship, to different objects, or if one of them
  /// changed the object and the other deleted it. An object that both deleted is deleted. Conflicts over uniqueness
  /// constraints fail too. If both changed the order of one relationship, the order of the later save wins.
  ///
  /// ```swift
  /// try await container.performBackgroundTask { context in
  ///   context.mergePolicy = NSMergePolicy.mergingRelationships
  ///   let book = Book(context: context)
  ///   if let tag = try context.existingObject(with: tagID) as? Tag {
  ///     book.addToTags(tag)
  ///   }
  ///   try context.save()
  /// }
  /// ```
  public class var mergingRelationships: NSMergePolicy { Policies.mergingRelationships }

  /// Resolves all conflicts of a save: version conflicts first, then constraint conflicts.
  ///
  /// ```swift
  /// final class LoggingPolicy: NSMergePolicy {
  ///   override func resolve(mergeConflicts list: [Any]) throws {
  ///     for case let conflict as NSMergeConflict in list {
  ///       print(conflict.sourceObject.objectID, conflict.newVersionNumber)
  ///     }
  ///     try super.resolve(mergeConflicts: list)  // Does what the type says.
  ///   }
  /// }
  /// context.mergePolicy = LoggingPolicy(
  ///   merge: .mergeByPropertyObjectTrumpMergePolicyType)
  /// ```
  /// - Parameter list: `NSMergeConflict` and `NSConstraintConflict` objects.
  /// - Throws: the error that the save throws.
  open func resolve(mergeConflicts list: [Any]) throws {
    let versions = list.compactMap { $0 as? NSMergeConflict }
    if !versions.isEmpty { try resolve(optimisticLockingConflicts: versions) }
    let constraints = list.compactMap { $0 as? NSConstraintConflict }
    if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
  }

  /// Resolves version conflicts.
  /// - Throws: `CocoaError` 133020 with the conflicts if the policy is the one that fails; the store's error if a row
  ///   cannot be read.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    guard mergeType != .errorMergePolicyType else { throw CocoaError.conflict(list) }
    // Reads all rows before changing the first object, so that a failed read changes nothing.
    let resolutions = try list.map { try VersionResolution(of: $0, by: mergeType) }
    for resolution in resolutions { resolution.resolve() }
  }

  /// Resolves constraint conflicts.
  /// - Throws: `CocoaError` 133021 with the conflicts if the policy is the one that fails.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    guard mergeType != .errorMergePolicyType else { throw CocoaError.conflict(list) }
    for conflict in list { ConstraintResolution(of: conflict, by: mergeType).resolve() }
  }
}

extension NSMergePolicy {
  /// Whether this is the policy `mergingRelationships`. A program's own policy may do more than the one it is similar to, so it
  /// is always asked.
  var alwaysMergesLinks: Bool { self === Policies.mergingRelationships }
}

/// The shared policy of each type.
private enum Policies {
  // Instances of these very classes are immutable, so any thread may use them; another subclass may not be.
  nonisolated(unsafe) static let error = NSMergePolicy(merge: .errorMergePolicyType)
  nonisolated(unsafe) static let storeTrump = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
  nonisolated(unsafe) static let objectTrump = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
  nonisolated(unsafe) static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
  nonisolated(unsafe) static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)
  nonisolated(unsafe) static let mergingRelationships: NSMergePolicy = RelationshipMergePolicy()
}

/// Merges changes of relationships, and fails for everything else.
private final class RelationshipMergePolicy: NSMergePolicy {
  init() { super.init(merge: .errorMergePolicyType) }

  override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    let unresolved = list.filter { !$0.concernsOnlyRelationships && !$0.isDeletionByBoth }
    guard unresolved.isEmpty else { throw CocoaError.conflict(unresolved) }
    let resolutions = try list.map { try VersionResolution(of: $0, by: .mergeByPropertyObjectTrumpMergePolicyType) }
    for resolution in resolutions { resolution.resolve() }
  }
}

// Variables in Apple's framework, which programs do not set; without a setter they are safe on every thread.

/// The former name of `NSMergePolicy.error`.
public var NSErrorMergePolicy: AnyObject { NSMergePolicy.error }
/// The former name of `NSMergePolicy.mergeByPropertyStoreTrump`.
public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyStoreTrump }
/// The former name of `NSMergePolicy.mergeByPropertyObjectTrump`.
public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyObjectTrump }
/// The former name of `NSMergePolicy.overwrite`.
public var NSOverwriteMergePolicy: AnyObject { NSMergePolicy.overwrite }
/// The former name of `NSMergePolicy.rollback`.
public var NSRollbackMergePolicy: AnyObject { NSMergePolicy.rollback }
