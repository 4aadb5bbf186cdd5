import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Random changes in random batches.
@MainActor @Suite struct UndoRandomTests {
  @Test(arguments: Store.every)
  func `random changes can be undone and redone`(_ store: Store) throws {
    let seed = SeededRandom.defaultSeed
    var random = SeededRandom(seed: seed)
    let context = try store.undoable()
    let manager = try #require(context.undoManager)
    for number in 0..<6 {
      _ = context.insert("Quake", ["code": "q\(number)"])
      _ = context.insert("Region", ["name": "r\(number)"])
      _ = context.insert("Tag", ["name": "t\(number)"])
    }
    try context.save()
    manager.removeAllActions()
    var snapshots = [try snapshot(context)]
    for round in 0..<40 {
      let before = manager.undoCount
      manager.beginUndoGrouping()
      for _ in 0..<Int.random(in: 1...4, using: &random) { try change(context, round, &random) }
      manager.endUndoGrouping()
      if manager.undoCount > before { snapshots.append(try snapshot(context)) }
      if Int.random(in: 0..<6, using: &random) == 0 { try context.save() }
    }
    for index in (0..<snapshots.count - 1).reversed() {
      context.undo()
      #expect(try snapshot(context) == snapshots[index], "undo to \(index), seed \(seed)")
    }
    for index in 1..<snapshots.count {
      context.redo()
      #expect(try snapshot(context) == snapshots[index], "redo to \(index), seed \(seed)")
      if index % 7 == 0 { try context.save() }
    }
    try context.save()
    context.reset()
    #expect(try snapshot(context) == snapshots.last, "saved, seed \(seed)")
  }

  private func change(_ context: NSManagedObjectContext, _ round: Int, _ random: inout SeededRandom) throws {
    func any(_ entity: String) throws -> NSManagedObject? {
      let key = entity == "Quake" ? "code" : "name"
      return try context.fetch(entity, sort: [NSSortDescriptor(key: key, ascending: true)]).randomElement(
        using: &random)
    }
    switch Int.random(in: 0..<9, using: &random) {
    case 0: _ = context.insert("Quake", ["code": "n\(random.next())"])
    case 1: _ = context.insert("Region", ["name": "n\(random.next())"])
    case 2: if Bool.random(using: &random) { try any("Region").map(context.delete) }
    case 3: try any("Quake").map(context.delete)
    case 4: try any("Tag").map { if Int.random(in: 0..<4, using: &random) == 0 { context.delete($0) } }
    case 5: try any("Quake")?.setValue(try any("Region"), forKey: "region")
    case 6:
      let tags = [try any("Tag"), try any("Tag")].compactMap { $0 }
      try any("Quake")?.setValue(NSSet(array: tags), forKey: "tags")
    case 7: try any("Quake")?.setValue("\(round)", forKey: "place")
    default: try any("Tag")?.setValue(NSSet(array: [try any("Quake")].compactMap { $0 }), forKey: "quakes")
    }
  }

  /// All objects with their values and relationships, by name.
  private func snapshot(_ context: NSManagedObjectContext) throws -> Set<String> {
    func name(_ object: NSManagedObject?) -> String {
      object.flatMap { $0.value(forKey: $0.entity.name == "Quake" ? "code" : "name") as? String } ?? "-"
    }
    func names(_ object: NSManagedObject, _ key: String) -> String {
      object.members(key).map(name).sorted().joined(separator: ",")
    }
    var lines: Set<String> = []
    for quake in try context.fetch("Quake") {
      let region = name(quake.value(forKey: "region") as? NSManagedObject)
      lines.insert("\(name(quake)) \(quake.value(forKey: "place") ?? "-") \(region) \(names(quake, "tags"))")
    }
    for region in try context.fetch("Region") { lines.insert("\(name(region)): \(names(region, "quakes"))") }
    for tag in try context.fetch("Tag") { lines.insert("\(name(tag)): \(names(tag, "quakes"))") }
    return lines
  }
}
