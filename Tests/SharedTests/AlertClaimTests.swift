import CoreData
import Foundation
import StrataQuakes
import Testing

/// Claims of several processes for the same alert.
@Suite struct AlertClaimTests {
  /// A store with one rule and one earthquake, opened the way each process opens it.
  private final class AlertStore {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("strata-claim-\(UUID().uuidString)")
    var location: StoreLocation { StoreLocation(folder: folder, isChosen: true) }

    init() throws {
      let context = try open().newBackgroundContext()
      try context.performAndWait {
        let rule = AlertRule(context: context)
        (rule.name, rule.created) = ("big", Date(timeIntervalSinceNow: -600))
        let quake = Quake(context: context)
        (quake.identifier, quake.time, quake.magnitude) = ("us1", Date(timeIntervalSinceNow: -60), 6.1)
        try context.save()
      }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func open() throws -> QuakesContainer {
      let container = try QuakesContainer.open(location, for: .writing)
      try container.addPersonal(location, for: .writing)
      return container
    }
  }

  /// Claims the alerts that are due.
  ///
  /// - Parameter beforeCommit: The work between the decision and the commit.
  /// - Returns: The number of alerts that were due.
  private func claim(
    in context: NSManagedObjectContext, beforeCommit: () throws -> Void = {}
  ) throws -> Int {
    try context.performAndWait {
      let rule = try #require(try context.fetch(AlertRule.named("big")).first)
      let due = try rule.due(at: Date(), in: context)
      for due in due { _ = due.claim(for: rule, at: Date(), in: context) }
      try beforeCommit()
      try context.save()
      return due.count
    }
  }

  @Test func `the second of two concurrent claims is a conflict`() throws {
    let store = try AlertStore()
    let (first, second) = (try store.open(), try store.open())
    let error = #expect(throws: CocoaError.self) {
      _ = try claim(in: first.newBackgroundContext()) {
        let count = try claim(in: second.newBackgroundContext())
        #expect(count == 1)
      }
    }
    #expect([.managedObjectMerge, .managedObjectConstraintMerge].contains(error?.code))
    #expect(try claim(in: first.newBackgroundContext()) == 0)
  }

  @Test func `concurrent claims under different IDs are a conflict`() throws {
    let store = try AlertStore()
    let (first, second) = (try store.open(), try store.open())
    let error = #expect(throws: CocoaError.self) {
      _ = try claim(in: first.newBackgroundContext()) {
        let context = second.newBackgroundContext()
        try context.performAndWait {
          let quake = try #require(try Quake.find("us1", in: context))
          quake.identifier = "at2"
          let alias = Alias(context: context)
          (alias.identifier, alias.quake) = ("us1", quake)
          try context.save()
        }
        let count = try claim(in: second.newBackgroundContext())
        #expect(count == 1)
      }
    }
    #expect(error?.code == .managedObjectMerge)
    #expect(try claim(in: first.newBackgroundContext()) == 0)
  }

  @Test func `the second of two concurrent claims of a rise in magnitude is a conflict`() throws {
    let store = try AlertStore()
    let (first, second) = (try store.open(), try store.open())
    #expect(try claim(in: first.newBackgroundContext()) == 1)
    let context = first.newBackgroundContext()
    try context.performAndWait {
      try #require(try context.fetch(AlertRule.named("big")).first).magnitudeStep = 0.5
      try #require(try Quake.find("us1", in: context)).magnitude = 6.7
      try context.save()
    }
    let error = #expect(throws: CocoaError.self) {
      _ = try claim(in: first.newBackgroundContext()) {
        let count = try claim(in: second.newBackgroundContext())
        #expect(count == 1)
      }
    }
    #expect(error?.code == .managedObjectMerge)
    #expect(try claim(in: first.newBackgroundContext()) == 0)
  }

  @Test func `an earthquake with two IDs alerts once`() throws {
    let store = try AlertStore()
    let container = try store.open()
    #expect(try claim(in: container.newBackgroundContext()) == 1)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      // The first was stored by an import that did not see "us1". The second is a joined report.
      for (identifier, standing) in [("at2", Standing.live), ("em3", .joined)] {
        let quake = Quake(context: context)
        (quake.identifier, quake.time, quake.magnitude) = (identifier, Date(timeIntervalSinceNow: -60), 6.4)
        quake.standing = standing.rawValue
        let alias = Alias(context: context)
        (alias.identifier, alias.quake) = ("us1", quake)
      }
      try context.save()
    }
    #expect(try claim(in: container.newBackgroundContext()) == 0)
  }
}
