import Foundation

/// A fetch request as stored in a model: a template, or the request of a fetched property.
///
/// The request itself is a class of the object graph, which knows contexts; a model stores the contents of its file.
package struct FetchTemplate {
  /// The name of the entity.
  package var entityName: String?
  /// May contain variables: `$NAME` in a template, `$FETCH_SOURCE` and `$FETCHED_PROPERTY` in a fetched property.
  package var predicate: NSPredicate?
  package var sortDescriptors: [NSSortDescriptor] = []
  /// The maximum number of objects; 0 for all.
  package var fetchLimit = 0
  /// The number of objects to skip.
  package var fetchOffset = 0
  /// The number of objects whose rows are read together; 0 for all.
  package var fetchBatchSize = 0
  /// The raw value of `NSFetchRequestResultType`: 0 objects, 1 IDs, 2 dictionaries, 4 the count.
  package var resultType: UInt = 0
  package var includesSubentities = true
  package var includesPropertyValues = true
  package var includesPendingChanges = true
  package var returnsObjectsAsFaults = true
  package var returnsDistinctResults = false
  /// Names or key paths; nil for all properties.
  package var propertiesToFetch: [String]?
  package var propertiesToGroupBy: [String]?
  package var havingPredicate: NSPredicate?
  package var relationshipKeyPathsForPrefetching: [String]?

  /// The program's request, or the one created from this template.
  package var request: AnyObject?

  package init(entityName: String?) { self.entityName = entityName }
}
