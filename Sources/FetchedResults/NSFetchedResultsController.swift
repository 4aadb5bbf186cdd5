import Foundation
import StrataFoundationGaps
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// The objects of a fetch in their order and in sections, for somebody who shows them; with a delegate they are kept up to
/// date with the context: its own changes, those that it merges from other contexts, and from other processes.
///
/// What changes is found out when the context posts `NSManagedObjectContextObjectsDidChange`, on the context's queue, where
/// the controller is used. A change costs what finding its place costs, not a fetch. As on Apple's systems, an object is
/// looked at when it changes itself, not when an object changes that a key path of the predicate, of the order or of the
/// sections leads to; and the limit and offset of the request count for `performFetch()` alone.
///
/// The result type is not bound to `NSFetchRequestResult`, as it is not for `NSFetchRequest`.
/// See https://developer.apple.com/documentation/coredata/nsfetchedresultscontroller
open class NSFetchedResultsController<ResultType>: NSObject {
  /// What is fetched. It may be changed before another `performFetch()`.
  public let fetchRequest: NSFetchRequest<ResultType>

  /// The name that was given for a cache.
  ///
  /// Nothing is cached under it: sections are found anew with each `performFetch()`, which takes no longer than to make sure
  /// that kept ones still fit.
  public let cacheName: String?

  let results: FetchedResults
  /// The objects by their own type, and the contents that they were taken from.
  private var typed: (generation: Int, objects: [ResultType])?

  /// Makes a controller, which has no objects before `performFetch()`.
  /// - Parameters:
  ///   - fetchRequest: must have sort descriptors. An empty list of them is the order of the rows; with sections, the first
  ///     one must bring the objects of each section together.
  ///   - sectionNameKeyPath: leads from an object to the name of its section; nil for one section with all objects.
  ///   - name: has no effect on Linux.
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {
    guard fetchRequest.sortDescriptors != nil else {
      fatalError("An instance of NSFetchedResultsController requires a fetch request with sort descriptors")
    }
    self.fetchRequest = fetchRequest
    cacheName = name
    results = FetchedResults(context, sectionNameKeyPath)
    super.init()
    results.face = self
    results.makeErased = { [unowned results] in
      let request = NSFetchRequest<any NSFetchRequestResult>()
      request.take(from: fetchRequest)
      return NSFetchedResultsController<any NSFetchRequestResult>(erased: results, request, name)
    }
  }

  /// What a delegate is given in the place of a controller of another result type.
  private init(erased results: FetchedResults, _ fetchRequest: NSFetchRequest<ResultType>, _ name: String?) {
    self.fetchRequest = fetchRequest
    self.results = results
    cacheName = name
    super.init()
  }

  public var managedObjectContext: NSManagedObjectContext { results.context }

  public var sectionNameKeyPath: String? { results.sectionNameKeyPath }

  /// Hears of changes, which are followed as long as there is a delegate. Not kept alive.
  public weak var delegate: (any NSFetchedResultsControllerDelegate)? {
    get { results.delegate }
    set { results.setDelegate(newValue) }
  }

  /// Fetches the objects anew, also after the context was reset, when changes are no longer followed.
  /// - Throws: what `NSManagedObjectContext.fetch(_:)` throws; code 134060 if the order of the objects tears a section apart.
  open func performFetch() throws { try results.performFetch(fetchRequest) }

  /// Nothing is cached, so nothing is deleted; see `cacheName`.
  public class func deleteCache(withName name: String?) {}

  // MARK: Objects

  /// All objects in their order; nil before `performFetch()`.
  public var fetchedObjects: [ResultType]? {
    guard let objects = results.objects else { return nil }
    if ResultType.self == NSManagedObject.self { return objects as? [ResultType] }
    if let typed, typed.generation == results.generation { return typed.objects }
    let found = objects.map(typed)
    typed = (results.generation, found)
    return found
  }

  /// The object at a path of section and item; a path that leads nowhere stops the program.
  open func object(at indexPath: IndexPath) -> ResultType { typed(results.object(at: indexPath)) }

  /// Where an object is; nil if it is not among the fetched ones.
  open func indexPath(forObject object: ResultType) -> IndexPath? {
    (object as? NSManagedObject).flatMap(results.indexPath)
  }

  private func typed(_ object: NSManagedObject) -> ResultType {
    guard let typed = object as? ResultType else { fatalError("A fetched object is no \(ResultType.self): \(object)") }
    return typed
  }

  // MARK: Sections

  /// The sections in their order, none of them empty; without a key path for names one section, which may be. nil before
  /// `performFetch()`.
  open var sections: [any NSFetchedResultsSectionInfo]? { results.sections }

  /// The titles for an index beside a list: those of the sections, each once.
  open var sectionIndexTitles: [String] { results.isFace(self) ? results.indexTitles : results.shownIndexTitles }

  /// The title for a section's name: what the delegate says, or else the first letter as a capital. nil for no name.
  open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    results.isFace(self) ? results.ownIndexTitle(of: sectionName) : results.indexTitle(of: sectionName)
  }

  /// The section to show for a title of the index: the first one with the title, or the one before where it would be.
  /// - Parameter sectionIndex: the place of the title in `sectionIndexTitles`; another title there stops the program.
  open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    results.section(forIndexTitle: title, at: sectionIndex, of: sectionIndexTitles)
  }

  // MARK: One controller under two types

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? any FetchedResultsFace)?.results === results
  }

  open override var hash: Int { Int(bitPattern: ObjectIdentifier(results)) }
}

/// A controller of any result type.
protocol FetchedResultsFace: AnyObject {
  var results: FetchedResults { get }
  var sectionIndexTitles: [String] { get }
  func sectionIndexTitle(forSectionName sectionName: String) -> String?
}

extension NSFetchedResultsController: FetchedResultsFace {}
