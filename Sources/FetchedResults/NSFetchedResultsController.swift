import Foundation
import StrataFoundationGaps
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// The results of a fetch, ordered and in sections, for a list. With a delegate, it follows the context's changes,
/// including those merged from other contexts and processes.
///
/// ```swift
/// let request = NSFetchRequest<Quake>(entityName: "Quake")
/// request.sortDescriptors = [
///   NSSortDescriptor(key: "region.name", ascending: true),
///   NSSortDescriptor(key: "time", ascending: false),
/// ]
/// let controller = NSFetchedResultsController(
///   fetchRequest: request, managedObjectContext: context,
///   sectionNameKeyPath: "region.name", cacheName: nil)
/// controller.delegate = listDelegate
/// try controller.performFetch()
/// for section in controller.sections ?? [] {
///   print(section.name, section.numberOfObjects)
/// }
/// ```
///
/// The controller looks for changes when the context posts `NSManagedObjectContextObjectsDidChange`, on the context's
/// queue, where the controller must be used. A change costs a search, not a fetch. As on Apple's platforms, an object
/// is reconsidered when it changes itself, not when an object at the end of a key path changes, and the request's limit
/// and offset only apply to ``performFetch()``.
///
/// See <https://developer.apple.com/documentation/coredata/nsfetchedresultscontroller>
open class NSFetchedResultsController<ResultType: NSFetchRequestResult>: NSObject {
  /// The fetch request. It can be changed before the next `performFetch()`.
  open var fetchRequest: NSFetchRequest<ResultType> { request }

  /// The name of the cache.
  ///
  /// Nothing is cached: each `performFetch()` computes the sections, which is no slower than validating a cache.
  open var cacheName: String? { ownCacheName }

  private let request: NSFetchRequest<ResultType>
  private let ownCacheName: String?
  let results: FetchedResults
  /// The objects with their own type, and the generation of the contents.
  private var typed: (generation: Int, objects: [ResultType])?

  /// Creates a controller. It has no objects before `performFetch()`.
  /// - Parameters:
  ///   - fetchRequest: a request with sort descriptors. An empty array means the order of the rows. With sections, the
  ///     first descriptor must keep the objects of a section together.
  ///   - context: the context to fetch in and to follow.
  ///   - sectionNameKeyPath: a key path from an object to the name of its section; nil for a single section.
  ///   - name: has no effect on Linux.
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {
    request = fetchRequest
    ownCacheName = name
    results = FetchedResults(context, sectionNameKeyPath: sectionNameKeyPath)
    super.init()
    faceResults()
  }

  /// Creates a controller of any results from a request for results of one type. On Apple's platforms such a request is
  /// cast, which Swift refuses without Objective-C.
  ///
  /// The controller has a copy of the request: to change it, change `fetchRequest`. The parameters are those of the other
  /// initializer.
  public init<Result: NSFetchRequestResult>(
    fetchRequest: NSFetchRequest<Result>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) where ResultType == any NSFetchRequestResult {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.copyContents(from: fetchRequest)
    self.request = request
    ownCacheName = name
    results = FetchedResults(context, sectionNameKeyPath: sectionNameKeyPath)
    super.init()
    faceResults()
  }

  /// - Precondition: the request has sort descriptors.
  private func faceResults() {
    guard request.sortDescriptors != nil else {
      fatalError("An instance of NSFetchedResultsController requires a fetch request with sort descriptors")
    }
    results.face = self
    results.makeErased = { [unowned results, fetchRequest = request, cacheName = ownCacheName] in
      let request = NSFetchRequest<any NSFetchRequestResult>()
      request.copyContents(from: fetchRequest)
      return NSFetchedResultsController<any NSFetchRequestResult>(erased: results, request, cacheName)
    }
  }

  /// Creates the controller that is passed to delegates instead of one with another result type.
  private init(erased results: FetchedResults, _ fetchRequest: NSFetchRequest<ResultType>, _ name: String?) {
    request = fetchRequest
    self.results = results
    ownCacheName = name
    super.init()
  }

