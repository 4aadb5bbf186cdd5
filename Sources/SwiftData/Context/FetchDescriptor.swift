import Foundation

/// The models to fetch.
///
/// ```swift
/// let descriptor = FetchDescriptor<Book>(
///   predicate: #Predicate { $0.pages > 300 },
///   sortBy: [SortDescriptor(\.title)])
/// let books = try context.fetch(descriptor)
/// ```
///
/// See <https://developer.apple.com/documentation/swiftdata/fetchdescriptor>
public struct FetchDescriptor<T>: @unchecked Sendable where T: PersistentModel {
  // Sendable: key paths do not change.

  /// The condition; nil for all models of the class.
  public var predicate: Predicate<T>?
  /// The order.
  public var sortBy: [SortDescriptor<T>]
  /// The greatest number of models; nil for all.
  public var fetchLimit: Int?
  /// The number of models to leave out at the beginning.
  public var fetchOffset: Int?
  /// Whether unsaved changes of the context count. Default: true.
  public var includePendingChanges = true
  /// The relationships whose models are fetched too.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

  /// Makes a descriptor.
  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    (self.predicate, self.sortBy) = (predicate, sortBy)
  }
}
