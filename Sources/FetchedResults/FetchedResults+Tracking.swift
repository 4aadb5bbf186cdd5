import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataPredicates
import StrataRowStore
import StrataSupport

/// Following the changes of a context.
extension FetchedResults {
  /// Handles a notification of the context. Notifications posted while the delegate is being notified are queued.
  func contextDidChange(_ userInfo: [AnyHashable: Any]) {
    waiting.append(userInfo)
    guard !isReporting else { return }
    isReporting = true
    defer { isReporting = false }
    while !waiting.isEmpty {
      let userInfo = waiting.removeFirst()
      if userInfo[NSInvalidatedAllObjectsKey] != nil {
        isCurrent = false
      } else if isCurrent, delegate != nil, let edit = edit(for: userInfo) {
        notify(of: edit)
      }
    }
  }

  /// Returns the edit for changed objects; nil if the contents do not change, or if their new places are not known yet.
  private func edit(for userInfo: [AnyHashable: Any]) -> FetchedEdit? {
    let hasPositions = learnPositions()
    guard let query, let arrangement else { return nil }
    var seen: Set<ObjectIdentifier> = []
    func objects(_ keys: String...) -> [NSManagedObject] {
      let sets = keys.compactMap { userInfo[$0] as? Set<NSManagedObject> }
      return sets.joined().filter { query.mayContain($0) && seen.insert(ObjectIdentifier($0)).inserted }
    }
    let failures = context.failedReads
    let deleted = objects(NSDeletedObjectsKey, NSInvalidatedObjectsKey)
    var touched = objects(NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey)
    touched += missed.filter { seen.insert(ObjectIdentifier($0)).inserted }
    guard hasPositions else {
      missed = touched + deleted
      return nil
    }
    var removed = deleted.compactMap(arrangement.number)
    // Objects changed since then will be reported later, but their sort values are read now.
    touched += context.unpostedChanges.filter { arrangement.contains($0) && seen.insert(ObjectIdentifier($0)).inserted }
    let gone = context.missingRows(ofFaultsAmong: touched)
    let filter: PredicateNode?
    do { filter = try query.filter() } catch {
      Diagnostics.warnOnce(
        "A fetched results controller does not follow a change, as its predicate cannot be read: \(error)")
      return nil
    }
    var arrivals: [FetchedEdit.Arrival] = []
    for object in touched {
      let old = arrangement.number(of: object)
      if let old { removed.append(old) }
      guard !gone.contains(ObjectIdentifier(object)), query.contains(object, where: filter) else { continue }
      arrivals.append(
        FetchedEdit.Arrival(
          object: object, position: query.order.position(of: object), name: query.sectionName(of: object), old: old))
    }
    guard context.failedReads == failures else {
      missed = touched + deleted
      return nil
    }
    missed = []
    guard !removed.isEmpty || !arrivals.isEmpty else { return nil }
    return FetchedEdit(of: arrangement, removed: removed, arrivals: arrivals)
  }
}
