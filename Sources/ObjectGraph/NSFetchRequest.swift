import Foundation
import ManagedModel
import Predicates

/// Which objects of an entity are wanted, in which order, and in which form.
///
/// The result type is not bound to `NSFetchRequestResult`, as it is on Apple's systems: there is no variance of
/// generics without Objective-C, and a bound would forbid `NSFetchRequest<any NSFetchRequestResult>`.
/// See https://developer.apple.com/documentation/coredata/nsfetchrequest
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
  private enum Subject {
    case none
    case named(String)
    case entity(NSEntityDescription)
  }
  private var subject = Subject.none

  /// The entity; nil until it is set, or until a request that was made with a name is executed.
  public var entity: NSEntityDescription? {
    get { if case .entity(let entity) = subject { entity } else { nil } }
    set { subject = newValue.map(Subject.entity) ?? .none }
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
  public var predicate: NSPredicate?

  /// The order, most significant first.
  public var sortDescriptors: [NSSortDescriptor]?

  /// The most objects to return; 0 is all of them.
  public var fetchLimit: Int = 0

  /// Objects to leave out at the start.
  public var fetchOffset: Int = 0

  /// What is returned. Default: managed objects.
  public var resultType: NSFetchRequestResultType = .managedObjectResultType

  /// Whether objects of sub-entities belong to the result. Default: true.
  public var includesSubentities: Bool = true

  /// Whether the result takes account of what the context has not saved. Default: true.
  public var includesPendingChanges: Bool = true

  /// Whether rows are read at all, and not only their ids. Default: true.
  public var includesPropertyValues: Bool = true

  /// Whether objects come as faults, whose rows are at hand and which fire without I/O. Default: true.
  public var returnsObjectsAsFaults: Bool = true

  /// Whether objects that the context already has take over the values that the fetch reads. Default: false.
  public var shouldRefreshRefetchedObjects: Bool = false

  /// Relationships whose other ends are read along with the objects, by key paths such as `quakes.tags`: with one more
  /// question a step, instead of one an object when it is asked for. A key that is no relationship stops the program.
  public var relationshipKeyPathsForPrefetching: [String]?

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
}
