import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Several contexts on one coordinator: no saved edit is lost, and the contexts agree once they are idle.
@MainActor @Suite struct ConvergenceTests {
  /// Each context writes a different attribute, so that a value's writer is known.
  private static let attributes = ["felt", "magnitude", "place"]

  /// One context, the saves of others that it has not merged yet, and its unsaved edits.
  private final class Member {
    let context: NSManagedObjectContext
    let attribute: String
    var inbox: [Notification] = []
    var edits: [String: Int] = [:]
    var regions: [String: Int] = [:]
    var insertions: Set<String> = []
    var deletions: Set<String> = []
    /// Retained, so that merges affect faults, realized objects and changed objects.
    var held: [NSManagedObject] = []

    init(_ container: NSPersistentContainer, _ attribute: String) {
      context = container.newBackgroundContext()
      self.attribute = attribute
    }
  }

  /// A quake's expected state in the store.
  private struct Expected: Equatable {
    var values: [String: Int] = [:]
    var region: Int?
  }

  @Test(arguments: Store.allCases, [false, true])
  func `saved edits survive and contexts converge`(_ store: Store, byIDs: Bool) throws {
    let seed = SeededRandom.defaultSeed
    var random = SeededRandom(seed: seed)
    let container = try store.container()
    let setup = container.newBackgroundContext()
    try setup.performAndWait {
      for number in 0..<3 { _ = setup.insert("Region", ["name": "\(number)"]) }
      try setup.save()
    }
    let members = Self.attributes.map { Member(container, $0) }
    let name = byIDs ? NSNotification.Name.NSManagedObjectContextDidSaveObjectIDs : .NSManagedObjectContextDidSave
    nonisolated(unsafe) let listeners = members
    let observers = members.map { member in
      nonisolated(unsafe) let saver = member
      return NotificationCenter.default.addObserver(forName: name, object: member.context, queue: nil) { note in
        for other in listeners where other !== saver { other.inbox.append(note) }
      }
    }
    defer { observers.forEach(NotificationCenter.default.removeObserver) }
    var expected: [String: Expected] = [:]
    for round in 0..<400 {
      let member = members.randomElement(using: &random)!
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1: try save(member, &expected)
      case 2: merge(member, upTo: Int.random(in: 0...member.inbox.count, using: &random))
      case 3:
        member.held.shuffle(using: &random)
        member.context.performAndWait { member.held.removeLast(member.held.count / 2) }
      default: try edit(member, round, &random)
      }
    }
    for _ in 0..<2 { for member in members { try save(member, &expected) } }
    for member in members {
      merge(member, upTo: member.inbox.count)
      #expect(try snapshot(member.context) == expected, "\(member.attribute), seed \(seed)")
      member.context.performAndWait { #expect(!member.context.hasChanges, "seed \(seed)") }
    }
    #expect(try snapshot(container.newBackgroundContext()) == expected, "the store, seed \(seed)")
  }

  /// Merges the oldest notifications; edits of objects that others deleted are discarded.
  private func merge(_ member: Member, upTo count: Int) {
    let notes = member.inbox.prefix(count)
    member.inbox.removeFirst(count)
    member.context.performAndWait {
      for note in notes { member.context.mergeChanges(fromContextDidSave: note) }
    }
  }

  /// Merges what others saved and then saves, which must not fail.
  private func save(_ member: Member, _ expected: inout [String: Expected]) throws {
    merge(member, upTo: member.inbox.count)
    try member.context.performAndWait { try member.context.save() }
    for code in member.insertions { expected[code] = Expected() }
    for (code, value) in member.edits { expected[code]?.values[member.attribute] = value }
    for (code, region) in member.regions { expected[code]?.region = region }
    for code in member.deletions { expected[code] = nil }
    (member.insertions, member.edits, member.regions, member.deletions) = ([], [:], [:], [])
  }

