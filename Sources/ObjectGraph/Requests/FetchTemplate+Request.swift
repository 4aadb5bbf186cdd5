import Foundation
import StrataManagedModel

/// Converts fetch requests to and from the value that a model stores.
extension FetchTemplate {
  /// Stores a program's request, together with its form in a model file.
  init(_ request: NSFetchRequest<any NSFetchRequestResult>) {
    self.init(entityName: request.entityName)
    predicate = request.predicate
    sortDescriptors = request.sortDescriptors ?? []
    (fetchLimit, fetchOffset, fetchBatchSize) = (request.fetchLimit, request.fetchOffset, request.fetchBatchSize)
    resultType = request.resultType.rawValue
    includesSubentities = request.includesSubentities
    includesPropertyValues = request.includesPropertyValues
    includesPendingChanges = request.includesPendingChanges
    returnsObjectsAsFaults = request.returnsObjectsAsFaults
    returnsDistinctResults = request.returnsDistinctResults
    propertiesToFetch = request.givenPropertiesToFetch?.compactMap { $0 as? String }
    propertiesToGroupBy = request.givenPropertiesToGroupBy?.compactMap { $0 as? String }
    havingPredicate = request.havingPredicate
    relationshipKeyPathsForPrefetching = request.relationshipKeyPathsForPrefetching
    self.request = request
  }

  /// Returns the program's request, or a new one from the model file.
  func makeRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    let made = NSFetchRequest<any NSFetchRequestResult>()
    if let known = request as? NSFetchRequest<any NSFetchRequestResult> {
      made.copyContents(from: known)
      return made
    }
    made.subject = entityName.map(FetchSubject.named) ?? .none
    made.predicate = predicate
    made.sortDescriptors = sortDescriptors.isEmpty ? nil : sortDescriptors
    (made.fetchLimit, made.fetchOffset, made.fetchBatchSize) = (fetchLimit, fetchOffset, fetchBatchSize)
    made.resultType = NSFetchRequestResultType(rawValue: resultType)
    made.includesSubentities = includesSubentities
    made.includesPropertyValues = includesPropertyValues
    made.includesPendingChanges = includesPendingChanges
    made.returnsObjectsAsFaults = returnsObjectsAsFaults
    made.returnsDistinctResults = returnsDistinctResults
    made.propertiesToFetch = propertiesToFetch
    made.propertiesToGroupBy = propertiesToGroupBy
    made.havingPredicate = havingPredicate
    made.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
    return made
  }
}
