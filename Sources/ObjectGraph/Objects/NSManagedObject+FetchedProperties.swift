import Foundation
import StrataManagedModel
import StrataPredicates

extension NSFetchedPropertyDescription {
  /// The fetch request of the property.
  ///
  /// Its predicate can refer to the object as `$FETCH_SOURCE`, and to the property as `$FETCHED_PROPERTY`. Its entity
  /// can be in another store.
  ///
  /// ```swift
  /// let strong = NSFetchedPropertyDescription()
  /// strong.name = "strongQuakes"
  /// let request = NSFetchRequest<any NSFetchRequestResult>()
  /// request.entity = quakeEntity
  /// request.predicate = NSPredicate(
  ///   format: "region == $FETCH_SOURCE AND magnitude > 6")
  /// strong.fetchRequest = request
  /// regionEntity.properties.append(strong)
  /// ```
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    get { template.map { $0.request as? NSFetchRequest<any NSFetchRequestResult> ?? $0.makeRequest() } }
    set { template = newValue.map(FetchTemplate.init) }
  }
}

/// Fetched properties: evaluated on first access, and cached until the object is refreshed or turned into a fault.
/// See https://developer.apple.com/documentation/coredata/nsfetchedpropertydescription
extension NSManagedObject {
  /// Returns the objects of a fetched property, for the accessor behind an `@NSManaged` declaration. If the store cannot
  /// be read, the result is empty, as for a fault; a request that no store can execute stops the program.
  public final func _fetched(_ key: borrowing _ManagedKey) -> [NSManagedObject] {
    guard let property = fetchedProperty(named: key.name) else { unknown(key.name) }
    return fetchedObjects(property)
  }

  /// Returns a fetched property of the object's entity.
  final func fetchedProperty(named name: String) -> NSFetchedPropertyDescription? {
    layout.hasFetchedProperty(named: name) ? entity.property(at: name) as? NSFetchedPropertyDescription : nil
  }

  final func fetchedObjects(_ property: NSFetchedPropertyDescription) -> [NSManagedObject] {
    materialize()
    if let known = edits?.fetched?[property.name] { return known }
    guard let context, !isUnread else { return [] }
    let found: [NSManagedObject]
    do { found = try context.throwingFailedReads { try fetchObjects(of: property) } } catch {
      didFailToFetch(property, error, in: context)
      return []
    }
    ownEdits().fetched = (edits?.fetched ?? [:]).merging([property.name: found]) { _, new in new }
    return found
  }

  final func fetchObjects(of property: NSFetchedPropertyDescription) throws -> [NSManagedObject] {
    guard let context, let request = property.fetchRequest else { return [] }
    return try context.objects(fetchedBy: request, for: self, property)
  }

  private func didFailToFetch(
    _ property: NSFetchedPropertyDescription, _ error: any Error, in context: NSManagedObjectContext
  ) {
    let isUnsupported = (error as? CocoaError)?.code == .persistentStoreUnsupportedRequestType
    if isUnsupported || context.failures.stopsProgram {
      fatalError("The fetched property '\(layout.name).\(property.name)' of \(objectID) could not be fetched: \(error)")
    }
    context.noteFailure(error, reading: .fetched(by: rowID, name: property.name))
  }
}

extension NSManagedObjectContext {
  fileprivate func objects(
    fetchedBy template: NSFetchRequest<any NSFetchRequestResult>, for source: NSManagedObject,
    _ property: NSFetchedPropertyDescription
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>()
    request.copyContents(from: template)
    request.resultType = .managedObjectResultType
    request.predicate = template.predicate?.withSubstitutionVariables([
      "FETCH_SOURCE": source, "FETCHED_PROPERTY": property,
    ])
    return try fetchFiltering(request)
  }
}
