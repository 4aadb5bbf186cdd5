import CoreData
import Foundation
import StrataSQLStore
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// Stores whose tables and columns have unusual names.
@Suite struct TableNameTests {
  private let folder: URL
  private var url: URL { folder.appendingPathComponent("Names.sqlite") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("names-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Albums with ordered assets, assets that are duplicates of others, and two kinds of notes with a text each.
  private static func model(_ change: ([String: NSEntityDescription]) -> Void = { _ in }) -> NSManagedObjectModel {
    let model = makeModel(
      makeEntity("Album", [attribute("title")]), makeEntity("Asset", [attribute("title")]),
      makeEntity(
        "Note", subentities: [makeEntity("Memo", [attribute("text")]), makeEntity("Remark", [attribute("text")])])
    )
    .relate("Album", "assets", .ordered, "Asset", "albums", .many)
    .relate("Asset", "duplicates", .many, "Asset", "originals", .many)
    change(model.entitiesByName)
    return model
  }

  private func open<T>(
    _ model: NSManagedObjectModel = model(), _ body: (NSManagedObjectContext) throws -> T
  ) throws -> T {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options: [AnyHashable: Any] = [
      NSPersistentHistoryTrackingKey: true, NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
    ]
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    defer { try? coordinator.remove(store) }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait { try body(context) }
  }

  private func make(_ entity: String, _ title: String, in context: NSManagedObjectContext) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValue(title, forKey: entity == "Memo" || entity == "Remark" ? "text" : "title")
    return object
  }

  private func find(_ entity: String, _ title: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "title == %@", title)
    return try #require(try context.fetch(request).first)
  }

  /// Two albums with common assets, and an asset that is the duplicate of another.
  private func fill() throws {
    try open { context in
      let assets = ["a", "b", "c"].map { make("Asset", $0, in: context) }
      make("Album", "first", in: context).setValue(NSOrderedSet(array: [assets[2], assets[0]]), forKey: "assets")
      make("Album", "second", in: context).setValue(NSOrderedSet(array: [assets[1], assets[2]]), forKey: "assets")
      assets[0].setValue(Set([assets[1]]), forKey: "duplicates")
      _ = (make("Memo", "memo", in: context), make("Remark", "remark", in: context))
      try context.save()
    }
  }

  private func runSQL(_ statements: [String]) throws {
    let connection = try Connection(path: url.path, mode: .readWrite, busyTimeout: 5)
    defer { connection.close() }
    for statement in statements { try connection.run(statement) }
  }

