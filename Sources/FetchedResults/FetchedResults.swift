import Foundation
import StrataFoundationGaps
import StrataManagedModel
import StrataObjectGraph
import StrataPredicates
import StrataRowStore

/// The implementation of a fetched results controller, independent of its result type. Used on the context's queue.
final class FetchedResults: ContextObserver, @unchecked Sendable {
  // Sendable: used only on the context's queue, as Apple's contract requires; the observer's closure runs there too.

  let context: NSManagedObjectContext
  let sectionNameKeyPath: String?
  /// The program's controller.
  weak var face: (any FetchedResultsFace)?
  /// Creates the controller passed to delegates.
  var makeErased: (() -> NSFetchedResultsController<any NSFetchRequestResult>)?
  private weak var lastErased: NSFetchedResultsController<any NSFetchRequestResult>?

  private(set) weak var delegate: (any NSFetchedResultsControllerDelegate)?
  /// The methods that the delegate turned out not to implement.
  var missing: DelegateMethods = []
  /// The methods for which it is known whether the delegate implements them.
  var known: DelegateMethods = []

  /// The query; nil before the first fetch.
  private(set) var query: FetchedQuery?
  /// The contents. Changed only through `change(_:)`.
  private(set) var arrangement: FetchedArrangement?
  /// Incremented when the contents change.
  private(set) var generation = 0
  private var sectionInfos: [FetchedSectionInfo]?

  /// Whether changes are followed: not before a fetch, nor after a reset.
  var isCurrent = false
  private var observer: (any NSObjectProtocol)?
  /// Notifications of the context received while the delegate was being notified.
  var waiting: [[AnyHashable: Any]] = []
  var isReporting = false
  /// Changed objects whose place is not known, because a value could not be read: they are placed with the next change.
  var missed: [NSManagedObject] = []

  init(_ context: NSManagedObjectContext, sectionNameKeyPath: String?) {
    self.context = context
    self.sectionNameKeyPath = sectionNameKeyPath
  }

  deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }

  /// The controller with the result type that delegates expect.
  var erased: NSFetchedResultsController<any NSFetchRequestResult> {
    if let face = face as? NSFetchedResultsController<any NSFetchRequestResult> { return face }
    if let lastErased { return lastErased }
    guard let made = makeErased?() else { fatalError("A fetched results controller was not set up.") }
    lastErased = made
    return made
  }

  func isFace(_ controller: any FetchedResultsFace) -> Bool { face === controller }

  func setDelegate(_ new: (any NSFetchedResultsControllerDelegate)?) {
    delegate = new
    (missing, known) = ([], [])
    follow()
  }

  // MARK: Fetching

  func performFetch<T>(_ request: NSFetchRequest<T>) throws {
    guard request.resultType == .managedObjectResultType else {
      throw CocoaError.coreData(
        .unsupported,
        "A fetched results controller shows managed objects, and its request asks for something else: leave resultType as it is."
      )
    }
    context.checkQueue()
    let operation = try FetchOperation(request, in: context)
    let objects = try operation.objects()
    let query = FetchedQuery(
      in: context, fetch: operation.query, predicate: request.predicate, sectionKeyPath: sectionNameKeyPath)
    if sectionNameKeyPath != nil { _ = context.missingRows(ofFaultsAmong: objects) }
    let sections = try context.throwingFailedReads { try query.sections(of: objects) }
    change { arrangement in
      arrangement = FetchedArrangement(
        objects, sections: sections, isSectioned: sectionNameKeyPath != nil, order: FetchedOrder(of: operation.query))
    }
    self.query = query
    missed = []
    isCurrent = true
    follow()
    notifyOfFetch()
  }

  /// Follows the context as long as there are contents and a delegate.
  private func follow() {
    guard delegate != nil, isCurrent else {
      if let observer { NotificationCenter.default.removeObserver(observer) }
      observer = nil
      context.remove(observer: self)
      return
    }
    learnPositions()
    guard observer == nil else { return }
    context.add(observer: self)
    observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { [weak self] note in self?.contextDidChange(note.userInfo ?? [:]) }
  }

  /// Reads rows that the request defers, because objects are found by their sort values.
  /// - Returns: false if they cannot be read now.
  @discardableResult
  func learnPositions() -> Bool {
    guard arrangement?.hasPositions == false else { return true }
    _ = context.missingRows(ofFaultsAmong: arrangement?.objects ?? [])
    let failures = context.failedReads
    arrangement?.learnPositions()
    if context.failedReads != failures { arrangement?.forgetPositions() }
    return context.failedReads == failures
  }

  package var observedEntities: Set<Int> { delegate != nil && isCurrent ? query?.family ?? [] : [] }

  package var observedQuery: FetchQuery? {
    query.map { query in
      FetchQuery(
        layout: query.fetch.layout, includesSubentities: query.fetch.includesSubentities,
        filter: (try? query.filter()) ?? nil, stores: query.fetch.stores)
    }
  }

  /// Changes the contents in place: the arrays must not be shared then.
  func change(_ body: (inout FetchedArrangement?) -> Void) {
    sectionInfos = nil
    generation += 1
    body(&arrangement)
  }

  // MARK: Contents

  var objects: [NSManagedObject]? { arrangement?.objects }

  var sections: [FetchedSectionInfo]? {
    if let sectionInfos { return sectionInfos }
    sectionInfos = arrangement.map { arrangement in
      arrangement.sections.map { FetchedSectionInfo($0, of: arrangement.objects, self) }
    }
    return sectionInfos
  }

  func object(at indexPath: IndexPath) -> NSManagedObject {
    guard let arrangement else { fatalError("performFetch() must be called before objectAtIndexPath: \(indexPath)") }
    guard indexPath.count == 2, arrangement.sections.indices.contains(indexPath.section) else {
      fatalError("no section at index \(indexPath.first ?? 0) in sections list")
    }
    let section = arrangement.sections[indexPath.section]
    guard indexPath.item >= 0, indexPath.item < section.count else {
      fatalError("no object at index \(indexPath.item) in section at index \(indexPath.section)")
    }
    return arrangement.objects[section.start + indexPath.item]
  }

  func indexPath(of object: NSManagedObject) -> IndexPath? {
    learnPositions()
    return arrangement.flatMap { arrangement in arrangement.number(of: object).map(arrangement.sections.indexPath) }
  }
}
