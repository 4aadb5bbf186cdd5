import CoreData
import Foundation

extension ModelContext {
  /// Returns the models that a descriptor selects, of which it reads a batch at a time.
  ///
  /// - Throws: `SwiftDataError.includePendingChangesWithBatchSize` if the context has unsaved changes and the descriptor includes
  ///   them; otherwise as `fetch(_:)`.
  public func fetch<T>(_ descriptor: FetchDescriptor<T>, batchSize: Int) throws -> FetchResultsCollection<T>
  where T: PersistentModel {
    try FetchResultsCollection(batchedIDs(descriptor), batchSize: batchSize) { [self] in try models(with: $0) }
  }

  /// Returns the identifiers of the models that a descriptor selects.
  ///
  /// - Throws: as `fetch(_:batchSize:)`.
  public func fetchIdentifiers<T>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<PersistentIdentifier> where T: PersistentModel {
    try FetchResultsCollection(batchedIDs(descriptor), batchSize: batchSize) { $0.map(PersistentIdentifier.init) }
  }

  /// Passes each model that a descriptor selects to a block. It keeps the models of a batch in memory, and those that the
  /// program keeps or changes.
  ///
  /// - Parameters:
  ///   - fetch: the models.
  ///   - batchSize: the number of models that are read at a time.
  ///   - allowEscapingMutations: without effect: changes of the block stay in the context until they are saved.
  ///   - block: called for each model, in order. An error ends the enumeration.
  /// - Throws: the error of the block; otherwise as `fetch(_:)`.
  public func enumerate<T>(
    _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false, block: (T) throws -> Void
  ) throws where T: PersistentModel {
    let (ids, size) = (try objectIDs(fetch), max(batchSize, 1))
    for start in stride(from: 0, to: ids.count, by: size) {
      let batch: [T] = try models(with: ids[start..<min(start + size, ids.count)], leavingOutDeleted: true)
      // A block may delete models that come later, and save.
      for model in batch where !model.isDeleted && model.modelContext != nil { try block(model) }
    }
  }

  private func batchedIDs<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [NSManagedObjectID] {
    if descriptor.includePendingChanges, hasChanges {
      throw SwiftDataError.includePendingChangesWithBatchSize.because(
        "Save the changes of the context first, or set includePendingChanges to false.")
    }
    return try objectIDs(descriptor)
  }

  /// Returns the models with IDs, in their order.
  ///
  /// - Parameter leavingOutDeleted: whether those that were deleted after the fetch are left out.
  private func models<T: PersistentModel>(
    with ids: ArraySlice<NSManagedObjectID>, leavingOutDeleted: Bool = false
  ) throws -> [T] {
    let request = NSFetchRequest<NSManagedObject>(entityName: Schema.name(of: T.self))
    request.predicate = NSPredicate(format: "SELF IN %@", Array(ids) as NSArray)
    request.includesPendingChanges = false
    // Keeps the rows until the loop below has their objects.
    let rows = try objects.fetch(request)
    let known = Set(rows.map(\.objectID))
    let kept = ids.filter { !leavingOutDeleted || known.contains($0) || $0.isTemporaryID }
    return withExtendedLifetime(rows) { ModelMaker(objects).models(of: kept.map(objects.object(with:))) }
  }

  /// Removes the models that fulfill a condition from the store immediately, and without reading those that are saved.
  ///
  /// New models of the context that fulfill it are deleted too; unsaved changes of saved ones do not count. Delete rules apply, and
  /// the rule `.deny` makes the deletion fail. Other contexts and processes see the deletion as they see a
  /// save.
  ///
  /// - Parameters:
  ///   - model: the class.
  ///   - predicate: the condition; nil for all models of the class.
  ///   - includeSubclasses: whether the models of subclasses are deleted too.
  /// - Throws: as `fetch(_:)`, or the store's error.
  public func delete<T>(
    model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
  ) throws where T: PersistentModel {
    objects.runEnqueuedBlocks()
    try container.check(T.self)
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: Schema.name(of: T.self))
    request.predicate = predicate.map { SwiftPredicate(reading: $0) }
    request.includesSubentities = includeSubclasses
    let deletion = NSBatchDeleteRequest(fetchRequest: request)
    deletion.resultType = .resultTypeObjectIDs
    let result = try mapped { try objects.execute(deletion) } as? NSBatchDeleteResult
    let ids = result?.result as? [NSManagedObjectID] ?? []
    for model in insertedModelsArray.compactMap({ $0 as? T }) where includeSubclasses || type(of: model) == T.self {
      if try predicate?.evaluate(model) ?? true { delete(model) }
    }
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [objects])
    objects.runEnqueuedBlocks()
  }
}
