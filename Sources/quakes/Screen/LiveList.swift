import CoreData
import Foundation
import StrataQuakes
import StrataQuakesConfig

/// The earthquakes of a query, kept up to date by a fetched results controller. Rows are read as they are shown.
@MainActor
final class LiveList: NSObject {
  /// The number of rows per fetch.
  private static let batchSize = 100

  /// Called when the list changed.
  var onChange: (@MainActor () -> Void)?

  let store: LiveStore
  private var controller: NSFetchedResultsController<Quake>?
  private(set) var query = QuakeQuery()
  /// Increases whenever the list changes.
  private(set) var version = 0
  /// The earthquakes in the circle, in order; nil without a circle.
  private var inCircle: [Quake]?
  /// Whether there may be room for an earthquake beyond the limit.
  private var hasRoom = false

  init(_ store: LiveStore) {
    self.store = store
  }

  /// - Throws: what `fetch` throws.
  func fetch(_ query: QuakeQuery) throws {
    let request = Quake.matching(query.filter)
    request.sortDescriptors = query.sortDescriptors
    request.fetchLimit = query.filter.circle == nil ? query.limit : 0
    // A circle needs every position in its box.
    request.returnsObjectsAsFaults = query.filter.circle == nil
    request.fetchBatchSize = query.filter.circle == nil ? Self.batchSize : 0
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: store.context, sectionNameKeyPath: nil, cacheName: nil)
    controller.delegate = self
    try controller.performFetch()
    (self.controller, self.query, hasRoom) = (controller, query, false)
    findInCircle()
  }

  private func findInCircle() {
    version += 1
    guard let circle = query.filter.circle else {
      inCircle = nil
      return
    }
    var found = (controller?.fetchedObjects ?? []).map { quake in
      (quake: quake, distance: circle.distance(latitude: quake.latitude, longitude: quake.longitude))
    }
    found.removeAll { $0.distance > circle.radius }
    if query.order == .distance {
      found.sort { query.isReversed ? $0.distance > $1.distance : $0.distance < $1.distance }
    }
    inCircle = found.map(\.quake)
  }

  var count: Int { query.limit == 0 ? countWithoutLimit : min(query.limit, countWithoutLimit) }

  private var countWithoutLimit: Int { inCircle?.count ?? controller?.sections?.first?.numberOfObjects ?? 0 }

  /// Whether a fetch is due because of the limit: earthquakes that arrived since the last one stay beyond it, and those that
  /// left made room for others.
  var needsFetch: Bool {
    query.limit > 0 && inCircle == nil && (hasRoom || countWithoutLimit / 2 - 50 > query.limit)
  }

  subscript(index: Int) -> Quake? {
    guard 0..<count ~= index else { return nil }
    return inCircle?[index] ?? controller?.object(at: IndexPath(item: index, section: 0))
  }

  /// - Returns: nil if it is not in the list.
  func index(of id: NSManagedObjectID) -> Int? {
    guard let quake = store.context.registeredObject(for: id) as? Quake else { return nil }
    return inCircle?.firstIndex(of: quake) ?? controller?.indexPath(forObject: quake)?.item
  }

  /// The listed values of an earthquake, with its distance if there is a circle.
  func facts(of quake: Quake, place: PlaceStyle) -> QuakeFacts {
    var facts = place == .nearest ? store.facts(of: quake) : quake.facts
    facts.setPlace(place, store.style)
    facts.distance = query.filter.circle?.distance(latitude: quake.latitude, longitude: quake.longitude)
    return facts
  }
}

extension LiveList: @MainActor NSFetchedResultsControllerDelegate {
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    if type == .delete || type == .move { hasRoom = true }
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    findInCircle()
    onChange?()
  }
}
