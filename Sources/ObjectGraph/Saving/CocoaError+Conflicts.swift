import Foundation
import StrataManagedModel

/// The errors of saves whose conflicts the merge policy does not resolve.
extension CocoaError {
  /// The number of objects that an error names.
  static let maximumNamed = 3

  /// The error of a save whose objects others changed.
  // Apple's code list has 134050 for unresolved conflicts too, but its saves fail with 133020. The old page of
  // NSErrorMergePolicy documents IDs under the notification keys, newer ones document the list: both are included.
  static func conflict(_ list: [NSMergeConflict]) -> CocoaError {
    let objects = list.map(\.sourceObject)
    return .coreData(
      .conflict, "Could not merge changes: \(sentence(list))",
      userInfo: [
        NSLocalizedRecoverySuggestionErrorKey: suggestion(list),
        NSPersistentStoreSaveConflictsErrorKey: list, NSAffectedObjectsErrorKey: objects,
        NSUpdatedObjectsKey: objects.map(\.objectID),
      ])
  }

  private static func sentence(_ list: [NSMergeConflict]) -> String {
    if list.count == 1 {
      let name = list[0].sourceObject.nameInErrors
      return switch list[0].changeByOthers {
      case .deletion: "\(name) was deleted by others since it was read."
      case .relationships: "\(name) was changed by others since it was read, but only in its relationships."
      case .attributes(let names): "\(name) was changed by others since it was read (\(names.joined(separator: ", ")))."
      case .unknown: "\(name) was changed or deleted by others since it was read."
      }
    }
    let named = list.prefix(maximumNamed).map { conflict in
      let change =
        switch conflict.changeByOthers {
        case .deletion: " (deleted)"
        case .relationships: " (only relationships)"
        case .attributes(let names): " (\(names.joined(separator: ", ")))"
        case .unknown: ""
        }
      return conflict.sourceObject.nameInErrors + change
    }
    let rest = list.count > named.count ? " and \(list.count - named.count) more" : ""
    return "\(list.count) objects were changed or deleted by others since they were read: "
      + "\(named.joined(separator: ", "))\(rest)."
  }

  private static func suggestion(_ list: [NSMergeConflict]) -> String {
    let policy =
      list.allSatisfy(\.concernsOnlyRelationships)
      ? "NSMergePolicy.mergingRelationships, which merges changes of relationships and still fails if an attribute would be "
        + "overwritten"
      : "NSMergePolicy.mergeByPropertyObjectTrump, by which the unsaved values win, or NSMergePolicy.mergeByPropertyStoreTrump, "
        + "by which the stored ones do"
    return "Set the mergePolicy of the context that saves to \(policy). Or repeat the changes in a new context, as "
      + "performBackgroundTask(retryingConflicts:) does."
  }

  /// The error of a save that would give several objects the same unique values.
  static func conflict(_ list: [NSConstraintConflict]) -> CocoaError {
    let objects = list.flatMap(\.conflictingObjects)
    let rest = list.count > maximumNamed ? ", and \(list.count - maximumNamed) more" : ""
    return .coreData(
      .constraint,
      "Values must be unique, and other objects already have them: "
        + "\(list.prefix(maximumNamed).map(values).joined(separator: ", "))\(rest).",
      userInfo: [
        NSLocalizedRecoverySuggestionErrorKey: uniquenessSuggestion,
        NSPersistentStoreSaveConflictsErrorKey: list, NSAffectedObjectsErrorKey: objects,
        NSInsertedObjectsKey: objects.map(\.objectID),
      ])
  }

  /// Returns the entity, the attributes and their values: `Tag (name: "swift")`.
  private static func values(of conflict: NSConstraintConflict) -> String {
    let values = conflict.constraint.map { name -> String in
      switch conflict.constraintValues[name] {
      case let text as String: "\(name): \"\(text)\""
      case nil, is NSNull: "\(name): nil"
      case let value?: "\(name): \(described(value))"
      }
    }
    let entity = conflict.conflictingObjects.first?.layout.declaring(conflict.constraint)?.name
    return (entity.map { "\($0) " } ?? "") + "(\(values.joined(separator: ", ")))"
  }

  private static let uniquenessSuggestion =
    "Change the values, or set the mergePolicy of the context that saves: NSMergePolicy.mergeByPropertyObjectTrump or "
    + "NSMergePolicy.overwrite lets the unsaved objects win, NSMergePolicy.mergeByPropertyStoreTrump or "
    + "NSMergePolicy.rollback those that have the values already."
}

extension NSManagedObject {
  /// The object's entity and, if it was saved, its ID: for the texts of errors.
  var nameInErrors: String {
    let name = "'\(entity.name ?? "")'"
    return objectID.isTemporaryID ? "A new \(name)" : "\(name) \(objectID.uriRepresentation())"
  }
}
