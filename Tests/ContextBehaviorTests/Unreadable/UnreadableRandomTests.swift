import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Random edits while reads fail at random. No edit is applied partially, and no save succeeds before the context recovers.
@MainActor @Suite struct UnreadableRandomTests {
  @Test(arguments: (1...8).sampled(every: 4, from: 2))
  func `random edits with failing reads keep both ends consistent`(seed: UInt64) throws {
    var run = try Run(seed)
    for _ in 0..<40 { try run.step() }
    try run.recoverAndSave()
  }

  @MainActor private struct Run {
    private var random: SeededRandom
    private let library: UnreachableLibrary
    private let context: NSManagedObjectContext
    private let failures: FaultFailures
    private var reported = 0
    private var saved: [String]
    private var log: [String] = []

    private static let names = ["Person", "Passport", "Book", "Page", "Tag", "List", "Folder", "File"]

    init(_ seed: UInt64) throws {
      random = SeededRandom(seed: seed)
      library = try UnreachableLibrary()
      for entity in Self.names { _ = library.context.make(entity, "1", "2", "3", "4") }
      try library.context.save()
      context = library.reader()
      if seed % 3 == 0 { context.undoManager = UndoManager() }
      failures = FaultFailures(of: context)
      saved = try library.stored()
    }

    private var hasFailed: Bool { failures.all.count > reported }

    private mutating func pick<T>(_ list: [T]) -> T? { list.randomElement(using: &random) }

    /// Returns a random registered object, mostly a fault.
    private mutating func object(_ entity: String) throws -> NSManagedObject? {
      let known = context.registeredObjects.filter { $0.entity.name == entity && !$0.isDeleted }
      return pick(known.sorted { $0.objectID.uriRepresentation().path < $1.objectID.uriRepresentation().path })
    }

    mutating func step() throws {
      if context.registeredObjects.isEmpty { try registerAll() }
      let share = Int.random(in: 0..<4, using: &random)
      nonisolated(unsafe) var readRandom = SeededRandom(seed: random.next())
      library.failRandomly { Int.random(in: 0..<4, using: &readRandom) < share }
      for _ in 0..<Int.random(in: 1...3, using: &random) { try edit() }
      if Int.random(in: 0..<4, using: &random) == 0 { context.processPendingChanges() }
      library.reconnect()
      guard hasFailed else {
        try context.save()
        return try check()
      }
      #expect(throws: CocoaError.self, "\(log)") { try context.save() }
      #expect(try library.stored() == saved, "\(log)")
      try recoverAndSave()
    }

    /// Registers all objects as faults.
    private func registerAll() throws {
      context.retainsRegisteredObjects = true
      for entity in Self.names { _ = try context.fetch(entity) }
      context.refreshAllObjects()
    }

    mutating func recoverAndSave() throws {
      library.reconnect()
      if hasFailed, Int.random(in: 0..<3, using: &random) == 0 {
        log.append("rollback")
        context.rollback()
      } else {
        log.append("refreshAllObjects")
        context.refreshAllObjects()
      }
      reported = failures.all.count
      try context.save()
      try check()
    }

    /// Checks that the context and the store have the same objects, and that both ends of each relationship agree.
    private mutating func check() throws {
      saved = try library.stored()
      context.refreshAllObjects()
      #expect(try library.graph(in: context) == saved, "\(log)")
      let reader = library.reader()
      for entity in Self.names {
        for object in try reader.fetch(entity) { expectBothEnds(of: object) }
      }
      log = []
      // Turns the objects into faults for the next edits.
      context.refreshAllObjects()
    }

    private func expectBothEnds(of object: NSManagedObject) {
      for (key, relationship) in object.entity.relationshipsByName {
        guard let inverse = relationship.inverseRelationship else { continue }
        for other in ends(of: object, key, relationship) {
          #expect(ends(of: other, inverse.name, inverse).contains(object), "\(object.entity.name ?? "").\(key): \(log)")
        }
      }
    }

    private func ends(
      of object: NSManagedObject, _ key: String, _ relationship: NSRelationshipDescription
    ) -> [NSManagedObject] {
      guard relationship.isToMany else { return object.one(key).map { [$0] } ?? [] }
      return (relationship.isOrdered ? object.mutableOrderedSetValue(forKey: key).array : object.set(key).map { $0 })
        .compactMap { $0 as? NSManagedObject }
    }

    // MARK: Edits

    private mutating func edit() throws {
      guard let entity = pick(Self.names), let object = try object(entity) else { return }
      let keys = object.entity.relationshipsByName.filter { $0.value.inverseRelationship != nil }.keys.sorted()
      let choice = Int.random(in: 0..<12, using: &random)
      log.append("\(choice) \(entity)/\(object.objectID.uriRepresentation().lastPathComponent)")
      switch choice {
      case 0: object.setValue("n\(Int.random(in: 0..<9, using: &random))", forKey: "name")
      case 1: _ = context.insert(entity, ["name": "new"])
      case 2: if Int.random(in: 0..<3, using: &random) == 0 { context.delete(object) }
      case 3: context.refresh(object, mergeChanges: object.hasChanges)
      case 4: context.undo()
      default:
        guard let key = pick(keys), let relationship = object.entity.relationshipsByName[key] else { return }
        try relate(object, key, relationship, choice)
      }
    }

    private mutating func relate(
      _ object: NSManagedObject, _ key: String, _ relationship: NSRelationshipDescription, _ choice: Int
    ) throws {
      let destination = relationship.destinationEntity?.name ?? ""
      guard let other = try self.object(destination) else { return }
      log[log.count - 1] += " \(key) \(other.objectID.uriRepresentation().lastPathComponent)"
      guard relationship.isToMany else { return object.setValue(choice < 7 ? nil : other, forKey: key) }
      let more = try self.object(destination)
      if relationship.isOrdered {
        let members = object.mutableOrderedSetValue(forKey: key)
        switch choice {
        case 5, 6: members.add(other)
        case 7: members.remove(other)
        case 8: object.setValue(NSOrderedSet(array: [other] + (more.map { [$0] } ?? [])), forKey: key)
        case 9: if members.count > 1 { members.exchangeObject(at: 0, withObjectAt: 1) }
        default: members.insert(other, at: 0)
        }
      } else {
        let members = object.mutableSetValue(forKey: key)
        switch choice {
        case 5, 6, 10: members.add(other)
        case 7: members.remove(other)
        case 8: object.setValue(NSSet(array: [other] + (more.map { [$0] } ?? [])), forKey: key)
        default: object.setValue(NSSet(), forKey: key)
        }
      }
    }
  }
}