  private func edit(_ member: Member, _ round: Int, _ random: inout SeededRandom) throws {
    let choice = Int.random(in: 0..<10, using: &random)
    let pick = random.next()
    let region = Int.random(in: 0..<3, using: &random)
    try member.context.performAndWait {
      let context = member.context
      if choice < 2 {
        let code = "\(member.attribute)\(round)"
        member.held.append(context.insert("Quake", ["code": code]))
        member.insertions.insert(code)
        return
      }
      let quakes = try context.fetch("Quake", sort: [NSSortDescriptor(key: "code", ascending: true)])
      guard !quakes.isEmpty else { return }
      let quake = quakes[Int(pick % UInt64(quakes.count))]
      // A row that another context deleted, which this one has not merged yet, reads as empty.
      guard let code = quake.value(forKey: "code") as? String, !quake.isDeleted else { return }
      switch choice {
      case 2:
        context.delete(quake)
        if !member.insertions.contains(code) { member.deletions.insert(code) }
        member.insertions.remove(code)
        (member.edits[code], member.regions[code]) = (nil, nil)
      case 3...4 where member.attribute == "felt":
        let regions = try context.fetch("Region", "name == %@", ["\(region)"])
        quake.setValue(regions.first, forKey: "region")
        member.regions[code] = region
        member.held.append(quake)
      case 5:
        // Reads both ends, so that merges affect realized relationships.
        for region in try context.fetch("Region") { _ = region.value(forKey: "quakes") }
      default:
        quake.setValue(member.attribute == "place" ? "\(round)" as Any : round, forKey: member.attribute)
        member.edits[code] = round
        member.held.append(quake)
      }
    }
  }

  private func snapshot(_ context: NSManagedObjectContext) throws -> [String: Expected] {
    try context.performAndWait {
      var found: [String: Expected] = [:]
      for quake in try context.fetch("Quake") {
        var state = Expected()
        for attribute in Self.attributes {
          let value = quake.value(forKey: attribute)
          state.values[attribute] = (value as? NSNumber)?.intValue ?? (value as? String).flatMap { Int($0) }
        }
        let region = quake.value(forKey: "region") as? NSManagedObject
        state.region = (region?.value(forKey: "name") as? String).flatMap { Int($0) }
        if let region { #expect((region.value(forKey: "quakes") as? Set<NSManagedObject>)?.contains(quake) == true) }
        found[quake.value(forKey: "code") as? String ?? "?"] = state
      }
      for region in try context.fetch("Region") {
        for quake in region.value(forKey: "quakes") as? Set<NSManagedObject> ?? [] {
          #expect(quake.value(forKey: "region") as? NSManagedObject === region)
        }
      }
      return found
    }
  }

  /// All contexts increment counters and merge automatically: every saved increment counts.
  @Test(arguments: Store.allCases, [false, true])
  func `the increments of all contexts add up`(_ store: Store, history: Bool) async throws {
    let container = try store.container(history: history)
    let ids = try await container.performBackgroundTask { context in
      let quakes = (0..<3).map { context.insert("Quake", ["code": "\($0)", "felt": 0]) }
      try context.save()
      return quakes.map(\.objectID)
    }
    let contexts = (0..<3).map { _ in container.newBackgroundContext() }
    for context in contexts { context.automaticallyMergesChangesFromParent = true }
    await withTaskGroup(of: Void.self) { group in
      for (offset, context) in contexts.enumerated() {
        group.addTask {
          for round in 0..<30 {
            await context.perform { [unowned context] in
              context.count(up: ids[(offset + round) % ids.count])
            }
          }
        }
      }
    }
    for context in contexts {
      try await eventually {
        try await context.perform { [unowned context] in
          try ids.map { try context.existingObject(with: $0).value(forKey: "felt") as? Int ?? 0 }.reduce(0, +) == 90
        }
      }
      await context.perform { [unowned context] in #expect(!context.hasChanges) }
    }
  }
}

extension NSManagedObjectContext {
  /// Increments a quake's count and saves; retries with fresh values if another context saved first.
  fileprivate func count(up id: NSManagedObjectID) {
    for _ in 0..<1_000 {
      do {
        let quake = try existingObject(with: id)
        quake.setValue((quake.value(forKey: "felt") as? Int ?? 0) + 1, forKey: "felt")
        return try save()
      } catch let error as CocoaError where error.code.rawValue == NSManagedObjectMergeError {
        rollback()
        refreshAllObjects()
      } catch {
        Issue.record(error)
        return
      }
    }
    Issue.record("A count could not be saved in a thousand attempts.")
  }
}
