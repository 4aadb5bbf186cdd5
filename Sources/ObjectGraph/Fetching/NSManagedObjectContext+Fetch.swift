import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataRuntime

extension NSManagedObjectContext {
  /// Returns the objects, or other results, that a request selects, in its order and including unsaved changes. Call it
  /// on the context's queue. It returns when the store has read the rows.
  ///
  /// Objects that the context already has keep their values, even if the store has newer ones.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Quake>(entityName: "Quake")
  /// request.predicate = NSPredicate(format: "region.name == %@", "Tonga")
  /// request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: false)]
  /// request.fetchLimit = 1  // Without it, all rows are read for the first one.
  /// let latest = try context.fetch(request).first
  /// ```
  /// - Throws: the store's error; `CocoaError` 134091 for a predicate or sort descriptor that the store does not
  ///   support, and for a request for which Apple's framework raises an exception, with the text of that.
  public func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
    checkQueue()
    if request.resultType == .dictionaryResultType { return try dictionaries(for: request) }
    return try FetchOperation(request, in: self).results()
  }

  /// Returns the number of objects that a request would fetch, including unsaved changes, without creating objects.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Quake>(entityName: "Quake")
  /// request.predicate = NSPredicate(format: "magnitude >= 6")
  /// let count = try context.count(for: request)  // Reads no rows.
  /// ```
  /// - Throws: the errors of `fetch(_:)`.
  public func count<T>(for request: NSFetchRequest<T>) throws -> Int {
    checkQueue()
    if request.resultType == .dictionaryResultType { return try dictionaryCount(for: request) }
    return try FetchOperation(request, in: self).count()
  }

  /// Casts results to the request's result type.
  /// - Throws: code 134091 for a class that the objects do not have.
  func cast<T, Found>(_ found: [Found], for request: NSFetchRequest<T>) throws -> [T] {
    if T.self == Found.self { return found.retyped(as: T.self) }
    if let same = found as? [T] { return same }
    throw CocoaError.coreData(
      .unsupported,
      "The results of a fetch of '\(request.entityName ?? "")' are not of type \(T.self): \(found.first.map { "\($0)" } ?? "")."
    )
  }

  func cast<T>(_ objects: [NSManagedObject], for request: NSFetchRequest<T>) throws -> [T] {
    if let type = T.self as? NSManagedObject.Type, isEvery(objects, a: type) { return objects.retyped(as: T.self) }
    return try cast(objects as [NSObject], for: request)
  }

  /// Checks each run of objects of one class once.
  private func isEvery(_ objects: [NSManagedObject], a type: NSManagedObject.Type) -> Bool {
    var last: NSManagedObject.Type?
    return type == NSManagedObject.self
      || objects.allSatisfy { object in
        let own = Swift.type(of: object)
        if own == last { return true }
        last = own
        return TypeNames.line(of: own).contains { $0 == type }
      }
  }

  // MARK: The query

  /// Returns a request as a query of the store.
  func query<T>(for request: NSFetchRequest<T>) throws -> FetchQuery {
    let source = try requireSource()
    if request.includesPendingChanges { applyDeleteRules() }
    detachGone()
    let layout = try layout(for: request, source)
    guard request.givenPropertiesToGroupBy == nil || request.resultType == .dictionaryResultType else {
      throw CocoaError.coreData(.unsupported, "propertiesToGroupBy is for fetches with NSDictionaryResultType.")
    }
    return FetchQuery(
      layout: layout, includesSubentities: request.includesSubentities,
      filter: try filter(request.predicate, of: layout),
      sort: try (request.sortDescriptors ?? []).map(sortKey), limit: request.fetchLimit, offset: request.fetchOffset,
      stores: request.storeNumbers)
  }

  /// Returns the request's entity in the context's model.
  private func layout<T>(for request: NSFetchRequest<T>, _ source: any ObjectSource) throws -> EntityLayout {
    guard case .named(let name) = request.subject else {
      return try layout(for: request, entity: request.entity, in: source)
    }
    if let known = sourceState.namedEntity, known.name == name {
      request.resolveEntity(known.entity)
      return known.entity.layout
    }
    let found = try layout(for: request, entity: source.model.entitiesByName[name], in: source)
    // A parent may get another coordinator.
    let entity = source.model.entity(of: found)
    if !(source is ParentSource) { sourceState.namedEntity = (name, entity) }
    request.resolveEntity(entity)
    return found
  }

  private func layout<T>(
    for request: NSFetchRequest<T>, entity: NSEntityDescription?, in source: any ObjectSource
  ) throws -> EntityLayout {
    if case .none = request.subject {
      throw CocoaError.coreData(.unsupported, "executeFetchRequest:error: A fetch request must have an entity.")
    }
    guard let entity else {
      throw CocoaError.coreData(
        .unsupported,
        "executeFetchRequest:error: could not locate an NSEntityDescription for entity name '\(request.entityName ?? "")'."
      )
    }
    let known = entity.model === source.model ? entity : source.model.entitiesByName[entity.name ?? ""]
    guard let layout = known?.layout else {
      throw CocoaError.coreData(
        .unsupported,
        "The fetch request's entity '\(entity.name ?? "")' appears to be from a different NSManagedObjectModel than this "
          + "context's.")
    }
    return layout
  }

  private func sortKey(_ descriptor: NSSortDescriptor) throws -> SortKey {
    do throws(UnsupportedSortError) { return SortKey(try descriptor.fetchable) } catch {
      throw CocoaError.coreData(.unsupported, error.description, cause: error)
    }
  }

  // MARK: Rows to objects

  /// Returns the objects for rows that were read, each row once.
  ///
  /// Lookups, registrations and page references are batched for all objects: done one by one, they take a quarter of an
  /// object's lifetime.
  func register(_ rows: RowList, refreshing: Bool = false, fired: Bool = false) -> [NSManagedObject] {
    let known = registry.objects(of: rows)
    let objects = makeObjects(for: rows, unlessKnown: known)
    registry.insert(objects, except: known)
    if refreshing || fired {
      var position = 0
      rows.forEach { page, row in
        let object = objects[position]
        if refreshing, object.life != .fault { object.rebase(onto: Row(page: page, index: row)) }
        if fired { object.materialize() }
        position += 1
      }
    }
    return objects
  }

  /// - Parameter known: the registered objects, by row index; empty if there are none.
  private func makeObjects(for rows: RowList, unlessKnown known: [NSManagedObject?]) -> [NSManagedObject] {
    let count = rows.count
    guard let first = rows.pages.first else { return [] }
    // The rows retain the pages, and the model the layouts.
    var (number, page, held) = (0, Unmanaged.passUnretained(first), 0 as UInt32)
    var (layout, kind) = (Unmanaged.passUnretained(first.layout), objectKind(of: first.layout))
    return Array(unsafeUninitializedCapacity: count) { objects, made in
      rows.forEachPosition { next, index in
        if next != number {
          if held > 0 { strata_retain(page.toOpaque(), held) }
          (number, page, held) = (next, Unmanaged.passUnretained(rows.pages[next]), 0)
          layout = Unmanaged.passUnretained(rows.pages[next].layout)
          kind = objectKind(of: rows.pages[next].layout)
        }
        if !known.isEmpty, let object = known[made] {
          if object.life == .fault { object.use(rows.pages[next], row: index) }
          objects.initializeElement(at: made, to: object)
        } else {
          let id = page._withUnsafeGuaranteedRef { $0.id(index) }
          let object = makeMember(id, layout: layout, type: kind.type, from: kind.seed)
          // An initializer that read or set a value has fired the fault.
          if object.life == .fault {
            held += 1
            object.use(unretained: page, index)
          }
          objects.initializeElement(at: made, to: object)
        }
        made += 1
      }
      if held > 0 { strata_retain(page.toOpaque(), held) }
    }
  }
}
