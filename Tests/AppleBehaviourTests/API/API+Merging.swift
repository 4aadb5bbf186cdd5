import CoreData
import Foundation
import Testing

/// All symbols of merge policies and conflicts.
@Suite struct MergingAPI {
  @Test func isThere() {
    use("type-property|NSMergePolicy|error", NSMergePolicy.error as NSMergePolicy)
    use("init|NSMergePolicy|init(merge:)", NSMergePolicy.init(merge:) as (NSMergePolicyType) -> NSMergePolicy)
    use(
      "type-property|NSMergePolicy|mergeByPropertyObjectTrump",
      NSMergePolicy.mergeByPropertyObjectTrump as NSMergePolicy)
    use(
      "type-property|NSMergePolicy|mergeByPropertyStoreTrump", NSMergePolicy.mergeByPropertyStoreTrump as NSMergePolicy)
    use("property|NSMergePolicy|mergeType", \NSMergePolicy.mergeType as KeyPath<NSMergePolicy, NSMergePolicyType>)
    use("type-property|NSMergePolicy|overwrite", NSMergePolicy.overwrite as NSMergePolicy)
    use(
      "method|NSMergePolicy|resolve(constraintConflicts:)",
      NSMergePolicy.resolve(constraintConflicts:) as (NSMergePolicy) -> ([NSConstraintConflict]) throws -> Void)
    use(
      "method|NSMergePolicy|resolve(mergeConflicts:)",
      NSMergePolicy.resolve(mergeConflicts:) as (NSMergePolicy) -> ([Any]) throws -> Void)
    use(
      "method|NSMergePolicy|resolve(optimisticLockingConflicts:)",
      NSMergePolicy.resolve(optimisticLockingConflicts:) as (NSMergePolicy) -> ([NSMergeConflict]) throws -> Void)
    use("type-property|NSMergePolicy|rollback", NSMergePolicy.rollback as NSMergePolicy)
    use("class||NSMergePolicy", NSMergePolicy.self)
    use("init|NSMergePolicyType|init(rawValue:)", NSMergePolicyType.init(rawValue:) as (UInt) -> NSMergePolicyType?)
    use("case|NSMergePolicyType|errorMergePolicyType", NSMergePolicyType.errorMergePolicyType.rawValue, 0)
    use(
      "case|NSMergePolicyType|mergeByPropertyObjectTrumpMergePolicyType",
      NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType.rawValue, 2)
    use(
      "case|NSMergePolicyType|mergeByPropertyStoreTrumpMergePolicyType",
      NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType.rawValue, 1)
    use("case|NSMergePolicyType|overwriteMergePolicyType", NSMergePolicyType.overwriteMergePolicyType.rawValue, 3)
    use("case|NSMergePolicyType|rollbackMergePolicyType", NSMergePolicyType.rollbackMergePolicyType.rawValue, 4)
    use("enum||NSMergePolicyType", NSMergePolicyType.self)
    use(
      "property|NSMergeConflict|cachedSnapshot",
      \NSMergeConflict.cachedSnapshot as KeyPath<NSMergeConflict, [String: Any]?>)
    use(
      "init|NSMergeConflict|init(source:newVersion:oldVersion:cachedSnapshot:persistedSnapshot:)",
      NSMergeConflict.init(source:newVersion:oldVersion:cachedSnapshot:persistedSnapshot:)
        as (NSManagedObject, Int, Int, [String: Any]?, [String: Any]?) -> NSMergeConflict)
    use("property|NSMergeConflict|newVersionNumber", \NSMergeConflict.newVersionNumber as KeyPath<NSMergeConflict, Int>)
    use(
      "property|NSMergeConflict|objectSnapshot",
      \NSMergeConflict.objectSnapshot as KeyPath<NSMergeConflict, [String: Any]?>)
    use("property|NSMergeConflict|oldVersionNumber", \NSMergeConflict.oldVersionNumber as KeyPath<NSMergeConflict, Int>)
    use(
      "property|NSMergeConflict|persistedSnapshot",
      \NSMergeConflict.persistedSnapshot as KeyPath<NSMergeConflict, [String: Any]?>)
    use(
      "property|NSMergeConflict|sourceObject",
      \NSMergeConflict.sourceObject as KeyPath<NSMergeConflict, NSManagedObject>)
    use("class||NSMergeConflict", NSMergeConflict.self)
    use(
      "property|NSConstraintConflict|conflictingObjects",
      \NSConstraintConflict.conflictingObjects as KeyPath<NSConstraintConflict, [NSManagedObject]>)
    use(
      "property|NSConstraintConflict|conflictingSnapshots",
      \NSConstraintConflict.conflictingSnapshots as KeyPath<NSConstraintConflict, [[AnyHashable: Any]]>)
    use(
      "property|NSConstraintConflict|constraint",
      \NSConstraintConflict.constraint as KeyPath<NSConstraintConflict, [String]>)
    use(
      "property|NSConstraintConflict|constraintValues",
      \NSConstraintConflict.constraintValues as KeyPath<NSConstraintConflict, [String: Any]>)
    use(
      "property|NSConstraintConflict|databaseObject",
      \NSConstraintConflict.databaseObject as KeyPath<NSConstraintConflict, NSManagedObject?>)
    use(
      "property|NSConstraintConflict|databaseSnapshot",
      \NSConstraintConflict.databaseSnapshot as KeyPath<NSConstraintConflict, [String: Any]?>)
    use(
      "init|NSConstraintConflict|init(constraint:database:databaseSnapshot:conflicting:conflictingSnapshots:)",
      NSConstraintConflict.init(constraint:database:databaseSnapshot:conflicting:conflictingSnapshots:)
        as ([String], NSManagedObject?, [AnyHashable: Any]?, [NSManagedObject], [Any]) -> NSConstraintConflict)
    use("class||NSConstraintConflict", NSConstraintConflict.self)
    use("constant||NSErrorMergePolicy", NSErrorMergePolicy as AnyObject)
    use("constant||NSMergeByPropertyObjectTrumpMergePolicy", NSMergeByPropertyObjectTrumpMergePolicy as AnyObject)
    use("constant||NSMergeByPropertyStoreTrumpMergePolicy", NSMergeByPropertyStoreTrumpMergePolicy as AnyObject)
    use("constant||NSOverwriteMergePolicy", NSOverwriteMergePolicy as AnyObject)
    use("constant||NSRollbackMergePolicy", NSRollbackMergePolicy as AnyObject)
  }
}
