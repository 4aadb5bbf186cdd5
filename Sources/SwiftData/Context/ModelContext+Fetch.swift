import CoreData
import Foundation
import StrataPredicates

extension ModelContext {
  /// Returns the models that a descriptor selects.
  ///
  /// - Throws: `SwiftDataError.unsupportedPredicate` or `.unsupportedSortDescriptor` for what a store cannot be asked for, or the
  ///   error of the store.
  public func fetch<T>(_ descriptor: FetchDescriptor<T>) throws -> [T] where T: PersistentModel {
    ModelMaker(objects).models(of: try execute(request(for: descriptor, as: NSManagedObject.self)))
  }

  /// Returns the number of models that a descriptor selects.
  ///
  /// - Throws: as `fetch(_:)`.
  public func fetchCount<T>(_ descriptor: FetchDescriptor<T>) throws -> Int where T: PersistentModel {
    objects.runEnqueuedBlocks()
    let request = try request(for: descriptor, as: NSManagedObject.self)
    return try mapped { try objects.count(for: request) }
  }

  /// Returns the identifiers of the models that a descriptor selects.
  ///
  /// - Throws: as `fetch(_:)`.
  public func fetchIdentifiers<T>(_ descriptor: FetchDescriptor<T>) throws -> [PersistentIdentifier]
  where T: PersistentModel {
    try objectIDs(descriptor).map(PersistentIdentifier.init)
  }

  /// Returns the IDs of the objects that a descriptor selects.
  func objectIDs<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [NSManagedObjectID] {
    let request = try request(for: descriptor, as: NSManagedObjectID.self)
    request.resultType = .managedObjectIDResultType
    return try execute(request)
  }

  private func execute<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    objects.runEnqueuedBlocks()
    return try mapped { try objects.fetch(request) }
  }

  private func request<T: PersistentModel, Result>(
    for descriptor: FetchDescriptor<T>, as type: Result.Type
  ) throws -> NSFetchRequest<Result> {
    try container.check(T.self)
    let request = NSFetchRequest<Result>(entityName: Schema.name(of: T.self))
    request.predicate = descriptor.predicate.map { SwiftPredicate(reading: $0) }
    request.sortDescriptors = try descriptor.sortBy.map { sort in
      guard let keyPath = sort.keyPath, T._propertyNames(of: keyPath) != nil else {
        throw SwiftDataError.unsupportedSortDescriptor.because(
          "\(sort) does not sort by a persisted property of \(T.self).")
      }
      return KeyPathSortDescriptor(keyPath, ascending: sort.order == .forward)
    }
    request.fetchLimit = descriptor.fetchLimit ?? 0
    request.fetchOffset = descriptor.fetchOffset ?? 0
    request.includesPendingChanges = descriptor.includePendingChanges
    request.relationshipKeyPathsForPrefetching = try descriptor.relationshipKeyPathsForPrefetching.map { keyPath in
      guard let names = T._propertyNames(of: keyPath) else {
        throw SwiftDataError.unsupportedKeyPath.because("\(keyPath) is not a relationship of \(T.self).")
      }
      return names.joined(separator: ".")
    }
    return request
  }

  /// Runs a fetch, in whose predicate identifiers are the container's, and gives errors of Core Data SwiftData's names.
  func mapped<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try ModelContainer.$ofFetch.withValue(container, operation: body) } catch let error
      as CocoaError where error.code.rawValue == 134_091
    {
      throw SwiftDataError.unsupportedPredicate.because(error.localizedDescription)
    }
  }
}
