import Foundation
import ManagedModel
import Predicates

/// Which objects of an entity are wanted, in which order, and in which form.
///
/// The result type is not bound to `NSFetchRequestResult`, as it is on Apple's systems: there is no variance of
/// generics without Objective-C, and a bound would forbid `NSFetchRequest<any NSFetchRequestResult>`.
/// See https://developer.apple.com/documentation/coredata/nsfetchrequest
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
  // A request is one thread's at a time: access to what it holds is exclusive without being checked, which would cost a
  // look-up a twentieth.
  @exclusivity(unchecked) var subject = FetchSubject.none { willSet { willEdit() } }

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
  @exclusivity(unchecked) public var predicate: NSPredicate? { willSet { willEdit() } }

  /// The order, most significant first. An order of dictionaries may name a column that is worked out.
  @exclusivity(unchecked) public var sortDescriptors: [NSSortDescriptor]? { willSet { willEdit() } }

  /// The most objects to return; 0 is all of them.
  @exclusivity(unchecked) public var fetchLimit: Int = 0 { willSet { willEdit() } }

  /// Objects to leave out at the start.
  @exclusivity(unchecked) public var fetchOffset: Int = 0 { willSet { willEdit() } }

  /// How many rows are read at once, when the first of them is asked for; 0 is all of them, along with the ids.
  ///
  /// `fetch(_:)` returns faults then, as a Swift array cannot make its members when they are asked for: each costs an
  /// object. `NSManagedObjectContext.fetchedObjects(_:)` returns a collection that can, where each costs 8 bytes.
  @exclusivity(unchecked) public var fetchBatchSize: Int = 0 { willSet { willEdit() } }

  /// What is returned. Default: managed objects.
  @exclusivity(unchecked) public var resultType: NSFetchRequestResultType = .managedObjectResultType {
    willSet { willEdit() }
  }

  /// Whether objects of sub-entities belong to the result. Default: true.
  @exclusivity(unchecked) public var includesSubentities: Bool = true { willSet { willEdit() } }

  /// Whether the result takes account of what the context has not saved. Default: true. Dictionaries never do.
  @exclusivity(unchecked) public var includesPendingChanges: Bool = true { willSet { willEdit() } }

  /// Whether rows are read at all, and not only their ids. Default: true.
  @exclusivity(unchecked) public var includesPropertyValues: Bool = true { willSet { willEdit() } }

  /// Whether objects come as faults, whose rows are at hand and which fire without I/O. Default: true.
  @exclusivity(unchecked) public var returnsObjectsAsFaults: Bool = true { willSet { willEdit() } }

  /// Whether objects that the context already has take over the values that the fetch reads. Default: false.
  @exclusivity(unchecked) public var shouldRefreshRefetchedObjects: Bool = false { willSet { willEdit() } }

  /// Relationships whose other ends are read along with the objects, by key paths such as `quakes.tags`: with one more
  /// question a step, instead of one an object when it is asked for. A key that is no relationship stops the program.
  @exclusivity(unchecked) public var relationshipKeyPathsForPrefetching: [String]? { willSet { willEdit() } }

  /// The columns of dictionaries: names and key paths of attributes and to-one relationships, descriptions of such, and
  /// `NSExpressionDescription`s. nil is all attributes.
  ///
  /// Objects come with all their properties whatever is said here. Apple's come with these alone and read the others
  /// when one is asked for, which no program can tell but by its time: a row is read as a whole here.
  public var propertiesToFetch: [Any]? { willSet { willEdit() } }

  /// What makes rows come to one dictionary: names and key paths of attributes and to-one relationships, or descriptions
  /// of such. For dictionaries alone, whose columns are then these or functions over rows.
  @exclusivity(unchecked) public var propertiesToGroupBy: [Any]? { willSet { willEdit() } }

  /// Which groups are wanted, by properties that group and by functions over rows; a column that is worked out can be
  /// named as it is, or as a variable. Needs `propertiesToGroupBy`.
  public var havingPredicate: NSPredicate? { willSet { willEdit() } }

  /// Whether equal dictionaries come once. Default: false.
  public var returnsDistinctResults: Bool = false { willSet { willEdit() } }

  /// The model whose template the request is.
  weak var model: NSManagedObjectModel?

  public override init() { super.init() }

  /// A request for the objects of an entity, which is looked up when the request is executed.
  public convenience init(entityName: String) {
    self.init()
    subject = .named(entityName)
  }

  /// Executes the request in the context whose `perform` block is running.
  /// - Throws: what `NSManagedObjectContext.fetch(_:)` throws.
  public func execute() throws -> [ResultType] {
    guard let context = ContextBlock.current?.context else {
      fatalError("NSFetchRequest.execute() was called outside of a context's perform block.")
    }
    return try context.fetch(self)
  }

  /// A request of its own, which can be changed also if this one is a template.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchRequest<ResultType>()
    copy.take(from: self)
    return copy
  }

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
