import CoreData
import Foundation
import StrataSQLStore
import StrataSQLiteEngine
import Testing

/// Damaged stores cause errors; no file contents crash the program.
@Suite struct DamagedStoreTests {
  private let folder: URL
  private var url: URL { folder.appendingPathComponent("Damaged.sqlite") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("damaged-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private static func model() -> NSManagedObjectModel {
    let (quake, region) = (NSEntityDescription(), NSEntityDescription())
    (quake.name, region.name) = ("Quake", "Region")
    let kinds: [(String, NSAttributeType)] = [
      ("code", .stringAttributeType), ("depth", .doubleAttributeType), ("time", .dateAttributeType),
      ("amount", .decimalAttributeType), ("mark", .UUIDAttributeType), ("link", .URIAttributeType),
      ("photo", .binaryDataAttributeType), ("felt", .integer32AttributeType),
    ]
    quake.properties = kinds.map { name, type in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType) = (name, type)
      attribute.preservesValueInHistoryOnDeletion = true
      attribute.allowsExternalBinaryDataStorage = name == "photo"
      return attribute
    }
    for (name, inverse, isOne) in [("region", "quakes", true), ("near", "around", false)] {
      let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
      (there.name, there.destinationEntity, there.inverseRelationship) = (name, region, back)
      (back.name, back.destinationEntity, back.inverseRelationship) = (inverse, quake, there)
      (there.maxCount, there.isOrdered) = (isOne ? 1 : 0, !isOne)
      quake.properties.append(there)
      region.properties.append(back)
    }
    let model = NSManagedObjectModel()
    model.entities = [quake, region]
    return model
  }

