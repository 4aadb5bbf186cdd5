import Foundation

/// A fetch request as a model keeps it: a template, or what a fetched property fetches.
///
/// The request itself is a class of the object graph, which knows contexts; a model holds what its file says.
package struct FetchTemplate {
  /// The name of the entity.
  package var entityName: String?
  /// May have variables: `$NAME` of a template, `$FETCH_SOURCE` and `$FETCHED_PROPERTY` of a fetched property.
  package var predicate: NSPredicate?
  package var sortDescriptors: [NSSortDescriptor] = []
  /// The most objects to return; 0 is all of them.
  package var fetchLimit = 0
  /// Objects to leave out at the start.
  package var fetchOffset = 0
  /// Objects whose rows are read at once; 0 is all of them.
  package var fetchBatchSize = 0
  /// The raw value of `NSFetchRequestResultType`: 0 objects, 1 ids, 2 dictionaries, 4 the count.
  package var resultType: UInt = 0
  package var includesSubentities = true
  package var includesPropertyValues = true
  package var includesPendingChanges = true
  package var returnsObjectsAsFaults = true
  package var returnsDistinctResults = false
  /// Names or key paths; nil is all properties.
  package var propertiesToFetch: [String]?
  package var propertiesToGroupBy: [String]?
  package var havingPredicate: NSPredicate?
  package var relationshipKeyPathsForPrefetching: [String]?

  /// The request that the program set, or that was made of all this.
  package var request: AnyObject?

  package init(entityName: String?) { self.entityName = entityName }
}
