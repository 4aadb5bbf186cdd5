import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Models with composite attributes: copying, storing and versioning.
@Suite struct CompositeModelTests {
  private func model(
    _ composites: [NSCompositeAttributeDescription], _ others: [NSPropertyDescription] = []
  ) -> NSManagedObjectModel {
    makeModel([makeEntity("Jolt", [attribute("name")] + others + composites)])
  }

  private func size(
    _ elements: [NSAttributeDescription], _ name: String = "size", was: String? = nil
  ) -> NSCompositeAttributeDescription {
    compositeAttribute(name, elements, was: was)
  }

  private func real(_ name: String, was: String? = nil) -> NSAttributeDescription {
    attribute(name, .double, was: was)
  }

  private func values(_ context: NSManagedObjectContext, _ key: String = "size") throws -> [NSDictionary?] {
    try context.all("Jolt").map { $0.value(forKey: key) as? NSDictionary }
  }

  @Test func `a migration adds, removes and renames elements`() throws {
    let store = try MigratedStore(history: true)
    try store.open(model([size([real("richter"), real("gone"), attribute("kind")])])) {
      $0.make("Jolt", ["name": "a", "size": ["richter": 4.0, "gone": 1.0, "kind": "mw"]])
      $0.make("Jolt", ["name": "b"])
    }
    let new = model([
      size([
        real("moment", was: "richter"), attribute("kind"),
        attribute("rank", .integer32, optional: false, default: 7), size([real("by")], "felt"),
      ])
    ])
    try store.open(new) { context in
      try #expect(values(context) == [["moment": 4.0, "kind": "mw", "rank": 7], ["rank": 7]])
      try context.all("Jolt")[0].setValue(2.0, forKeyPath: "size.felt.by")
    }
    try store.open(new) { try #expect(values($0)[0]?["felt"] as? NSDictionary == ["by": 2.0]) }
  }

  @Test func `a migration adds, removes and renames composite attributes`() throws {
    let store = try MigratedStore()
    try store.open(model([size([real("value")]), size([real("value"), real("other")], "gone")])) {
      $0.make("Jolt", ["name": "a", "size": ["value": 4.0], "gone": ["value": 5.0, "other": 6.0]])
    }
    // The elements get other column numbers.
    let new = model([
      size([real("value")], "magnitude", was: "size"), size([real("value")], "area"), size([real("value")], "zone"),
    ])
    try store.open(new) { context in
      try #expect(values(context, "magnitude") == [["value": 4.0]])
      try #expect(values(context, "area") == [nil])
      try #expect(values(context, "zone") == [nil])
      try context.all("Jolt")[0].setValue(["value": 8.0], forKey: "area")
    }
    try store.open(model([size([real("value")], "area")])) { try #expect(values($0, "area") == [["value": 8.0]]) }
  }

  @Test func `mapping inference rejects incompatible elements`() throws {
    let store = try MigratedStore()
    let old = model([size([real("richter")])])
    try store.open(old) { $0.make("Jolt", ["name": "a", "size": ["richter": 4.0]]) }
    let refused = [
      ("size.kind", model([size([real("richter"), attribute("kind", optional: false)])])),
      ("size.richter", model([size([attribute("richter")])])), ("size", model([], [real("size")])),
      ("must", model([size([real("richter")]), compositeAttribute("must", [real("a")], optional: false)])),
    ]
    for (property, new) in refused {
      let error = #expect(throws: CocoaError.self) {
        try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
      }
      #expect(error?.code == .inferredMappingModel && error?.userInfo["property"] as? String == property)
      #expect(throws: CocoaError.self) { try store.open(new) { _ in } }
    }
    try store.open(old) { try #expect(values($0) == [["richter": 4.0]]) }
  }

  @Test func `a mapping model migrates elements`() throws {
    let url = try TemporaryFolder.make().appendingPathComponent("Old.sqlite")
    let old = model([size([real("richter"), attribute("kind"), real("gone")])])
    let new = model([size([real("moment", was: "richter"), attribute("kind")])])
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: old)
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    let context = coordinator.context(.privateQueueConcurrencyType)
    try context.performAndWait {
      context.make("Jolt", ["name": "a", "size": ["richter": 4.0, "kind": "mw", "gone": 1.0]])
      try context.save()
    }
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
    let names = mapping.entityMappings.flatMap { $0.attributeMappings ?? [] }.compactMap(\.name)
    #expect(names == ["name", "size.kind", "size.moment"])
    let target = url.deletingLastPathComponent().appendingPathComponent("New.sqlite")
    try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
      from: url, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
    let after = NSPersistentStoreCoordinator(managedObjectModel: new)
    try after.addPersistentStore(type: .sqlite, at: target)
    let reader = after.context(.privateQueueConcurrencyType)
    try reader.performAndWait { try #expect(values(reader) == [["moment": 4.0, "kind": "mw"]]) }
  }

  @Test func `copies and files keep elements and references to them`() throws {
    let richter = real("richter")
    let old = model([size([richter, size([real("by")], "felt")])])
    let entity = try #require(old.entitiesByName["Jolt"])
    entity.indexes = [
      NSFetchIndexDescription(
        name: "bySize", elements: [NSFetchIndexElementDescription(property: richter, collationType: .binary)])
    ]
    entity.uniquenessConstraints = [["size.felt.by"]]
    let copy = try #require(old.copy() as? NSManagedObjectModel)
    let copied = try #require(copy.entitiesByName["Jolt"])
    let size = try #require(copied.attributesByName["size"] as? NSCompositeAttributeDescription)
    #expect(size.elements.map(\.name) == ["richter", "felt"] && size.elements[0] !== richter)
    #expect(copied.indexes[0].elements[0].property === size.elements[0])
    #expect(copied.versionHash == entity.versionHash)

    // A store contains its model: it can be opened and migrated without another source.
    let store = try MigratedStore()
    try store.open(copy) { $0.make("Jolt", ["name": "a", "size": ["richter": 4.0, "felt": ["by": 3.0]]]) }
    try store.open(model([self.size([real("richter")])])) { try #expect(values($0) == [["richter": 4.0]]) }
  }

  @Test func `a store can be copied to a store of another type`() throws {
    let folder = try TemporaryFolder.make()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model([size([real("richter")])]))
    let memory = try coordinator.addPersistentStore(type: .inMemory, at: folder.appendingPathComponent("m"))
    let context = coordinator.context(.privateQueueConcurrencyType)
    try context.performAndWait {
      context.make("Jolt", ["name": "a", "size": ["richter": 4.0]])
      try context.save()
    }
    _ = try coordinator.migratePersistentStore(
      memory, to: folder.appendingPathComponent("Jolts.sqlite"), type: .sqlite)
    try context.performAndWait {
      context.reset()
      try #expect(values(context) == [["richter": 4.0]])
    }
  }
}
