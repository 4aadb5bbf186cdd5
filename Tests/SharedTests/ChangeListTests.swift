import CoreData
import Foundation
import Testing

@testable import StrataQuakes

/// Lists of changes that are read in several parts.
final class ChangeListTests {
  private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("changes-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A context of a store with 700 earthquakes, learned one after another and changed once, later and in the opposite
  /// order.
  private lazy var context = Result { try makeContext() }

  private func makeContext() throws -> NSManagedObjectContext {
    let container = try QuakesContainer.open(StoreLocation(folder: folder, isChosen: true), for: .writing)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for number in 0..<700 {
        let (quake, revision) = (Quake(context: context), Revision(context: context))
        (quake.identifier, quake.magnitude) = ("us\(number)", 5)
        (quake.latitude, quake.longitude, quake.time) = (1, 1, Self.start)
        quake.learnt = Self.start.addingTimeInterval(Double(2000 - number))
        quake.said = Self.start.addingTimeInterval(Double(-number))
        revision.changes = QuakeState.text(of: [.magnitude: .number(4)])
        revision.learnt = Self.start.addingTimeInterval(Double(number))
        revision.said = Self.start.addingTimeInterval(Double(-1000 - number))
        revision.quake = quake
      }
      try context.save()
    }
    return context
  }

  private func changes(
    since time: Date = start, isSaid: Bool = false, minimum: Double? = nil, limit: Int = 0
  ) throws -> [String] {
    let context = try context.get()
    return try context.performAndWait {
      let filter = QuakeFilter(minimumMagnitude: minimum)
      let list = try ChangeList(since: time, isSaid: isSaid, filter: filter, limit: limit, in: context)
      var found: [String] = []
      try list.forEachPart(in: context) { part in
        #expect(context.registeredObjects.isEmpty, "objects of earlier parts stay in memory")
        found += part.map { "\($0.kind) \($0.identifier)" }
        return true
      }
      #expect(list.count == found.count)
      return found
    }
  }

  private static let new = (0..<700).map { "new us\($0)" }
  private static let silent = (0..<700).reversed().map { "silent us\($0)" }

  @Test func `changes of many earthquakes are listed in order`() throws {
    #expect(try changes() == Self.new + Self.silent)
  }

  @Test func `a limit keeps the latest changes`() throws {
    #expect(try changes(limit: 701) == ["new us699"] + Self.silent)
    #expect(try changes(limit: 3) == ["silent us2", "silent us1", "silent us0"])
  }

  @Test func `only changes since the given time are listed`() throws {
    #expect(try changes(since: Self.start.addingTimeInterval(1999)) == ["silent us1", "silent us0"])
    #expect(try changes(since: Self.start.addingTimeInterval(2001)).isEmpty)
  }

  @Test func `changes can be listed in the order of their statements`() throws {
    #expect(try changes(since: .distantPast, isSaid: true) == Self.new.reversed() + Self.silent)
  }

  @Test func `a filter matches the state before or after a change`() throws {
    #expect(try changes(minimum: 4.5) == Self.silent)
  }

  @Test func `iteration stops when the body returns false`() throws {
    let context = try context.get()
    try context.performAndWait {
      let list = try ChangeList(since: Self.start, filter: QuakeFilter(), in: context)
      var parts = 0
      try list.forEachPart(in: context) { _ in
        parts += 1
        return false
      }
      #expect(parts == 1)
    }
  }
}
