import Foundation
import StrataManagedModel
import StrataPredicates

/// Selects objects of an entity, their order, and the form in which they are returned.
///
/// ```swift
/// let request = NSFetchRequest<Quake>(entityName: "Quake")
/// request.predicate = NSPredicate(format: "magnitude >= %f", 6.0)
/// request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: false)]
/// request.fetchLimit = 20
/// let quakes = try context.fetch(request)
/// ```
///
/// See <doc:AskingForObjects> and <https://developer.apple.com/documentation/coredata/nsfetchrequest>
open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest {
  // One thread at a time uses a request, so access to its properties is exclusive without checks, which would cost a
  // lookup a twentieth.
  // No property has an observer: Swift skips observers while an initializer of the class sets the property, including
  // an initializer that a program adds in an extension.
  final var subject: FetchSubject {
    get { givenSubject }
    set { edit(&givenSubject, to: newValue) }
  }
  @exclusivity(unchecked) private var givenSubject = FetchSubject.none

  /// The entity. For a request that was created with a name, nil until it is executed.
  public var entity: NSEntityDescription? {
    get { if case .entity(let entity) = subject { entity } else { nil } }
    set { subject = newValue.map(FetchSubject.entity) ?? .none }
  }

  /// The name of the entity.
  public var entityName: String? {
    switch subject {
    case .none: nil
    case .named(let name): name
    case .entity(let entity): entity.name
    }
  }

  /// The objects to fetch; nil for all objects.
  ///
  /// ```swift
  /// let text = "O'Higgins"
  /// request.predicate = NSPredicate(format: "title CONTAINS[c] %@", text)
  /// // "title CONTAINS[c] '\(text)'" would end at the apostrophe.
  /// ```
  public var predicate: NSPredicate? {
    get { givenPredicate }
    set { edit(&givenPredicate, to: newValue) }
  }
  @exclusivity(unchecked) private var givenPredicate: NSPredicate?

  /// The order, most significant first; nil for the order of the rows. For dictionaries, it can name a computed column.
  ///
  /// A fetch throws for a descriptor with a closure, and for a computed property.
  ///
  /// ```swift
  /// request.sortDescriptors = [
  ///   NSSortDescriptor(key: "author.name", ascending: true),
  ///   NSSortDescriptor(key: "title", ascending: true),  // Within an author.
  /// ]
  /// ```
  public var sortDescriptors: [NSSortDescriptor]? {
    get { givenSortDescriptors }
    set { edit(&givenSortDescriptors, to: newValue) }
  }
  @exclusivity(unchecked) private var givenSortDescriptors: [NSSortDescriptor]?

  /// The maximum number of results; 0 for no limit.
  public var fetchLimit: Int {
    get { givenFetchLimit }
    set { edit(&givenFetchLimit, to: newValue) }
  }
  @exclusivity(unchecked) private var givenFetchLimit = 0

  /// The number of results to skip at the start. Default: 0. Pages need a sort order, so that none overlaps another.
  ///
  /// ```swift
  /// let page = 3
  /// request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
  /// request.fetchLimit = 50
  /// request.fetchOffset = (page - 1) * request.fetchLimit
  /// ```
  public var fetchOffset: Int {
    get { givenFetchOffset }
    set { edit(&givenFetchOffset, to: newValue) }
  }
  @exclusivity(unchecked) private var givenFetchOffset = 0

  /// The number of rows that are read together when the first of them is accessed; 0 to read all rows with the IDs.
  ///
  /// `fetch(_:)` then returns faults, each of which costs an object, because a Swift array cannot create its elements
  /// on access. `NSManagedObjectContext.fetchedObjects(_:)` returns a collection that can, with 8 bytes for each
  /// element.
  ///
  /// ```swift
  /// request.fetchBatchSize = 50
  /// for book in try context.fetchedObjects(request) {  // Not fetch(_:).
  ///   print(book.title)  // Reads 50 rows, then none until the 51st book.
  /// }
  /// ```
  public var fetchBatchSize: Int {
    get { givenFetchBatchSize }
    set { edit(&givenFetchBatchSize, to: newValue) }
  }
  @exclusivity(unchecked) private var givenFetchBatchSize = 0

  /// The kind of results. Default: managed objects. It must fit the type that the request was created for.
  ///
  /// ```swift
  /// // The type in angle brackets must be that of the results.
  /// let request = NSFetchRequest<NSManagedObjectID>(entityName: "Quake")
  /// request.resultType = .managedObjectIDResultType
  /// let ids = try context.fetch(request)
  /// ```
  public var resultType: NSFetchRequestResultType {
    get { givenResultType }
    set { edit(&givenResultType, to: newValue) }
  }
  @exclusivity(unchecked) private var givenResultType: NSFetchRequestResultType = .managedObjectResultType

  /// Whether objects of subentities are included. Default: true.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Quake>(entityName: "Quake")
  /// request.includesSubentities = false
  /// let count = try context.count(for: request)  // Of this entity alone.
  /// ```
  public var includesSubentities: Bool {
    get { givenIncludesSubentities }
    set { edit(&givenIncludesSubentities, to: newValue) }
  }
  @exclusivity(unchecked) private var givenIncludesSubentities = true

  /// Whether unsaved changes of the context are included. Default: true. They are never included in dictionaries.
  ///
  /// ```swift
  /// Quake(context: context).place = "Tonga"
  /// let request = NSFetchRequest<Quake>(entityName: "Quake")
  /// request.includesPendingChanges = false
  /// let saved = try context.count(for: request)  // Without the new quake.
  /// ```
  public var includesPendingChanges: Bool {
    get { givenIncludesPendingChanges }
    set { edit(&givenIncludesPendingChanges, to: newValue) }
  }
  @exclusivity(unchecked) private var givenIncludesPendingChanges = true

  /// Whether rows are read along with their IDs. Default: true.
  public var includesPropertyValues: Bool {
    get { givenIncludesPropertyValues }
    set { edit(&givenIncludesPropertyValues, to: newValue) }
  }
  @exclusivity(unchecked) private var givenIncludesPropertyValues = true

  /// Whether objects are returned as faults, whose rows are already in memory. Default: true.
  public var returnsObjectsAsFaults: Bool {
    get { givenReturnsObjectsAsFaults }
    set { edit(&givenReturnsObjectsAsFaults, to: newValue) }
  }
  @exclusivity(unchecked) private var givenReturnsObjectsAsFaults = true

  /// Whether objects that the context already has take the fetched values. Default: false, which keeps their values.
  ///
  /// ```swift
  /// let before = try context.fetch(request)
  /// // … another process saves …
  /// request.shouldRefreshRefetchedObjects = true
  /// let after = try context.fetch(request)  // The same objects, new values.
  /// ```
  public var shouldRefreshRefetchedObjects: Bool {
    get { givenShouldRefreshRefetchedObjects }
    set { edit(&givenShouldRefreshRefetchedObjects, to: newValue) }
  }
  @exclusivity(unchecked) private var givenShouldRefreshRefetchedObjects = false

  /// Key paths of relationships to prefetch, such as `quakes.tags`: one query for each step, instead of one for each
  /// object on access. A key that is not a relationship stops the program.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Region>(entityName: "Region")
  /// request.relationshipKeyPathsForPrefetching = ["quakes.tags"]
  /// for region in try context.fetch(request) {
  ///   print(region.quakes.map(\.tags.count))  // No query for each region.
  /// }
  /// ```
  public var relationshipKeyPathsForPrefetching: [String]? {
    get { givenRelationshipKeyPathsForPrefetching }
    set { edit(&givenRelationshipKeyPathsForPrefetching, to: newValue) }
  }
  @exclusivity(unchecked) private var givenRelationshipKeyPathsForPrefetching: [String]?

  /// The columns of dictionaries: names and key paths of attributes and to-one relationships, their descriptions, and
  /// `NSExpressionDescription`s. Nil for all attributes.
  ///
  /// Once the request has an entity, names of its own properties are returned as descriptions. Managed objects always
  /// have all their properties, because a row is read as a whole. Apple's framework reads the others on access.
  ///
  /// ```swift
  /// let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
  /// request.resultType = .dictionaryResultType  // Objects have all properties.
  /// request.propertiesToFetch = ["place", "region.name"]
  /// for row in try context.fetch(request) {
  ///   print(row["place"] ?? "", row["region.name"] ?? "")
  /// }
  /// ```
  public var propertiesToFetch: [Any]? {
    get { describing(givenPropertiesToFetch) }
    set { edit(&givenPropertiesToFetch, to: newValue) }
  }
  private(set) var givenPropertiesToFetch: [Any]?

  /// The grouping of dictionaries: names and key paths of attributes and to-one relationships, or their descriptions.
  /// The columns must then be among these, or be aggregates.
  ///
  /// ```swift
  /// let count = NSExpressionDescription()
  /// count.name = "count"
  /// count.expression = NSExpression(format: "count:(place)")
  /// count.resultType = .integer64
  /// let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
  /// request.resultType = .dictionaryResultType
  /// request.propertiesToFetch = ["region.name", count]
  /// request.propertiesToGroupBy = ["region.name"]  // All but aggregates.
  /// request.havingPredicate = NSPredicate(format: "count > 10")
  /// ```
  public var propertiesToGroupBy: [Any]? {
    get { describing(givenPropertiesToGroupBy) }
    set { edit(&givenPropertiesToGroupBy, to: newValue) }
  }
  @exclusivity(unchecked) private(set) var givenPropertiesToGroupBy: [Any]?

  /// The groups to return, by grouping properties and aggregates. A computed column can be referred to by its name or
  /// as a variable. Requires `propertiesToGroupBy`.
  public var havingPredicate: NSPredicate? {
    get { givenHavingPredicate }
    set { edit(&givenHavingPredicate, to: newValue) }
  }
  private var givenHavingPredicate: NSPredicate?

  /// Whether duplicate dictionaries are removed. Default: false.
  public var returnsDistinctResults: Bool {
    get { givenReturnsDistinctResults }
    set { edit(&givenReturnsDistinctResults, to: newValue) }
  }
  private var givenReturnsDistinctResults = false

  /// The model that the request is a template of.
  weak var model: NSManagedObjectModel?

  /// Creates a request without an entity.
  public override init() { super.init() }

  /// Creates a request for an entity, which is looked up when the request is executed.
  public convenience init(entityName: String) {
    self.init()
    subject = .named(entityName)
  }

  /// Executes the request in the context whose `perform` block is running.
  ///
  /// ```swift
  /// let titles = try context.performAndWait {
  ///   try request.execute().map(\.title)  // Needs the block to find a context.
  /// }
  /// ```
  /// - Throws: the errors of `NSManagedObjectContext.fetch(_:)`; `CocoaError` 134091 outside such a block.
  public func execute() throws -> [ResultType] {
    guard let context = ContextBlock.current?.context else {
      throw CocoaError.coreData(
        .unsupported,
        "The request for '\(entityName ?? "")' was executed outside of a block that a context performs, so there is no "
          + "context to ask: call execute() within perform or performAndWait, or use the context's fetch(_:).")
    }
    return try context.fetch(self)
  }

  /// Returns a copy that can be changed, even if this request is a template of a model in use.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchRequest<ResultType>()
    copy.copyContents(from: self)
    return copy
  }

  /// A description of the request, in the form of Apple's framework.
  open override var description: String { describe() }

  /// Returns whether another request asks for the same results.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchRequest<ResultType> else { return false }
    return self === other || hasContents(of: other)
  }

  /// A hash that is equal for equal requests.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(entityName)
    hasher.combine(fetchLimit)
    hasher.combine(fetchOffset)
    hasher.combine(sortDescriptors?.count ?? 0)
    return hasher.finalize()
  }

  /// Sets the entity that the request's entity name refers to. A template keeps its name.
  final func resolveEntity(_ found: NSEntityDescription) { if model == nil { givenSubject = .entity(found) } }

  private func describing(_ properties: [Any]?) -> [Any]? {
    guard let entity, let properties else { return properties }
    return properties.map { property in (property as? String).flatMap(entity.property(at:)) ?? property }
  }

  /// Stops the program if the request is a template of a model that a coordinator uses.
  final override func willEdit() {
    precondition(model?.isFrozen != true, "Can't modify a named fetch request in an immutable model.")
  }
}

/// The entity that a request fetches, as the program has specified it.
enum FetchSubject: Equatable {
  case none
  case named(String)
  case entity(NSEntityDescription)
}
