import Foundation
import StrataCoreDataErrors
import StrataManagedModel
import StrataPredicates

/// Which objects of an entity are wanted, in which order, and in which form.
///
/// The result type is not bound to `NSFetchRequestResult`, as it is on Apple's systems: there is no variance of
/// generics without Objective-C, and a bound would forbid `NSFetchRequest<any NSFetchRequestResult>`.
/// See https://developer.apple.com/documentation/coredata/nsfetchrequest
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
  // A request is one thread's at a time: access to what it holds is exclusive without being checked, which would cost a
  // look-up a twentieth.
  // No property has an observer: Swift skips observers where an initializer of the class sets the property, and an
  // initializer that a program adds in an extension is one.
  final var subject: FetchSubject {
    get { givenSubject }
    set { edit(&givenSubject, newValue) }
  }
  @exclusivity(unchecked) private var givenSubject = FetchSubject.none

  /// The entity; nil until it is set, or until a request that was made with a name is executed.
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

  /// Which objects are wanted; nil is all of them.
  public var predicate: NSPredicate? {
    get { givenPredicate }
    set { edit(&givenPredicate, newValue) }
  }
  @exclusivity(unchecked) private var givenPredicate: NSPredicate?

  /// The order, most significant first. An order of dictionaries may name a column that is worked out.
  public var sortDescriptors: [NSSortDescriptor]? {
    get { givenSortDescriptors }
    set { edit(&givenSortDescriptors, newValue) }
  }
  @exclusivity(unchecked) private var givenSortDescriptors: [NSSortDescriptor]?

  /// The most objects to return; 0 is all of them.
  public var fetchLimit: Int {
    get { givenFetchLimit }
    set { edit(&givenFetchLimit, newValue) }
  }
  @exclusivity(unchecked) private var givenFetchLimit = 0

  /// Objects to leave out at the start.
  public var fetchOffset: Int {
    get { givenFetchOffset }
    set { edit(&givenFetchOffset, newValue) }
  }
  @exclusivity(unchecked) private var givenFetchOffset = 0

  /// How many rows are read at once, when the first of them is asked for; 0 is all of them, along with the ids.
  ///
  /// `fetch(_:)` returns faults then, as a Swift array cannot make its members when they are asked for: each costs an
  /// object. `NSManagedObjectContext.fetchedObjects(_:)` returns a collection that can, where each costs 8 bytes.
  public var fetchBatchSize: Int {
    get { givenFetchBatchSize }
    set { edit(&givenFetchBatchSize, newValue) }
  }
  @exclusivity(unchecked) private var givenFetchBatchSize = 0

  /// What is returned. Default: managed objects.
  public var resultType: NSFetchRequestResultType {
    get { givenResultType }
    set { edit(&givenResultType, newValue) }
  }
  @exclusivity(unchecked) private var givenResultType: NSFetchRequestResultType = .managedObjectResultType

  /// Whether objects of sub-entities belong to the result. Default: true.
  public var includesSubentities: Bool {
    get { givenIncludesSubentities }
    set { edit(&givenIncludesSubentities, newValue) }
  }
  @exclusivity(unchecked) private var givenIncludesSubentities = true

  /// Whether the result takes account of what the context has not saved. Default: true. Dictionaries never do.
  public var includesPendingChanges: Bool {
    get { givenIncludesPendingChanges }
    set { edit(&givenIncludesPendingChanges, newValue) }
  }
  @exclusivity(unchecked) private var givenIncludesPendingChanges = true

  /// Whether rows are read at all, and not only their ids. Default: true.
  public var includesPropertyValues: Bool {
    get { givenIncludesPropertyValues }
    set { edit(&givenIncludesPropertyValues, newValue) }
  }
  @exclusivity(unchecked) private var givenIncludesPropertyValues = true

  /// Whether objects come as faults, whose rows are at hand and which fire without I/O. Default: true.
  public var returnsObjectsAsFaults: Bool {
    get { givenReturnsObjectsAsFaults }
    set { edit(&givenReturnsObjectsAsFaults, newValue) }
  }
  @exclusivity(unchecked) private var givenReturnsObjectsAsFaults = true

  /// Whether objects that the context already has take over the values that the fetch reads. Default: false.
  public var shouldRefreshRefetchedObjects: Bool {
    get { givenShouldRefreshRefetchedObjects }
    set { edit(&givenShouldRefreshRefetchedObjects, newValue) }
  }
  @exclusivity(unchecked) private var givenShouldRefreshRefetchedObjects = false

  /// Relationships whose other ends are read along with the objects, by key paths such as `quakes.tags`: with one more
  /// question a step, instead of one an object when it is asked for. A key that is no relationship stops the program.
  public var relationshipKeyPathsForPrefetching: [String]? {
    get { givenRelationshipKeyPathsForPrefetching }
    set { edit(&givenRelationshipKeyPathsForPrefetching, newValue) }
  }
  @exclusivity(unchecked) private var givenRelationshipKeyPathsForPrefetching: [String]?

  /// The columns of dictionaries: names and key paths of attributes and to-one relationships, descriptions of such, and
  /// `NSExpressionDescription`s. nil is all attributes. Names of the entity's own properties read back as descriptions, once
  /// the request has an entity.
  ///
  /// Objects come with all their properties whatever is said here. Apple's come with these alone and read the others
  /// when one is asked for, which no program can tell but by its time: a row is read as a whole here.
  public var propertiesToFetch: [Any]? {
    get { describing(givenPropertiesToFetch) }
    set { edit(&givenPropertiesToFetch, newValue) }
  }
  private(set) var givenPropertiesToFetch: [Any]?

  /// What makes rows come to one dictionary: names and key paths of attributes and to-one relationships, or descriptions
  /// of such. For dictionaries alone, whose columns are then these or functions over rows.
  public var propertiesToGroupBy: [Any]? {
    get { describing(givenPropertiesToGroupBy) }
    set { edit(&givenPropertiesToGroupBy, newValue) }
  }
  @exclusivity(unchecked) private(set) var givenPropertiesToGroupBy: [Any]?

  /// Which groups are wanted, by properties that group and by functions over rows; a column that is worked out can be
  /// named as it is, or as a variable. Needs `propertiesToGroupBy`.
  public var havingPredicate: NSPredicate? {
    get { givenHavingPredicate }
    set { edit(&givenHavingPredicate, newValue) }
  }
  private var givenHavingPredicate: NSPredicate?

  /// Whether equal dictionaries come once. Default: false.
  public var returnsDistinctResults: Bool {
    get { givenReturnsDistinctResults }
    set { edit(&givenReturnsDistinctResults, newValue) }
  }
  private var givenReturnsDistinctResults = false

  /// The model whose template the request is.
  weak var model: NSManagedObjectModel?

  public override init() { super.init() }

  /// A request for the objects of an entity, which is looked up when the request is executed.
  public convenience init(entityName: String) {
    self.init()
    subject = .named(entityName)
  }

  /// Executes the request in the context whose `perform` block is running.
  /// - Throws: what `NSManagedObjectContext.fetch(_:)` throws; code 134091 outside of such a block.
  public func execute() throws -> [ResultType] {
    guard let context = ContextBlock.current?.context else {
      throw CocoaError.coreData(
        .unsupported,
        "The request for '\(entityName ?? "")' was executed outside of a block that a context performs, so there is no "
          + "context to ask: call execute() within perform or performAndWait, or use the context's fetch(_:).")
    }
    return try context.fetch(self)
  }

  /// A request of its own, which can be changed also if this one is a template.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchRequest<ResultType>()
    copy.take(from: self)
    return copy
  }

  /// What is asked for, in the form of Apple's framework.
  open override var description: String { describe() }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchRequest<ResultType> else { return false }
    return self === other || asks(theSameAs: other)
  }

  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(entityName)
    hasher.combine(fetchLimit)
    hasher.combine(fetchOffset)
    hasher.combine(sortDescriptors?.count ?? 0)
    return hasher.finalize()
  }

  /// Takes the entity that the request's name was found to mean. A template keeps its name.
  final func settle(_ found: NSEntityDescription) { if model == nil { givenSubject = .entity(found) } }

  private func describing(_ properties: [Any]?) -> [Any]? {
    guard let entity, let properties else { return properties }
    return properties.map { property in (property as? String).flatMap(entity.property(at:)) ?? property }
  }

  /// Stops a change of a template of a model that a coordinator uses.
  final override func willEdit() {
    precondition(model?.isFrozen != true, "Can't modify a named fetch request in an immutable model.")
  }
}

/// What a request fetches, as far as the program has said it.
enum FetchSubject: Equatable {
  case none
  case named(String)
  case entity(NSEntityDescription)
}
