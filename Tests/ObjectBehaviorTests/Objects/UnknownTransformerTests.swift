import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Transforms a string to its bytes in reverse order.
private final class BackwardTransformer: ValueTransformer {
  override class func allowsReverseTransformation() -> Bool { true }
  override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { Data($0.utf8.reversed()) } }
  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { String(decoding: $0.reversed(), as: UTF8.self) }
  }
}

/// Transformable attributes whose transformer is not registered. As in Apple's framework, a warning is logged and the
/// default transformer is used.
@MainActor @Suite struct UnknownTransformerTests {
  private static func model(
    _ transformer: String?, optional: Bool = true, isNew: Bool = false
  ) -> NSManagedObjectModel {
    ValueTransformer.setValueTransformer(BackwardTransformer(), forName: NSValueTransformerName("Backward"))
    let secret = attribute("secret", .transformable, optional: optional)
    secret.valueTransformerName = transformer
    secret.preservesValueInHistoryOnDeletion = true
    return makeModel([
      makeEntity("Thing", [attribute("name"), secret] + (isNew ? [attribute("note")] : []))
    ])
  }

  private static let known = model("Backward")
  private static let unknown = model("Nowhere")

  /// Returns a store whose secret only the transformer of `known` can read.
  private func filled(history: Bool = false) throws -> MigratedStore {
    let store = try MigratedStore(history: history)
    try store.open(Self.known) { $0.make("Thing", ["name": "a", "secret": "open"]) }
    return store
  }

  private func secrets(_ store: MigratedStore) throws -> [String?] {
    try store.open(Self.known) { try $0.all("Thing").map { $0.value(forKey: "secret") as? String } }
  }

  // MARK: The default transformer

  @Test(
    arguments: [
      "Nowhere", "", "NSSecureUnarchiveFromDataTransformerName", "NSKeyedUnarchiveFromDataTransformerName",
      "NSUnarchiveFromData",
    ])
  func `the default transformer replaces an unknown one`(name: String) throws {
    let store = try MigratedStore()
    let model = Self.model(name)
    try store.open(model) { $0.make("Thing", ["name": "a", "secret": ["x", 1] as [Any]]) }
    for model in [model, Self.model(nil)] {
      try store.open(model) { context in
        let value = try #require(context.all("Thing").first?.value(forKey: "secret") as? [Any])
        #expect(value[0] as? String == "x" && value[1] as? Int == 1)
      }
    }
  }

