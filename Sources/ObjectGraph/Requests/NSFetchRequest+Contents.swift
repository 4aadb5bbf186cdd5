import Foundation
import StrataManagedModel
import StrataPredicates

/// Copying and comparing requests.
extension NSFetchRequest {
  /// Copies everything from a request of any result type.
  package func copyContents<Other>(from other: NSFetchRequest<Other>) {
    subject = other.subject
    predicate = other.predicate
    sortDescriptors = other.sortDescriptors
    (fetchLimit, fetchOffset, fetchBatchSize) = (other.fetchLimit, other.fetchOffset, other.fetchBatchSize)
    resultType = other.resultType
    includesSubentities = other.includesSubentities
    includesPendingChanges = other.includesPendingChanges
    includesPropertyValues = other.includesPropertyValues
    returnsObjectsAsFaults = other.returnsObjectsAsFaults
    shouldRefreshRefetchedObjects = other.shouldRefreshRefetchedObjects
    relationshipKeyPathsForPrefetching = other.relationshipKeyPathsForPrefetching
    propertiesToFetch = other.givenPropertiesToFetch
    propertiesToGroupBy = other.givenPropertiesToGroupBy
    havingPredicate = other.havingPredicate
    returnsDistinctResults = other.returnsDistinctResults
    chosenStores = other.chosenStores
  }

  /// The request with results of any type: itself if it has that type already.
  package var ofAnyResult: NSFetchRequest<any NSFetchRequestResult> {
    self as? NSFetchRequest<any NSFetchRequestResult> ?? ofResult()
  }

  /// Returns the same request with another result type.
  func ofResult<Other>() -> NSFetchRequest<Other> {
    let request = NSFetchRequest<Other>()
    request.copyContents(from: self)
    return request
  }

  /// Whether two requests select the same results.
  func hasContents<Other>(of other: NSFetchRequest<Other>) -> Bool {
    entityName == other.entityName
      && (fetchLimit, fetchOffset, fetchBatchSize) == (other.fetchLimit, other.fetchOffset, other.fetchBatchSize)
      && resultType == other.resultType && includesSubentities == other.includesSubentities
      && includesPendingChanges == other.includesPendingChanges
      && includesPropertyValues == other.includesPropertyValues
      && returnsObjectsAsFaults == other.returnsObjectsAsFaults
      && shouldRefreshRefetchedObjects == other.shouldRefreshRefetchedObjects
      && returnsDistinctResults == other.returnsDistinctResults
      && relationshipKeyPathsForPrefetching == other.relationshipKeyPathsForPrefetching
      && NSPredicate.areSame(predicate, other.predicate)
      && NSPredicate.areSame(havingPredicate, other.havingPredicate)
      && (sortDescriptors ?? []).elementsEqual(other.sortDescriptors ?? []) { $0.isEqual($1) }
      && isSame(givenPropertiesToFetch, other.givenPropertiesToFetch)
      && isSame(givenPropertiesToGroupBy, other.givenPropertiesToGroupBy)
      && storeNumbers == other.storeNumbers
  }

  private func isSame(_ properties: [Any]?, _ other: [Any]?) -> Bool {
    guard let properties, let other else { return properties == nil && other == nil }
    return properties.elementsEqual(other) { left, right in
      switch (left, right) {
      case (let left as String, let right as String): left == right
      case (let left as NSPropertyDescription, let right as NSPropertyDescription): left == right
      default: false
      }
    }
  }
}

extension NSFetchRequest {
  func describe() -> String {
    let order = sortDescriptors.map { descriptors in
      "(\(descriptors.map { "(\($0.key ?? "a comparator"), \($0.ascending ? "ascending" : "descending"))" }.joined(separator: ", ")))"
    }
    let limits = [("limit", fetchLimit), ("offset", fetchOffset), ("batch size", fetchBatchSize)].filter { $0.1 != 0 }
    let parts =
      [
        "entity: \(entityName ?? "none")", predicate.map { "predicate: (\($0.formatText))" },
        order.map { "sortDescriptors: \($0)" },
      ].compactMap(\.self) + limits.map { "\($0.0): \($0.1)" } + ["type: \(resultType.word)"]
    return "<\(Swift.type(of: self)): \(Unmanaged.passUnretained(self).toOpaque())> (\(parts.joined(separator: "; ")))"
  }
}

extension NSFetchRequestResultType {
  fileprivate var word: String {
    switch self {
    case .managedObjectIDResultType: "NSManagedObjectIDResultType"
    case .dictionaryResultType: "NSDictionaryResultType"
    case .countResultType: "NSCountResultType"
    default: "NSManagedObjectResultType"
    }
  }
}
