import Foundation
import StrataCoreDataErrors
import StrataDiagnostics
import StrataManagedModel
import StrataObjectGraph
import StrataPredicates
import StrataRowStore

/// What a fetched results controller asked for when it fetched: which objects belong to its contents, and where.
struct FetchedQuery {
  let context: NSManagedObjectContext
  let plan: FetchQuery
  let order: FetchedOrder
  private let predicate: NSPredicate?
  private let sectionNameKeyPath: String?
  /// The entities whose objects may belong to the contents, by number.
  let family: Set<Int>
  /// Where the name of the section lies in a row, if it is a text of the object itself.
  private let nameSlot: Int?

  init(_ context: NSManagedObjectContext, _ plan: FetchQuery, _ predicate: NSPredicate?, _ keyPath: String?) {
    self.context = context
    self.plan = plan
    self.predicate = predicate
    order = FetchedOrder(of: plan)
    sectionNameKeyPath = keyPath
    family = Set(plan.includesSubentities ? plan.layout.familyNumbers : [plan.layout.number])
    let slot = keyPath.flatMap(plan.layout.slot)
    nameSlot = slot.flatMap { plan.layout.slots[$0].kind == .string ? $0 : nil }
  }

  // MARK: Belonging

  /// The predicate for objects as they are now: ids in it may have become permanent since the fetch.
  func filter() throws -> PredicateNode? { try context.filter(predicate, of: plan.layout) }

  /// Whether an object is of an entity and a store that were asked for; a new one goes to a store that is not known yet.
  func mayContain(_ object: NSManagedObject) -> Bool {
    let store = object.rowID.store
    return family.contains(object.layout.number) && (store == 0 || plan.stores?.contains(store) ?? true)
  }

  /// Whether an object is there and fits. One that the predicate cannot be asked about does not: Apple's controller catches
  /// the exception and goes on, too.
  func contains(_ object: NSManagedObject, _ filter: PredicateNode?) -> Bool {
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

  /// The name of the section that an object belongs to. Nil counts as empty, a number as its digits.
  func sectionName(of object: NSManagedObject) -> String {
    guard let sectionNameKeyPath else { return "" }
    if let nameSlot {
      if object.heldRow == nil { object.materialize() }
      guard let row = object.heldRow, !row.page.isNil(row.index, nameSlot) else { return "" }
      return String(stored: row.page.bytes(row.index, nameSlot))
    }
    switch object.value(forKeyPath: sectionNameKeyPath) {
    case nil: return ""
    case let name as String: return name
    case let value?: return described(value)
    }
  }

  /// Cuts objects into sections where the name changes.
  /// - Throws: code 134060 if a name comes back after another one.
  func sections(of objects: [NSManagedObject]) throws -> [FetchedSection] {
    guard sectionNameKeyPath != nil else { return [FetchedSection(name: "", start: 0, count: objects.count)] }
    var sections: [FetchedSection] = []
    var names: Set<String> = []
    for (index, object) in objects.enumerated() {
      if index > 0, haveSameRowName(objects[index - 1], object) { continue }
      let name = sectionName(of: object)
      if name == sections.last?.name { continue }
      guard names.insert(name).inserted else { throw Self.outOfOrder(index, name) }
      sections.append(FetchedSection(name: name, start: index, count: 0))
    }
    for index in sections.indices {
      sections[index].count =
        (index + 1 < sections.count ? sections[index + 1].start : objects.count) - sections[index].start
    }
    return sections
  }

  /// Whether the names are the same bytes, for which no text is made; false where that is not known.
  private func haveSameRowName(_ left: NSManagedObject, _ right: NSManagedObject) -> Bool {
    guard let nameSlot, let row = left.heldRow, let other = right.heldRow else { return false }
    return row.page.isEqual(row.index, nameSlot, to: other.page, other.index)
  }

  /// Apple's error, with the quotation mark that its text lacks.
  private static func outOfOrder(_ index: Int, _ name: String) -> CocoaError {
    CocoaError(
      CocoaError.Code(rawValue: NSCoreDataError),
      userInfo: [
        "reason":
          "The fetched object at index \(index) has an out of order section name '\(name). Objects must be sorted by section name'"
      ])
  }
}