  private func titles(_ object: NSManagedObject, _ key: String) -> [String] {
    let members = object.value(forKey: key)
    if let ordered = members as? NSOrderedSet {
      return ordered.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "title") as? String }
    }
    return ((members as? Set<NSManagedObject>) ?? []).compactMap { $0.value(forKey: "title") as? String }.sorted()
  }

  private func expectRelationships(_ context: NSManagedObjectContext) throws {
    #expect(titles(try find("Album", "first", in: context), "assets") == ["c", "a"])
    #expect(titles(try find("Album", "second", in: context), "assets") == ["b", "c"])
    #expect(titles(try find("Asset", "c", in: context), "albums") == ["first", "second"])
    #expect(titles(try find("Asset", "a", in: context), "duplicates") == ["b"])
    #expect(titles(try find("Asset", "a", in: context), "originals") == [])
    #expect(titles(try find("Asset", "b", in: context), "originals") == ["a"])
  }

  /// A model can use any names for its entities and properties.
  @Test func `entities and properties can have any name`() throws {
    let (name, partName) = ("A \"b'\u{301}\"\u{301}; --", "P 'q")
    let text = attribute("c \"d' ?\"\u{301}")
    let photo = attribute("p \"q", .binaryData, external: true)
    let upper = NSDerivedAttributeDescription()
    (upper.name, upper.attributeType, upper.isOptional) = ("u 'v\"", .stringAttributeType, true)
    upper.derivationExpression = CoreData.NSExpression(
      forFunction: "uppercase:", arguments: [CoreData.NSExpression(forKeyPath: text.name)])
    let entity = makeEntity(name, unique: [[text.name]], [text, photo, upper])
    let element = NSFetchIndexElementDescription(property: text, collationType: .binary)
    entity.indexes = [NSFetchIndexDescription(name: "i \"j", elements: [element])]
    let model = makeModel(entity, makeEntity(partName, [attribute("n")]))
      .relate(name, "x \"y", .many, partName, "z' w", .many).relate(name, "many ]", .many, partName, "one [", .one)
    try open(model) { context in
      let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
      object.setValue("value", forKey: text.name)
      object.setValue(Data(repeating: 1, count: 200_000), forKey: photo.name)
      let other = NSEntityDescription.insertNewObject(forEntityName: "P 'q", into: context)
      object.setValue(Set([other]), forKey: "x \"y")
      object.setValue(Set([other]), forKey: "many ]")
      try context.save()
    }
    try open(model) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      request.predicate = NSPredicate(
        format: "%K == %@ AND %K.@count == 1", argumentArray: [text.name, "value", "x \"y"])
      request.sortDescriptors = [NSSortDescriptor(key: text.name, ascending: true)]
      let found = try context.fetch(request)
      #expect(found.map { $0.value(forKey: upper.name) as? String } == ["VALUE"])
      #expect(found.first?.value(forKey: photo.name) as? Data == Data(repeating: 1, count: 200_000))
      #expect((found.first?.value(forKey: "many ]") as? Set<NSManagedObject>)?.count == 1)
    }
    let flaws = try IntegrityCheck(of: url).flaws.map { "\($0)" }
    #expect(flaws == [])
  }

  private static let renamings: [[String]] = [
    ["Z_1ASSETS RENAME COLUMN Z_2ASSETS TO Z_2ASSETS1", "Z_1ASSETS RENAME COLUMN Z_FOK_2ASSETS TO Z_FOK_2ASSETS1"],
    ["Z_1ASSETS RENAME COLUMN Z_1ALBUMS TO Z_1ALBUMS1"],
    ["Z_1ASSETS RENAME COLUMN Z_1ALBUMS TO Z_7ALBUMS", "Z_1ASSETS RENAME COLUMN Z_2ASSETS TO Z_8ASSETS"],
    ["Z_1ASSETS RENAME COLUMN Z_1ALBUMS TO Z_1FOLDERS", "Z_1ASSETS RENAME COLUMN Z_2ASSETS TO Z_2ITEMS"],
    ["Z_1ASSETS RENAME TO Z_2ALBUMS"],
    [
      "Z_2ORIGINALS RENAME COLUMN Z_2DUPLICATES TO Z_2DUPLICATES1",
      "Z_2ORIGINALS RENAME COLUMN Z_2ORIGINALS TO Z_2ORIGINALS1",
    ],
    ["Z_2ORIGINALS RENAME COLUMN Z_2ORIGINALS TO Z_2ORIGINALS1", "Z_2ORIGINALS RENAME TO Z_2DUPLICATES"],
    ["ZALBUM RENAME COLUMN ZTITLE TO ZTITLE1", "ZASSET RENAME COLUMN ZTITLE TO ZTITLE2"],
  ]

  @Test(arguments: renamings)
  func `a store uses the table and column names of its file`(_ renamings: [String]) throws {
    try fill()
    try runSQL(renamings.map { "ALTER TABLE \($0)" })
    try open { context in
      try expectRelationships(context)
      let (album, asset) = (make("Album", "third", in: context), try find("Asset", "c", in: context))
      album.setValue(NSOrderedSet(array: [asset]), forKey: "assets")
      asset.setValue(Set([try find("Asset", "a", in: context)]), forKey: "duplicates")
      try context.save()
    }
    try open { context in
      #expect(titles(try find("Asset", "c", in: context), "albums") == ["first", "second", "third"])
      #expect(titles(try find("Asset", "a", in: context), "originals") == ["c"])
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Album")
      request.predicate = NSPredicate(format: "title == 'third' OR ANY assets.title == 'z'")
      _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
      try find("Asset", "c", in: context).setValue(Set<NSManagedObject>(), forKey: "duplicates")
      try context.save()
      let history = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
      let result = try context.execute(history) as? NSPersistentHistoryResult
      #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 4)
    }
    try open { try expectRelationships($0) }
    let flaws = try IntegrityCheck(of: url).flaws.filter { !$0.isHarmless }
    #expect(flaws.isEmpty)
    try open(Self.model { $0["Asset"]?.properties.append(attribute("place")) }) { context in
      try expectRelationships(context)
      try find("Asset", "c", in: context).setValue("Rome", forKey: "place")
      try context.save()
    }
  }

  @Test(arguments: [
    [
      "ALTER TABLE Z_1ASSETS RENAME COLUMN Z_1ALBUMS TO OWNER",
      "ALTER TABLE Z_1ASSETS RENAME COLUMN Z_2ASSETS TO MEMBER",
    ],
    [
      "ALTER TABLE Z_1ASSETS RENAME COLUMN Z_1ALBUMS TO Z_2ALBUMS",
      "ALTER TABLE Z_1ASSETS RENAME COLUMN Z_2ASSETS TO Z_1ASSETS",
    ],
    ["ALTER TABLE ZNOTE RENAME COLUMN ZTEXT1 TO ZTEXT2"],
    ["ALTER TABLE ZALBUM RENAME COLUMN ZTITLE TO ZTITLE1", "ALTER TABLE ZALBUM ADD COLUMN ZTITLE2 VARCHAR"],
  ])
  func `a file with ambiguous column names is rejected`(_ statements: [String]) throws {
    try fill()
    try runSQL(statements)
    let error = #expect(throws: (any Error).self) { try open { _ in } }
    #expect("\(error.map { ($0 as NSError).userInfo } ?? [:])".contains("Rename them as a new store"))
  }

  @Test func `the table of a renamed entity can have its old name`() throws {
    try fill()
    try runSQL(["ALTER TABLE ZALBUM RENAME TO ZFOLDER"])
    let model = Self.model { $0["Album"]?.renamingIdentifier = "Folder" }
    try open(model) { try expectRelationships($0) }
  }

  @Test func `entities whose names differ only in case have separate tables`() throws {
    let model = Self.model { $0["Note"]?.name = "ALBUM" }
    try open(model) { context in
      _ = (make("Album", "small", in: context), make("Memo", "large", in: context))
      try context.save()
    }
    try open(model) { context in
      let counts = try ["Album", "ALBUM"].map {
        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: $0))
      }
      #expect(counts == [1, 1])
    }
  }
}
