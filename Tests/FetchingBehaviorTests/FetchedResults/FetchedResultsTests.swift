import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// A fetched results controller's contents after a fetch.
@MainActor @Suite struct FetchedResultsTests {
  @Test(arguments: Store.every)
  func `sections group the fetched objects`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Fiji a 5", "Chile b 6", "- c 1", "Chile d 4")
    let controller = quakes.controller()
    #expect(controller.fetchedObjects == nil && controller.sections == nil)
    try controller.performFetch()
    #expect(controller.text == [": c", "Chile: d b", "Fiji: a"])
    #expect(controller.sections?.map(\.numberOfObjects) == [1, 2, 1])
    #expect(controller.sections?.map(\.indexTitle) == [nil, "C", "F"])
    #expect(controller.fetchedObjects?.map(\.shownCode) == ["c", "d", "b", "a"])
    #expect(controller.object(at: IndexPath(row: 1, section: 1)).shownCode == "b")
    #expect(controller.indexPath(forObject: try quakes.quake("a")) == IndexPath(item: 0, section: 2))
    #expect(controller.indexPath(forObject: quakes.insert("Chile e 5")) == nil)
    #expect(controller.cacheName == "cache" && controller.sectionNameKeyPath == "place")
    #expect(controller.managedObjectContext == quakes.context)
  }

  /// Libraries subclass the controller and add a result type.
  @Test func `a subclass for any result type accepts a typed request`() throws {
    let quakes = try FetchedQuakes(.sqlite, "Fiji a 5", "Chile b 6")
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    let controller = WrappingController(request, quakes.context)
    let log = ChangeLog()
    controller.delegate = log
    try controller.performFetch()
    #expect(controller.first?.shownCode == "a")
    quakes.insert("Tonga _ 7")
    quakes.context.processPendingChanges()
    #expect(controller.fetchedObjects?.count == 3 && controller.first?.shownCode == "_")
    request.fetchLimit = 1
    #expect(controller.fetchRequest.fetchLimit == 0)
  }

  @Test(arguments: Store.every)
  func `sections are the same objects until the contents change`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Fiji a 5", "Chile b 6")
    let log = ChangeLog()
    let controller = try quakes.shown(log)
    let first = try #require(controller.sections)
    let again = try #require(controller.sections)
    #expect(zip(first, again).allSatisfy { $0 === $1 && ($0 as? NSObject) == ($1 as? NSObject) })
    #expect(first[0] !== first[1] && (first as [AnyObject]).count == 2)
    quakes.insert("Chile c 7")
    quakes.context.processPendingChanges()
    #expect(controller.sections?.map(\.numberOfObjects) == [2, 1] && first.map(\.numberOfObjects) == [1, 1])
  }

  @Test(arguments: Store.every)
  func `a reset turns the contents into faults`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Fiji a 5", "Chile b 6")
    let controller = quakes.controller()
    try controller.performFetch()
    quakes.context.reset()
    let left = try #require(controller.fetchedObjects)
    #expect(left.count == 2 && left.allSatisfy { $0.isFault && $0.value(forKey: "code") == nil })
    #expect(controller.sections?.map(\.name) == ["Chile", "Fiji"])
    #expect(controller.indexPath(forObject: left[1]) == IndexPath(item: 0, section: 1))
    try controller.performFetch()
    #expect(controller.text == ["Chile: b", "Fiji: a"])
  }

  @Test(arguments: Store.every)
  func `a controller without a section key has one section, even if empty`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store)
    let (whole, cut) = (quakes.controller(sections: nil), quakes.controller())
    try whole.performFetch()
    try cut.performFetch()
    #expect(whole.text == [": "] && cut.text == [])
    #expect(whole.fetchedObjects?.isEmpty == true)
  }

  @Test(arguments: Store.every)
  func `section names can be key paths or numbers`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "x a 1", "x b 2", "x c 2")
    let region = quakes.context.insert("Region", ["name": "Pacific"])
    for code in ["a", "c"] { try quakes.set(region, "region", of: code) }
    try quakes.context.save()
    let (byRegion, byNumber) = (quakes.controller(sections: "region.name"), quakes.controller(sections: "magnitude"))
    try byRegion.performFetch()
    #expect(byRegion.text == [": b", "Pacific: a c"])
    try byNumber.performFetch()
    #expect(byNumber.sections?.map(\.numberOfObjects) == [1, 2])
  }

  @Test(arguments: Store.every)
  func `an order that splits a section is refused`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1", "Fiji b 2", "Chile c 3")
    let controller = quakes.controller()
    controller.fetchRequest.sortDescriptors = [NSSortDescriptor(key: "magnitude", ascending: true)]
    let error = #expect(throws: CocoaError.self) { try controller.performFetch() }
    #expect(error?.code.rawValue == 134060)
    #expect(
      error?.userInfo["reason"] as? String
        == "The fetched object at index 2 has an out of order section name 'Chile. Objects must be sorted by section name'"
    )
    #expect(controller.fetchedObjects == nil)
  }

  /// Only a request without sort descriptors is rejected.
  @Test(arguments: Store.every)
  func `an empty list of sort descriptors keeps the order of the fetch`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile b 2", "Fiji a 1", "Chile c 3")
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    request.sortDescriptors = []
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: quakes.context, sectionNameKeyPath: nil, cacheName: nil)
    let delegate = ChangeLog()
    controller.delegate = delegate
    try controller.performFetch()
    let rows = try quakes.context.fetch(request).map(\.shownCode)
    #expect(controller.fetchedObjects?.map(\.shownCode) == rows)
    if store != .atomic { #expect(rows == ["b", "a", "c"]) }
    let new = quakes.insert("Fiji d 0")
    quakes.context.delete(try quakes.quake("a"))
    quakes.context.processPendingChanges()
    #expect(controller.fetchedObjects?.map(\.shownCode) == rows.filter { $0 != "a" } + ["d"])
    #expect(controller.indexPath(forObject: new) == IndexPath(item: 2, section: 0))
    #expect(delegate.taken().first == "will")
    try quakes.context.save()
    try controller.performFetch()
    #expect(Set(controller.fetchedObjects?.map(\.shownCode) ?? []) == ["b", "c", "d"])
  }

  @Test(arguments: Store.every)
  func `changes of the request apply to the next fetch`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "Chile a 1", "Fiji b 2", "Chile c 3")
    let controller = quakes.controller()
    try controller.performFetch()
    controller.fetchRequest.predicate = NSPredicate(format: "magnitude > 1")
    controller.fetchRequest.fetchLimit = 1
    #expect(controller.text == ["Chile: a c", "Fiji: b"])
    try controller.performFetch()
    #expect(controller.text == ["Chile: c"])
  }

  @Test func `a controller accepts an untyped request but only object results`() throws {
    let quakes = try FetchedQuakes(.memory, "Chile a 1")
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Quake")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: quakes.context, sectionNameKeyPath: nil, cacheName: nil)
    try controller.performFetch()
    let quake = try #require(controller.fetchedObjects?.first as? NSManagedObject)
    #expect(quake.shownCode == "a" && controller.indexPath(forObject: quake) == [0, 0])
    request.resultType = .managedObjectIDResultType
    #expect(throws: CocoaError.self) { try controller.performFetch() }
    AnyController.deleteCache(withName: nil)
  }

  @Test(arguments: Store.every)
  func `index titles come from section names, the delegate or a subclass`(_ store: Store) throws {
    let quakes = try FetchedQuakes(store, "alaska a 1", "Azores b 2", "Chile c 3", "Cuba d 3")
    let controller = quakes.controller()
    try controller.performFetch()
    #expect(controller.text == ["Azores: b", "Chile: c", "Cuba: d", "alaska: a"])
    #expect(controller.sectionIndexTitles == ["A", "C"])
    #expect(controller.sectionIndexTitle(forSectionName: "öland") == "Ö")
    #expect(controller.section(forSectionIndexTitle: "C", at: 1) == 1)
    let titles = Titles()
    controller.delegate = titles
    #expect(controller.sectionIndexTitles == ["Az", "Ch", "Cu", "al"])
    #expect(controller.section(forSectionIndexTitle: "Cu", at: 2) == 2)
    let numbered = NumberedController(
      fetchRequest: controller.fetchRequest, managedObjectContext: quakes.context, sectionNameKeyPath: "place",
      cacheName: nil)
    try numbered.performFetch()
    #expect(numbered.sections?.map(\.indexTitle) == ["6", "5", "4", "6"])
    #expect(numbered.sectionIndexTitles == ["6", "5", "4"])
  }

  @Test func `an index path has a section and an item`() {
    var path = IndexPath(item: 3, section: 1)
    #expect(path == IndexPath(row: 3, section: 1) && path == [1, 3])
    (path.section, path.row) = (4, 5)
    #expect(path == [4, 5] && path.item == 5)
  }

  @Test func `misuse stops the program with the documented message`() async {
    let unsorted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = AnyController(
        fetchRequest: NSFetchRequest(entityName: "Quake"),
        managedObjectContext: NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType),
        sectionNameKeyPath: nil, cacheName: nil)
    }
    #expect(
      unsorted.errorText.contains("An instance of NSFetchedResultsController requires a fetch request with sort descri")
    )
    let outside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      let controller = try FetchedQuakes(.memory, "Chile a 1").controller()
      try controller.performFetch()
      _ = controller.object(at: [0, 1])
    }
    #expect(outside.errorText.contains("no object at index 1 in section at index 0"))
  }
}

private final class Titles: NSObject, NSFetchedResultsControllerDelegate {
  func controller(_ controller: AnyController, sectionIndexTitleForSectionName sectionName: String) -> String? {
    String(sectionName.prefix(2))
  }
}

private final class NumberedController: NSFetchedResultsController<NSManagedObject> {
  override func sectionIndexTitle(forSectionName sectionName: String) -> String? { "\(sectionName.count)" }
}

private final class WrappingController<Object: NSManagedObject>: NSFetchedResultsController<any NSFetchRequestResult> {
  init(_ request: NSFetchRequest<Object>, _ context: NSManagedObjectContext) {
    super.init(fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
  }

  var first: Object? { fetchedObjects?.first as? Object }
}
