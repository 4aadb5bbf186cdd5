import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// The delegate callbacks of a fetched results controller.
@MainActor @Suite struct FetchedResultsChangeTests {
  @Test(arguments: Store.allCases)
  func `changes are reported in the documented order`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1", "Chile b 2", "Chile c 3", "Fiji d 4", "Peru e 5")
    let log = ChangeLog()
    let controller = try quakes.shown(log)
    quakes.insert("Alaska f 6")
    quakes.context.delete(try quakes.quake("d"))
    try quakes.set(9, "magnitude", of: "a")
    try quakes.set(7, "felt", of: "e")
    #expect(log.lines.isEmpty)
    quakes.context.processPendingChanges()
    #expect(
      log.taken() == [
        "will", "section insert Alaska 0", "delete d 1.0 -", "insert f - 0.0", "move a 0.0 1.2", "update e 2.0 2.0",
        "section delete Fiji 1", "did",
      ])
    #expect(log.contentsBefore == [["a", "b", "c", "d", "e"]])
    #expect(controller.text == ["Alaska: f", "Chile: b c a", "Peru: e"])
    try quakes.context.save()
    #expect(log.taken() == [])
  }

  @Test(arguments: Store.allCases)
  func `an object that changes its section moves`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1", "Fiji b 2", "Peru c 3")
    let log = ChangeLog()
    let controller = try quakes.shown(log)
    try quakes.set("Peru", "place", of: "a")
    quakes.context.processPendingChanges()
    #expect(log.taken() == ["will", "move a 0.0 1.0", "section delete Chile 0", "did"])
    try quakes.set("Tonga", "place", of: "b")
    quakes.context.processPendingChanges()
    #expect(
      log.taken() == ["will", "section insert Tonga 1", "move b 0.0 1.0", "section delete Fiji 0", "did"])
    #expect(controller.text == ["Peru: a c", "Tonga: b"])
  }

  @Test(arguments: Store.allCases)
  func `objects that start or stop matching are inserted or deleted`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1", "Chile b 2", "Chile c 3")
    let log = ChangeLog()
    let controller = try quakes.shown(log, sections: nil, "magnitude >= 2")
    try quakes.set(4, "magnitude", of: "a")
    try quakes.set(0, "magnitude", of: "c")
    quakes.context.processPendingChanges()
    #expect(log.taken() == ["will", "delete c 0.1 -", "insert a - 0.1", "did"])
    // Objects that match neither before nor after cause no callback.
    try quakes.set(1, "magnitude", of: "c")
    quakes.context.processPendingChanges()
    #expect(log.taken() == [] && controller.text == [": b a"])
  }

  @Test(arguments: Store.allCases)
  func `a swap is reported as a move and an update`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1", "Chile b 2", "Chile c 3", "Chile d 4")
    let log = ChangeLog()
    let controller = try quakes.shown(log, sections: nil)
    try quakes.set(2.5, "magnitude", of: "a")
    try quakes.set(1.5, "magnitude", of: "b")
    quakes.context.processPendingChanges()
    #expect(log.taken() == ["will", "move b 0.1 0.0", "update a 0.0 0.1", "did"] && controller.text == [": b a c d"])
  }

  @Test(arguments: Store.allCases)
  func `the fetch limit does not apply to later changes`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1", "Chile b 2", "Chile c 3")
    let log = ChangeLog()
    let controller = try quakes.shown(log, sections: nil, limit: 2)
    #expect(controller.text == [": a b"])
    quakes.insert("Chile d 1.5")
    quakes.insert("Chile e 9")
    quakes.context.processPendingChanges()
    #expect(controller.text == [": a d b e"])
    try controller.performFetch()
    #expect(controller.text == [": a d"])
  }

  @Test(arguments: Store.allCases)
  func `a controller shows changes that other contexts saved`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1", "Chile b 2", "Fiji c 3", "Fiji d 4")
    let log = ChangeLog()
    let controller = try quakes.shown(log, "magnitude < 4")
    #expect(controller.text == ["Chile: a b", "Fiji: c"])
    // "d" is not registered in the context, because it was never among the results.
    quakes.context.reset()
    try controller.performFetch()
    try quakes.elsewhere { other in
      for quake in try other.fetch("Quake") {
        switch quake.shownCode {
        case "a": quake.setValue(3, forKey: "magnitude")
        case "c": other.delete(quake)
        case "d": quake.setValue(1, forKey: "magnitude")
        default: break
        }
      }
      _ = other.insert("Quake", ["code": "e", "place": "Peru", "magnitude": 2])
    }
    #expect(
      log.taken() == [
        "will", "section insert Peru 2", "delete c 1.0 -", "insert d - 1.0", "insert e - 2.0", "move a 0.0 0.1", "did",
      ])
    #expect(controller.text == ["Chile: b a", "Fiji: d", "Peru: e"] && !quakes.context.hasChanges)
  }

  @Test(arguments: Store.allCases)
  func `many insertions by another context are reported`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1")
    let log = ChangeLog()
    let controller = try quakes.shown(log, "magnitude >= 1000")
    try quakes.elsewhere { other in
      for number in 0..<3_000 {
        _ = other.insert("Quake", ["code": "\(number)", "place": "Fiji", "magnitude": Double(number)])
      }
    }
    #expect(log.lines.count == 2_003 && controller.sections?.map(\.numberOfObjects) == [2_000])
  }

  @Test(arguments: Store.allCases)
  func `rollback, undo and refresh are reported as changes`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1", "Chile b 2")
    quakes.context.undoManager = UndoManager()
    let log = ChangeLog()
    let controller = try quakes.shown(log, sections: nil)
    quakes.insert("Chile c 3")
    quakes.context.delete(try quakes.quake("a"))
    quakes.context.processPendingChanges()
    #expect(log.taken() == ["will", "delete a 0.0 -", "insert c - 0.1", "did"])
    quakes.context.undo()
    quakes.context.processPendingChanges()
    #expect(log.taken() == ["will", "delete c 0.1 -", "insert a - 0.0", "did"])
    quakes.insert("Chile d 3")
    try quakes.set(5, "magnitude", of: "a")
    quakes.context.processPendingChanges()
    #expect(log.taken() == ["will", "insert d - 0.1", "move a 0.0 0.2", "did"])
    quakes.context.rollback()
    #expect(log.taken() == ["will", "delete d 0.1 -", "move a 0.2 0.0", "did"])
    quakes.context.refresh(try quakes.quake("b"), mergeChanges: false)
    quakes.context.processPendingChanges()
    #expect(log.taken() == ["will", "update b 0.1 0.1", "did"] && controller.text == [": a b"])
  }

  @Test(arguments: Store.allCases)
  func `a reset stops change reports until the next fetch`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1")
    let log = ChangeLog()
    let controller = try quakes.shown(log)
    quakes.context.reset()
    quakes.insert("Chile b 2")
    quakes.context.processPendingChanges()
    #expect(log.taken() == [])
    try controller.performFetch()
    quakes.insert("Chile c 3")
    quakes.context.processPendingChanges()
    #expect(log.taken() == ["will", "insert c - 0.2", "did"])
  }

  @Test(arguments: Store.allCases)
  func `removing a store deletes its objects from the results`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1", "Chile b 2")
    let log = ChangeLog()
    let controller = try quakes.shown(log)
    let coordinator = quakes.container.persistentStoreCoordinator
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    #expect(log.taken() == ["will", "delete b 0.1 -", "delete a 0.0 -", "section delete Chile 0", "did"])
    #expect(controller.fetchedObjects?.isEmpty == true && controller.sections?.isEmpty == true)
  }

  @Test(arguments: Store.allCases)
  func `a predicate can refer to an object that is saved later`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1", "Chile b 2")
    let region = quakes.context.insert("Region")
    let log = ChangeLog()
    let controller = quakes.controller(sections: nil)
    controller.fetchRequest.predicate = NSPredicate(format: "region == %@", region)
    controller.delegate = log
    try controller.performFetch()
    try quakes.set(region, "region", of: "b")
    try quakes.context.save()
    try quakes.set(region, "region", of: "a")
    quakes.context.processPendingChanges()
    #expect(log.taken() == ["will", "insert b - 0.0", "did", "will", "insert a - 0.0", "did"])
  }

  @Test(arguments: Store.allCases)
  func `changes by the delegate are reported afterwards`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1", "Chile b 2")
    let delegate = EditingDelegate()
    let controller = try quakes.shown(delegate, sections: nil)
    quakes.insert("Chile c 3")
    quakes.context.processPendingChanges()
    #expect(delegate.lines == ["will", "insert c - 0.2", "did", "will", "move a 0.0 0.2", "did"])
    #expect(controller.text == [": b c a"])
  }

  @Test(arguments: Store.allCases)
  func `a snapshot delegate receives no other callbacks`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1", "Chile b 2", "Fiji c 3")
    let log = SnapshotLog()
    let controller = try quakes.shown(log)
    #expect(log.snapshots.map(\.numberOfItems) == [3])
    try quakes.set(3, "magnitude", of: "a")
    quakes.context.delete(try quakes.quake("c"))
    let peru = quakes.insert("Peru d 1")
    quakes.context.processPendingChanges()
    let snapshot = try #require(log.snapshots.last)
    #expect(log.snapshots.count == 2 && log.others == 0)
    let moved = try quakes.quake("a").objectID
    #expect(snapshot.sectionIdentifiers as? [String] == ["Chile", "Peru"] && snapshot.numberOfSections == 2)
    #expect(snapshot.itemIdentifiers as? [NSManagedObjectID] == controller.fetchedObjects?.map(\.objectID))
    #expect(snapshot.itemIdentifiers(inSectionWithIdentifier: "Peru") as? [NSManagedObjectID] == [peru.objectID])
    #expect(snapshot.numberOfItems(inSection: "Chile") == 2)
    #expect(snapshot.reloadedItemIdentifiers as? [NSManagedObjectID] == [moved])
    #expect(snapshot.index(ofItemIdentifier: moved) == 1 && snapshot.index(ofSectionIdentifier: "Fiji") == NSNotFound)
    #expect(snapshot.sectionIdentifier(forSectionContainingItemIdentifier: peru.objectID) as? String == "Peru")
  }

  @Test(arguments: Store.allCases)
  func `differences are reported only without sections`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1", "Chile b 2", "Chile c 3", "Chile d 4")
    let log = DifferenceLog()
    let (flat, cut) = (try quakes.shown(log, sections: nil), try quakes.shown(log))
    let before = try #require(flat.fetchedObjects?.map(\.objectID))
    quakes.context.delete(try quakes.quake("b"))
    try quakes.set(9, "magnitude", of: "a")
    try quakes.set(9, "felt", of: "d")
    quakes.insert("Chile e 0")
    quakes.context.processPendingChanges()
    #expect(log.differences.count == 1)
    #expect(log.steps == [.delete, .insert, .move, .update])
    #expect(before.applying(try #require(log.differences.first)) == flat.fetchedObjects?.map(\.objectID))
    #expect(flat.text == [": e c d a"] && cut.text == ["Chile: e c d a"])
  }

  @Test(arguments: Store.allCases)
  func `a delegate can be set after the fetch`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1")
    let log = ChangeLog()
    let controller = quakes.controller(sections: nil)
    try controller.performFetch()
    controller.delegate = log
    quakes.insert("Chile b 2")
    quakes.context.processPendingChanges()
    #expect(log.taken() == ["will", "insert b - 0.1", "did"] && log.contentsBefore == [["a"]])
    controller.delegate = nil
    quakes.insert("Chile c 2")
    quakes.context.processPendingChanges()
    #expect(log.taken() == [] && controller.text == [": a b"])
  }

  @Test func `a released controller reports nothing`() throws {
    let quakes = try FetchedQuakes(.memory, "Chile a 1")
    let log = ChangeLog()
    weak let releasedController = try quakes.shown(log)
    #expect(try quakes.shown(log).text == ["Chile: a"])
    quakes.insert("Chile b 2")
    quakes.context.processPendingChanges()
    #expect(releasedController == nil && log.taken() == [])
  }

  @Test func `the delegate is not retained and receives its controller`() throws {
    let quakes = try FetchedQuakes(.memory, "Chile a 1")
    let (controller, other) = (quakes.controller(), quakes.controller())
    var delegate: ComparingDelegate? = ComparingDelegate()
    delegate?.mine = controller
    delegate?.other = other
    controller.delegate = delegate
    #expect(controller.delegate != nil)
    try controller.performFetch()
    quakes.insert("Chile b 2")
    quakes.context.processPendingChanges()
    #expect(delegate?.seen.count == 9 && delegate?.seen.contains(false) == false)
    #expect(other != controller)
    delegate = nil
    #expect(controller.delegate == nil)
  }
}

/// Makes a change during a callback.
private final class EditingDelegate: ChangeLog {
  private var isDone = false

  override func controllerWillChangeContent(_ controller: AnyController) {
    super.controllerWillChangeContent(controller)
    guard !isDone else { return }
    isDone = true
    (controller.fetchedObjects?.first as? NSManagedObject)?.setValue(9, forKey: "magnitude")
    controller.managedObjectContext.processPendingChanges()
  }
}

private final class ComparingDelegate: NSObject, NSFetchedResultsControllerDelegate {
  weak var mine: NSFetchedResultsController<NSManagedObject>?
  weak var other: NSFetchedResultsController<NSManagedObject>?
  var seen: [Bool] = []

  func controllerDidChangeContent(_ controller: AnyController) {
    seen = [
      controller == mine, controller === mine, mine === controller, controller === controller as AnyController?,
      !(controller !== mine), controller !== other, other !== controller, controller !== nil as AnyController?,
      controller.fetchedObjects?.count == 2 && controller.fetchRequest.entityName == "Quake",
    ]
  }
}