  /// The context that the controller fetches in.
  open var managedObjectContext: NSManagedObjectContext { results.context }

  /// The key path from an object to the name of its section; nil for a single section.
  open var sectionNameKeyPath: String? { results.sectionNameKeyPath }

  /// The delegate, which is notified of changes. The controller follows changes only while it has one, and does not
  /// keep it alive.
  open weak var delegate: (any NSFetchedResultsControllerDelegate)? {
    get { results.delegate }
    set { results.setDelegate(newValue) }
  }

  /// Fetches the objects. Call it once before using the controller, again after a change of the request, and after the
  /// context was reset, when changes are no longer followed.
  ///
  /// ```swift
  /// controller.fetchRequest.predicate = NSPredicate(format: "pages > 300")
  /// try controller.performFetch()  // Until then, the old books are listed.
  /// print(controller.fetchedObjects?.count ?? 0)
  /// ```
  /// - Throws: the errors of `NSManagedObjectContext.fetch(_:)`; `CocoaError` 134060 if the sort order splits a
  ///   section.
  open func performFetch() throws { try results.performFetch(request) }

  /// Does nothing, because nothing is cached: see `cacheName`.
  open class func deleteCache(withName name: String?) {}

  // MARK: Objects

  /// The objects, in order; nil before `performFetch()`.
  open var fetchedObjects: [ResultType]? {
    guard let objects = results.objects else { return nil }
    if ResultType.self == NSManagedObject.self { return objects as? [ResultType] }
    if let typed, typed.generation == results.generation { return typed.objects }
    let found = objects.map(typed)
    typed = (results.generation, found)
    return found
  }

  /// Returns the object at an index path of section and item. An invalid index path stops the program.
  ///
  /// ```swift
  /// for (number, section) in (controller.sections ?? []).enumerated() {
  ///   print(section.name)
  ///   for item in 0..<section.numberOfObjects {  // `objects` would create all.
  ///     let book = controller.object(at: IndexPath(item: item, section: number))
  ///     print(book.title)
  ///   }
  /// }
  /// ```
  open func object(at indexPath: IndexPath) -> ResultType { typed(results.object(at: indexPath)) }

  /// Returns the index path of an object; nil if it is not among the fetched objects.
  open func indexPath(forObject object: ResultType) -> IndexPath? {
    (object as? NSManagedObject).flatMap(results.indexPath)
  }

  private func typed(_ object: NSManagedObject) -> ResultType {
    guard let typed = object as? ResultType else { fatalError("A fetched object is no \(ResultType.self): \(object)") }
    return typed
  }

  // MARK: Sections

  /// The sections, in order; nil before `performFetch()`.
  ///
  /// No section is empty, except the single section of a controller without a section key path.
  open var sections: [any NSFetchedResultsSectionInfo]? { results.sections }

  /// The titles of the section index, without duplicates.
  open var sectionIndexTitles: [String] { results.isFace(self) ? results.indexTitles : results.shownIndexTitles }

  /// Returns the index title for a section name: the delegate's, or else the capitalized first letter. Nil for an empty
  /// name.
  open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    results.isFace(self) ? results.ownIndexTitle(of: sectionName) : results.indexTitle(of: sectionName)
  }

  /// Returns the section for an index title: the first section with that title, or the one before where it would be.
  /// - Parameters:
  ///   - title: a title of the section index.
  ///   - sectionIndex: the index of the title in `sectionIndexTitles`. If another title is there, the program stops.
  open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    results.section(forIndexTitle: title, at: sectionIndex, of: sectionIndexTitles)
  }

  // MARK: One controller under two types

  /// Returns whether another object is this controller, whatever its result type.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? any FetchedResultsFace)?.results === results
  }

  /// A hash of the controller's identity.
  open override var hash: Int { Int(bitPattern: ObjectIdentifier(results)) }
}

/// A controller with any result type.
protocol FetchedResultsFace: AnyObject {
  var results: FetchedResults { get }
  var sectionIndexTitles: [String] { get }
  func sectionIndexTitle(forSectionName sectionName: String) -> String?
}

extension NSFetchedResultsController: FetchedResultsFace {}
