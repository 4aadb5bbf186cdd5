import Foundation
import StrataPredicates

/// Properties are equal if their contents are, whichever entity they belong to: a copy equals its original. Related
/// entities and relationships are compared by name.
extension NSPropertyDescription {
  /// Compares what all properties have, for two properties of one class.
  final func hasSameBasics(as other: NSPropertyDescription) -> Bool {
    (name, isOptional, isTransient) == (other.name, other.isOptional, other.isTransient)
      && (renamingIdentifier, versionHashModifier) == (other.renamingIdentifier, other.versionHashModifier)
      && (isIndexedBySpotlight, isStoredInExternalRecord)
        == (other.isIndexedBySpotlight, other.isStoredInExternalRecord)
      && validationPredicates.elementsEqual(other.validationPredicates) { $0.isSame(as: $1) }
      && isSame(validationWarnings, other.validationWarnings) && isSame(userInfo, other.userInfo)
  }
}

extension NSAttributeDescription {
  final func hasSameAttribute(as other: NSAttributeDescription) -> Bool {
    (attributeType, attributeValueClassName, valueTransformerName)
      == (other.attributeType, other.attributeValueClassName, other.valueTransformerName)
      && (allowsExternalBinaryDataStorage, preservesValueInHistoryOnDeletion, allowsCloudEncryption)
        == (
          other.allowsExternalBinaryDataStorage, other.preservesValueInHistoryOnDeletion, other.allowsCloudEncryption
        )
      && isSame(defaultValue, other.defaultValue)
  }
}

extension NSRelationshipDescription {
  final func hasSameEnds(as other: NSRelationshipDescription) -> Bool {
    (minCount, maxCount, deleteRule, isOrdered) == (other.minCount, other.maxCount, other.deleteRule, other.isOrdered)
      && destinationReference?.name == other.destinationReference?.name
      && inverseReference?.name == other.inverseReference?.name
  }
}

extension FetchTemplate {
  /// Whether two templates select the same.
  func asks(theSameAs other: FetchTemplate) -> Bool {
    entityName == other.entityName && NSPredicate.areSame(predicate, other.predicate)
      && NSPredicate.areSame(havingPredicate, other.havingPredicate)
      && sortDescriptors == other.sortDescriptors
      && (fetchLimit, fetchOffset, fetchBatchSize) == (other.fetchLimit, other.fetchOffset, other.fetchBatchSize)
      && (resultType, includesSubentities, includesPropertyValues)
        == (other.resultType, other.includesSubentities, other.includesPropertyValues)
      && (includesPendingChanges, returnsObjectsAsFaults, returnsDistinctResults)
        == (other.includesPendingChanges, other.returnsObjectsAsFaults, other.returnsDistinctResults)
      && (propertiesToFetch, propertiesToGroupBy) == (other.propertiesToFetch, other.propertiesToGroupBy)
      && relationshipKeyPathsForPrefetching == other.relationshipKeyPathsForPrefetching
  }
}

/// Whether two values of any kind are equal as Foundation objects.
func isSame(_ value: Any?, _ other: Any?) -> Bool {
  guard let value, let other else { return value == nil && other == nil }
  return NSArray(array: [value]).isEqual(NSArray(array: [other]))
}