  private func open<T>(_ body: (NSManagedObjectContext) throws -> T) throws -> T {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSPersistentHistoryTrackingKey: true])
    defer { try? coordinator.remove(store) }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait { try body(context) }
  }

  private func fill() throws {
    try open { context in
      let regions = (0..<3).map { _ in NSEntityDescription.insertNewObject(forEntityName: "Region", into: context) }
      for number in 0..<30 {
        let quake = NSEntityDescription.insertNewObject(forEntityName: "Quake", into: context)
        let values: [String: Any] = [
          "code": "quake \(number)", "depth": Double(number), "time": Date(timeIntervalSinceReferenceDate: 7e8),
          "amount": NSDecimalNumber(value: number), "mark": UUID(), "felt": number,
          "photo": Data(repeating: 7, count: 40), "region": regions[number % 3],
          "near": NSOrderedSet(array: [regions[0], regions[number % 2 + 1]]),
        ]
        for (key, value) in values { quake.setValue(value, forKey: key) }
        quake.setValue(URL(string: "https://example.org/\(number)"), forKey: "link")
      }
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
      for quake in try context.fetch(request).prefix(5) { context.delete(quake) }
      try context.save()
    }
  }

  /// Reads whatever can be read, and writes.
  private func useAll() throws {
    try open { context in
      for name in ["Quake", "Region"] {
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.returnsObjectsAsFaults = false
        // Prefetch everything: firing a fault that cannot be read would trap, as on Apple's systems.
        request.relationshipKeyPathsForPrefetching = name == "Quake" ? ["near"] : ["quakes", "around"]
        for object in (try? context.fetch(request)) ?? [] {
          for key in object.entity.propertiesByName.keys {
            if let members = object.value(forKey: key) as? Set<NSManagedObject> { _ = members.map(\.objectID) }
          }
        }
      }
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
        for change in transaction.changes ?? [] {
          _ = (change.tombstone, change.updatedProperties, change.changedObjectID.uriRepresentation())
        }
      }
      _ = NSEntityDescription.insertNewObject(forEntityName: "Region", into: context)
      try context.save()
    }
  }

  @Test func filesWithOtherBytesGiveErrors() throws {
    try fill()
    let bytes = [UInt8](try Data(contentsOf: url))
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func next(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
    var failures = 0
    for number in 0..<60 {
      var copy = bytes
      if number < 12 { copy = Array(bytes.prefix(bytes.count * number / 12)) }
      // Most copies keep the header intact, because otherwise SQLite would stop there.
      for _ in 0..<(number < 12 ? 0 : 1 << (number % 8)) { copy[100 + next(copy.count - 100)] = UInt8(next(256)) }
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
      try Data(copy).write(to: url)
      do { try useAll() } catch { failures += 1 }
      _ = try? StoreCheck(of: url)
      _ = try? StoreStatistics(of: url)
    }
    #expect(failures > 10)
  }

  @Test(arguments: [
    "UPDATE Z_PRIMARYKEY SET Z_ENT = -5 WHERE Z_NAME = 'Quake'",
    "UPDATE Z_PRIMARYKEY SET Z_ENT = 15000 WHERE Z_ENT = 1",
    "UPDATE Z_PRIMARYKEY SET Z_NAME = NULL", "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807",
    "DELETE FROM Z_PRIMARYKEY",
    "UPDATE ZQUAKE SET ZREGION = -1", "UPDATE ZQUAKE SET ZREGION = 9223372036854775807",
    "UPDATE ZQUAKE SET ZREGION = 'x'",
    "UPDATE ZQUAKE SET Z_PK = Z_PK + 9000000000000000000", "UPDATE ZQUAKE SET Z_PK = -Z_PK",
    "UPDATE ZQUAKE SET Z_ENT = 99",
    "UPDATE ZQUAKE SET Z_ENT = NULL, Z_OPT = NULL", "UPDATE ZQUAKE SET Z_OPT = -9223372036854775808",
    "UPDATE ZQUAKE SET ZFELT = 9223372036854775807, ZDEPTH = 'deep', ZCODE = X'FF00FE', ZTIME = 1e308",
    "UPDATE ZQUAKE SET ZTIME = 9e999, ZDEPTH = -9e999, ZAMOUNT = 'many', ZLINK = ''",
    "UPDATE ZQUAKE SET ZMARK = X'01', ZPHOTO = X''",
    "UPDATE ZQUAKE SET ZPHOTO = X'02FF00', ZMARK = NULL", "UPDATE Z_1NEAR SET Z_FOK_2NEAR = -9223372036854775808",
    "UPDATE OR IGNORE Z_1NEAR SET Z_2NEAR = -7", "UPDATE OR IGNORE Z_1NEAR SET Z_1AROUND = NULL",
    "UPDATE ACHANGE SET ZENTITY = -3, ZENTITYPK = -9", "UPDATE ACHANGE SET ZCHANGETYPE = 77, ZTRANSACTIONID = NULL",
    "UPDATE ACHANGE SET ZENTITYPK = 9223372036854775807, ZCOLUMNS = X'FFFFFFFFFFFF'",
    "UPDATE ACHANGE SET ZENTITY = 'x'",
    "UPDATE ATRANSACTION SET Z_PK = Z_PK + 9223372036854775800, ZTIMESTAMP = 'never'",
    "UPDATE ATRANSACTION SET ZTIMESTAMP = 9e999",
    "UPDATE ATRANSACTION SET ZAUTHORTS = 99, ZCONTEXTNAMETS = -1", "DROP TABLE ACHANGE", "DROP TABLE ZREGION",
    "DROP TABLE Z_1NEAR",
    "UPDATE Z_METADATA SET Z_PLIST = X'62706C6973743030'", "UPDATE Z_METADATA SET Z_PLIST = NULL",
    "UPDATE Z_METADATA SET Z_UUID = NULL",
    "UPDATE Z_METADATA SET Z_UUID = 7", "DELETE FROM Z_METADATA", "UPDATE Z_MODELCACHE SET Z_CONTENT = X'00'",
  ])
  func valuesThatNoStoreHasGiveErrors(_ statement: String) throws {
    try fill()
    let connection = try Connection(path: url.path, mode: .readWrite, busyTimeout: 5)
    try connection.run("\(statement)")
    connection.close()
    try? useAll()
    // SQLite's integrity check has the same result as before: nothing was made worse.
    let check = try Connection(path: url.path, mode: .readWrite, busyTimeout: 5)
    #expect(try check.rows("PRAGMA integrity_check") == [[.text("ok")]])
  }
}