  @Test func `an unknown transformer logs one warning`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        let store = try MigratedStore()
        try store.open(UnknownTransformerTests.model("Nobody")) { context in
          for number in 1...3 { context.make("Thing", ["secret": [number]]).setValue([0], forKey: "secret") }
        }
      }
    }
    let warning = "No NSValueTransformer with class name 'Nobody' was found for attribute 'secret' on entity 'Thing'"
    #expect(result.errorText.components(separatedBy: warning).count == 2)
  }

  @Test func `a transformer that is registered later is used`() throws {
    let name = "Later-\(UUID().uuidString)"
    let store = try filled()
    try store.open(Self.model(name)) { context in
      let thing = try #require(context.all("Thing").first)
      #expect(thing.value(forKey: "secret") == nil)
      ValueTransformer.setValueTransformer(BackwardTransformer(), forName: NSValueTransformerName(name))
      #expect(thing.value(forKey: "secret") as? String == "open")
    }
  }

  // MARK: Unreadable bytes

  @Test(arguments: [true, false]) func `saving another attribute keeps unreadable bytes`(optional: Bool) throws {
    let (store, known) = (try MigratedStore(), Self.model("Backward", optional: optional))
    try store.open(known) { $0.make("Thing", ["name": "a", "secret": "open"]) }
    try store.open(Self.model("Nowhere", optional: optional)) { context in
      let thing = try #require(context.all("Thing").first)
      #expect(thing.value(forKey: "secret") == nil)
      thing.setValue("b", forKey: "name")
      #expect(thing.changedValues().keys.sorted() == ["name"])
      try context.save()
      thing.setValue("c", forKey: "name")
      context.refresh(thing, mergeChanges: true)
      try context.save()
    }
    try store.open(known) { context in
      let thing = try #require(context.all("Thing").first)
      #expect(thing.storedText("secret") == "open" && thing.storedText() == "c")
    }
  }

  @Test func `batch updates keep unreadable bytes unless they set the attribute`() throws {
    let store = try filled()
    try store.open(Self.unknown) { context in
      let update = NSBatchUpdateRequest(entityName: "Thing")
      update.propertiesToUpdate = ["name": "b"]
      _ = try context.execute(update)
    }
    try #expect(secrets(store) == ["open"])
    try store.open(Self.unknown) { context in
      let update = NSBatchUpdateRequest(entityName: "Thing")
      update.propertiesToUpdate = ["secret": ["x"]]
      _ = try context.execute(update)
      _ = try context.execute(
        NSBatchInsertRequest(entityName: "Thing", objects: [["name": "c", "secret": ["y"]] as [String: Any]]))
      let values = try context.all("Thing").map { $0.value(forKey: "secret") as? [String] }
      #expect(values == [["x"], ["y"]])
    }
  }

  @Test func `dictionary results omit unreadable values`() throws {
    try filled().open(Self.unknown) { context in
      let request = NSFetchRequest<NSDictionary>(entityName: "Thing")
      request.resultType = .dictionaryResultType
      let all = try context.fetch(request)
      request.propertiesToFetch = ["name", "secret"]
      for rows in try [all, context.fetch(request)] {
        #expect(rows.map { $0["name"] as? String } == ["a"] && rows.first?["secret"] == nil)
      }
    }
  }

  @Test func `tombstones omit unreadable values`() throws {
    let store = try filled(history: true)
    try store.open(Self.unknown) { context in
      for thing in try context.all("Thing") { context.delete(thing) }
      try context.save()
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      let result = try #require(context.execute(request) as? NSPersistentHistoryResult)
      let changes = (result.result as? [NSPersistentHistoryTransaction] ?? []).flatMap { $0.changes ?? [] }
      let deletion = try #require(changes.first { $0.changeType == .delete })
      #expect(deletion.tombstone?["secret"] == nil)
    }
  }

  @Test func `copying a store keeps unreadable bytes`() throws {
    let (store, copy) = (try filled(), try MigratedStore())
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.unknown)
    let opened = try coordinator.addPersistentStore(type: .sqlite, at: store.url)
    let moved = try coordinator.migratePersistentStore(opened, to: copy.url, type: .sqlite)
    try coordinator.remove(moved)
    try #expect(secrets(copy) == ["open"])
  }

  @Test func `a migration keeps unreadable bytes`() throws {
    let (store, target) = (try filled(), try MigratedStore())
    let (old, new) = (Self.unknown, Self.model("Nowhere", isNew: true))
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
    try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
      from: store.url, type: .sqlite, mapping: mapping, to: target.url, type: .sqlite)
    try store.open(new) { try #expect($0.texts("Thing") == ["a"]) }
    for store in [store, target] {
      try store.open(Self.model("Backward", isNew: true)) { context in
        try #expect(context.all("Thing").map { $0.value(forKey: "secret") as? String } == ["open"])
      }
    }
  }

  /// Apple's stores contain archived images and colors. Foundation traps if an archive names a class that does not exist.
  @Test(arguments: ["NSKeyedUnarchiveFromData", "NSSecureUnarchiveFromData", "Nowhere"])
  func `an archive that cannot be read is nil`(name: String) throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.outputFormat = .xml
    archiver.encode(["x"] as NSArray, forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    let archive = archiver.encodedData
    let foreign = String(decoding: archive, as: UTF8.self).replacingOccurrences(of: "NSArray", with: "UIImage")
    #expect(foreign.contains("UIImage"))
    ValueTransformer.setValueTransformer(ValueTransformer(), forName: NSValueTransformerName("Plain"))
    let store = try MigratedStore()
    try store.open(Self.model("Plain")) { context in
      for bytes in [Data(foreign.utf8), Data([1, 2, 3]), Data(), archive.prefix(40)] {
        context.make("Thing", ["name": "a", "secret": bytes])
      }
    }
    try store.open(Self.model(name)) { context in
      let things = try context.all("Thing")
      #expect(things.count == 4 && things.allSatisfy { $0.value(forKey: "secret") == nil })
    }
  }

  /// Changes random bytes, and truncates the archive.
  @Test func `damaged archives do not stop the program`() throws {
    let values: [Any] = [
      ["a", 1, ["b": Date(timeIntervalSinceReferenceDate: 1)]] as NSArray,
      ["x": 1.5, "y": Data([1, 2])] as NSDictionary,
      NSSet(array: ["a", "b"]), NSUUID(), NSDate(), try #require(NSURL(string: "http://a.b/c")),
    ]
    var random = SeededRandom()
    for value in values {
      let archive = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
      for name in [
        NSValueTransformerName.secureUnarchiveFromDataTransformerName, .keyedUnarchiveFromDataTransformerName,
      ] {
        let transformer = try #require(ValueTransformer(forName: name))
        #expect((transformer.transformedValue(archive) as? NSObject)?.isEqual(value) == true)
        for round in 0..<150 {
          var damaged = archive
          for _ in 0...(round % 3) {
            damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
          }
          _ = transformer.transformedValue(damaged)
        }
        for count in 0..<archive.count { #expect(transformer.transformedValue(archive.prefix(count)) == nil) }
      }
    }
  }
}
