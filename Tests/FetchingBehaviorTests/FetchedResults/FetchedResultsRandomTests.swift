import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Thousands of random changes: by the rules of a table view, the callbacks must turn the old contents into the new
/// ones, which must equal those of a new fetch.
@MainActor @Suite struct FetchedResultsRandomTests {
  @Test(arguments: Store.allCases, [true, false])
  func `reported changes turn the old contents into the new ones`(_ store: Store, isSectioned: Bool) throws {
    let rounds = Thoroughness.repetitions(50, all: 150)
    for seed in 1...UInt64(Thoroughness.repetitions(1, all: 4)) { try run(store, isSectioned, seed, rounds: rounds) }
  }

  private func run(_ store: Store, _ isSectioned: Bool, _ seed: UInt64, rounds: Int) throws {
    var quakes = try ChangingQuakes(store, isSectioned, seed)
    for round in 0..<rounds {
      try quakes.change()
      let fresh = quakes.controller(isSectioned)
      try fresh.performFetch()
      let context = "\(store) seed \(seed) round \(round): \(quakes.table.problems)"
      #expect(quakes.table.names == (fresh.sections ?? []).map(\.name), "\(context)")
      #expect(quakes.table.rows.map { $0.map(\.objectID) } == fresh.ids, "\(context)")
      #expect(quakes.shown.ids == fresh.ids, "\(context)")
      guard quakes.table.problems.isEmpty, quakes.shown.ids == fresh.ids else { return }
      quakes.table.reload(quakes.shown)
    }
    let kinds = Set(quakes.table.kinds.keys)
    #expect(kinds == [.insert, .delete, .move, .update] && quakes.table.batches > rounds / 2)
  }
}

extension NSFetchedResultsController<NSManagedObject> {
  /// The IDs of all objects by section.
  var ids: [[NSManagedObjectID]] {
    (sections ?? []).map { ($0.objects ?? []).compactMap { ($0 as? NSManagedObject)?.objectID } }
  }
}

/// A context whose quakes change at random, locally and in other contexts; and a controller with a table.
@MainActor
private struct ChangingQuakes {
  let container: NSPersistentContainer
  let shown: NSFetchedResultsController<NSManagedObject>
  let table = Table()
  var random: SeededRandom
  private var number = 0

  init(_ store: Store, _ isSectioned: Bool, _ seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    container = try store.container()
    shown = Self.controller(container.viewContext, isSectioned)
    shown.delegate = table
    for _ in 0..<30 { insert(container.viewContext) }
    try container.viewContext.save()
    try shown.performFetch()
    table.reload(shown)
  }

  func controller(_ isSectioned: Bool) -> NSFetchedResultsController<NSManagedObject> {
    Self.controller(container.viewContext, isSectioned)
  }

  private static func controller(
    _ context: NSManagedObjectContext, _ isSectioned: Bool
  ) -> NSFetchedResultsController<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    request.predicate = NSPredicate(format: "felt < 8")
    request.sortDescriptors =
      (isSectioned ? [NSSortDescriptor(key: "place", ascending: true)] : [])
      + [NSSortDescriptor(key: "magnitude", ascending: false)]
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: isSectioned ? "place" : nil,
      cacheName: nil)
  }

  /// Performs one round: local edits, or a save in another context that is merged; then perhaps a save or a rollback.
  mutating func change() throws {
    let context = container.viewContext
    let count = random.below(6) == 0 ? 40 : random.below(6)
    if random.below(3) == 0 {
      let other = container.newBackgroundContext()
      nonisolated(unsafe) var saved: Notification?
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: other, queue: nil
      ) { saved = $0 }
      defer { NotificationCenter.default.removeObserver(observer) }
      try other.performAndWait {
        try edit(other, count)
        try other.save()
      }
      if let saved { context.mergeChanges(fromContextDidSave: saved) }
    } else {
      try edit(context, count)
    }
    context.processPendingChanges()
    switch random.below(8) {
    case 0, 1, 2:
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
    case 3: context.rollback()
    default: break
    }
  }

  private mutating func edit(_ context: NSManagedObjectContext, _ count: Int) throws {
    let known = try context.fetch("Quake", sort: [NSSortDescriptor(key: "code", ascending: true)])
    for _ in 0..<count {
      let quake = known.isEmpty ? nil : known[random.below(known.count)]
      switch random.below(6) {
      case 0, 1: insert(context)
      case 2: if let quake, !quake.isDeleted, known.count > 10 { context.delete(quake) }
      case 3: quake?.setValue(place, forKey: "place")
      case 4: quake?.setValue(Double(random.below(5)), forKey: "magnitude")
      default: quake?.setValue(random.below(10), forKey: "felt")
      }
    }
  }

  private mutating func insert(_ context: NSManagedObjectContext) {
    number += 1
    let quake = context.insert("Quake", ["code": String(format: "%05d", number), "felt": random.below(9)])
    quake.setValue(place, forKey: "place")
    quake.setValue(Double(random.below(5)), forKey: "magnitude")
  }

  private var place: String? {
    mutating get { ["Alaska", "Chile", "Fiji", "Japan", "Peru", "Tonga", nil][random.below(7)] }
  }
}

extension SeededRandom {
  fileprivate mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}
