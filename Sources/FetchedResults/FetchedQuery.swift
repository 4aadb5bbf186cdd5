import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataPredicates
import StrataRowStore
import StrataRuntime
import StrataSupport

/// The query of a fetched results controller: which objects belong to its contents, and in which order.
struct FetchedQuery {
  let context: NSManagedObjectContext
  let fetch: FetchQuery
  let order: FetchedOrder
  private let predicate: NSPredicate?
  private let sectionNameKeyPath: String?
  /// The numbers of the entities whose objects may belong to the contents.
  let family: Set<Int>
  /// The slot of the section name, if it is a string of the object itself.
  private let nameSlot: Int?

  init(in context: NSManagedObjectContext, fetch: FetchQuery, predicate: NSPredicate?, sectionKeyPath keyPath: String?)
  {
    self.context = context
    self.fetch = fetch
    self.predicate = predicate
    order = FetchedOrder(of: fetch)
    sectionNameKeyPath = keyPath
    family = Set(fetch.includesSubentities ? fetch.layout.subtreeNumbers : [fetch.layout.number])
    let slot = keyPath.flatMap {
      context.mayHaveOwnAccessor(of: $0, in: fetch.layout) ? nil : fetch.layout.slot(named: $0)
    }
    nameSlot = slot.flatMap { fetch.layout.slots[$0].kind == .string ? $0 : nil }
  }

  // MARK: Belonging

  /// Returns the predicate for current objects: IDs in it may have become permanent since the fetch.
  func filter() throws -> PredicateNode? { try context.filter(predicate, of: fetch.layout) }

  /// Whether an object has a fetched entity and store; the store of a new object is not known yet.
  func mayContain(_ object: NSManagedObject) -> Bool {
    let store = object.rowID.store
    return family.contains(object.layout.number) && (store == 0 || fetch.stores?.contains(store) ?? true)
  }

  /// Whether an object exists and matches. An object that the predicate cannot be evaluated with does not: Apple's
  /// controller also catches the exception and continues.
  func contains(_ object: NSManagedObject, where filter: PredicateNode?) -> Bool {
    guard object.life != .deleted, object.life != .detached else { return false }
    guard let filter else { return true }
    do {
      return try filter.evaluate(on: object)
    } catch {
      Diagnostics.warnOnce("The predicate of a fetched results controller cannot be evaluated: \(error)")
      return false
    }
  }

  // MARK: Sections

  /// Returns the section name of an object. Nil becomes an empty name, a number its digits.
  func sectionName(of object: NSManagedObject) -> String {
    guard let sectionNameKeyPath else { return "" }
    if let nameSlot {
      if object.heldRow == nil { object.materialize() }
      guard let row = object.heldRow, !row.page.isNil(row: row.index, slot: nameSlot) else { return "" }
      return String(stored: row.page.bytes(row: row.index, slot: nameSlot))
    }
    switch object.value(forKeyPath: sectionNameKeyPath) {
    case nil: return ""
    case let name as String: return name
    case let value?: return described(value)
    }
  }

  /// Splits objects into sections wherever the name changes.
  /// - Throws: code 134060 if a name recurs after another one.
  func sections(of objects: [NSManagedObject]) throws -> [FetchedSection] {
    guard sectionNameKeyPath != nil else { return [FetchedSection(name: "", start: 0, count: objects.count)] }
    var sections: [FetchedSection] = []
    var names: Set<String> = []
    for (index, object) in objects.enumerated() {
      if index > 0, haveSameRowName(objects[index - 1], object) { continue }
      let name = sectionName(of: object)
      if name == sections.last?.name { continue }
      guard names.insert(name).inserted else { throw Self.outOfOrder(at: index, sectionName: name) }
      sections.append(FetchedSection(name: name, start: index, count: 0))
    }
    for index in sections.indices {
      sections[index].count =
        (index + 1 < sections.count ? sections[index + 1].start : objects.count) - sections[index].start
    }
    return sections
  }

  /// Whether the names have the same bytes, without creating strings; false if that is unknown.
  private func haveSameRowName(_ left: NSManagedObject, _ right: NSManagedObject) -> Bool {
    guard let nameSlot, let row = left.heldRow, let other = right.heldRow else { return false }
    return row.page.isEqual(row: row.index, slot: nameSlot, to: other.page, row: other.index)
  }

  /// Returns Apple's error, with the quotation mark that is missing in its text.
  private static func outOfOrder(at index: Int, sectionName name: String) -> CocoaError {
    CocoaError(
      CocoaError.Code(rawValue: NSCoreDataError),
      userInfo: [
        "reason":
          "The fetched object at index \(index) has an out of order section name '\(name). Objects must be sorted by section name'"
      ])
  }
}
