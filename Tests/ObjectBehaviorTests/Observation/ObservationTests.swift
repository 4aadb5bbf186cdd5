import CoreData
import Foundation
import Observation
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// `withObservationTracking` and computed properties of managed objects.
@MainActor @Suite struct ObservationTests {
  private final class Counter: Sendable {
    private let count = Mutex(0)
    func add() { count.withLock { $0 += 1 } }
    func take() -> Int {
      count.withLock { count in
        defer { count = 0 }
        return count
      }
    }
  }

  /// Returns how often `change` notifies the tracking scope of `read`.
  private func notificationCount(reading read: () -> Void, after change: () throws -> Void) rethrows -> Int {
    let counter = Counter()
    withObservationTracking(read) { counter.add() }
    try change()
    return counter.take()
  }

  @Test(arguments: Store.allCases)
  func `a tracking scope is notified only of what it read`(_ store: Store) throws {
    let context = try store.container(of: Cards.model).viewContext
    let (card, deck) = context.deal()
    try context.save()
    #expect(
      notificationCount {
        _ = card.title
      } after: {
        card.title = "two"
      } == 1)
    #expect(
      notificationCount {
        _ = card.title
      } after: {
        card.setValue("king", forKey: "title")
      } == 1)
    #expect(
      notificationCount {
        _ = card.title
      } after: {
        card.rank = 2
      } == 0)
    #expect(
      notificationCount {
        _ = card.initial
      } after: {
        card.title = "queen"
      } == 1)
    #expect(
      notificationCount {
        _ = card.deck
      } after: {
        card.deck = nil
      } == 1)
    #expect(
      notificationCount {
        _ = deck.cards
      } after: {
        card.deck = deck
      } == 1)
    #expect(
      notificationCount {
        _ = card.deck?.name
      } after: {
        deck.name = "old"
      } == 1)
    #expect(
      try notificationCount {
        _ = card.title
      } after: {
        try context.save()
      } == 0)
    #expect(
      notificationCount {
        _ = deck.cards
      } after: {
        context.delete(card)
        context.processPendingChanges()
      } == 1)
  }

  @Test(arguments: Store.allCases)
  func `a tracking scope is notified of merged changes`(_ store: Store) async throws {
    let container = try store.container(of: Cards.model)
    let context = container.viewContext
    context.automaticallyMergesChangesFromParent = true
    let (card, _) = context.deal()
    try context.save()
    let counter = Counter()
    withObservationTracking {
      _ = card.title
    } onChange: {
      counter.add()
    }
    try await container.performBackgroundTask { [id = card.objectID] context in
      (try context.existingObject(with: id) as? Card)?.title = "two"
      try context.save()
    }
    var times = 0
    try await eventually {
      times += counter.take()
      return times > 0
    }
    #expect(times == 1 && card.title == "two")
  }

  @Test func `tracked objects can be released`() throws {
    let context = try Store.memory.container(of: Cards.model).viewContext
    weak var card: Card?
    try context.performAndWait {
      let new = context.deal().card
      withObservationTracking {
        _ = new.label
      } onChange: {
      }
      try context.save()
      card = new
    }
    #expect(card == nil)
  }

  // MARK: Key-value observing of computed properties

  @Test func `observers of a computed property are notified of its sources`() throws {
    let context = try Store.memory.container(of: Cards.model).viewContext
    let (card, deck) = context.deal()
    var lines: [String] = []
    let observations = [
      card.observe(\.initial, options: [.old, .new]) { _, change in
        lines.append("\(change.oldValue ?? "-")>\(change.newValue ?? "-")")
      },
      card.observe(\.shelfMark, options: [.new]) { _, change in lines.append(change.newValue ?? "-") },
    ]
    card.title = "two"
    #expect(lines == ["a>t"])
    card.rank = 2
    #expect(lines.last == "new/2" && lines.count == 2)
    deck.name = "old"
    #expect(lines.last == "old/2" && lines.count == 3)
    card.deck = nil
    #expect(lines.last == "-/2" && lines.count == 4)
    deck.name = "unheard"
    #expect(lines.count == 4)
    card.willChangeValue(for: \.initial)
    card.didChangeValue(for: \.initial)
    #expect(lines.last == "t>t")
    withExtendedLifetime(observations) {}
  }

  @Test func `willChangeValue for a computed property does not call its getter`() throws {
    let fossil = Fossil(context: try Fossil.context(.memory))
    fossil.title = "Trilobite"
    fossil.willChangeValue(for: \.initial)
    fossil.didChangeValue(for: \.initial)
    #expect(fossil.initial == "T")
  }

  private final class RecordingObserver: NSObject, NSKeyValueObserving {
    var received: [String?] = []
    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      received.append(change?[.newKey] as? String)
    }
  }

  // MARK: Computed and stored properties as keys

  @Test func `a stored property of a managed class is a key`() throws {
    let fossil = Fossil(context: try Fossil.context(.memory))
    #expect(fossil.value(forKey: "weight") as? Double == 2.5)
    fossil.setValue(3, forKey: "weight")
    #expect(fossil.weight == 3 && NSPredicate(format: "weight == 3").evaluate(with: fossil))
  }

  @Test func `computed properties can be used as keys`() throws {
    let context = try Store.memory.container(of: Cards.model).viewContext
    let (card, deck) = context.deal()
    #expect(card.value(forKey: "initial") as? String == "a")
    #expect(card.value(forKey: "isHigh") as? Bool == false && card.value(forKey: "isHigh") is NSNumber)
    #expect(card.value(forKey: "half") as? Double == 0.5 && card.value(forKey: "half") is NSNumber)
    card.setValue(4, forKey: "half")
    #expect(card.rank == 8)
    card.setValue(nil, forKey: "half")
    #expect(card.rank == 0 && card.value(forKey: "half") == nil)
    #expect((deck.value(forKeyPath: "cards.initial") as? NSSet)?.allObjects as? [String] == ["a"])
    #expect((\Card.initial)._kvcKeyPathString == "initial")
    #expect(NSPredicate(format: "initial == 'a' AND half == nil").evaluate(with: card))
    let other = context.deal().card
    other.title = "King"
    let sorted = ([card, other] as NSArray).sortedArray(using: [NSSortDescriptor(key: "initial", ascending: true)])
    #expect(sorted as? [Card] == [other, card])
  }

  @Test(arguments: Store.allCases)
  func `a computed property can name sections`(_ store: Store) throws {
    let context = try store.container(of: Cards.model).viewContext
    for title in ["ace", "ten", "two"] { context.deal().card.title = title }
    try context.save()
    let request = NSFetchRequest<Card>(entityName: "Card")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "initial", cacheName: nil)
    try controller.performFetch()
    #expect(controller.sections?.map(\.name) == ["a", "t"])
    #expect(controller.sections?.map(\.numberOfObjects) == [1, 2])
  }

  @Test func `a class declares the keys that a key depends on`() throws {
    let context = try Store.memory.container(of: Cards.model).viewContext
    let card = context.deal().card
    let observer = RecordingObserver()
    card.addObserver(observer, forKeyPath: "label", options: .new)
    card.rank = 3
    card.title = "three"
    card.deck = nil
    #expect(observer.received == ["ace (3)", "three (3)"])
    card.removeObserver(observer, forKeyPath: "label")
  }
}
