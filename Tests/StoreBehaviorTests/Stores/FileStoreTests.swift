import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Atomic stores in XML and binary files.
@Suite struct FileStoreTests {
  private func codes(_ context: NSManagedObjectContext) throws -> [String] {
    try context.fetch("Quake", sort: [NSSortDescriptor(key: "code", ascending: true)])
      .map { $0.value(forKey: "code") as? String ?? "" }
  }

  @Test(arguments: FileStores.types) func `a file store reads back all values and relationships`(_ type: String) throws
  {
    let url = try FileStores.file()
    try FileStores.fill(type, url, "a", "b")
    try FileStores.use(type, url) { context, store in
      #expect(store.type == type && store.url == url && !store.isReadOnly)
      #expect(try codes(context) == ["a", "b"])
      let quake = try #require(try context.fetch("Quake", "code == 'a'").first)
      #expect(quake.value(forKey: "magnitude") as? Double == 6.1)
      #expect(quake.value(forKey: "felt") as? Int32 == -7 && quake.value(forKey: "reviewed") as? Bool == true)
      #expect(quake.value(forKey: "wave") as? Data == Data([0, 255, 10]))
      #expect(quake.value(forKey: "time") as? Date == Date(timeIntervalSinceReferenceDate: 445103622.25))
      #expect(quake.value(forKey: "cost") as? NSDecimalNumber == NSDecimalNumber(string: "12.34"))
      #expect((quake.value(forKey: "uuid") as? UUID)?.uuidString == "7DFA6DAB-A071-4B34-8DFB-BAC65DD66FDE")
      #expect((quake.value(forKey: "page") as? URL)?.absoluteString == "https://a.b/?c=d&e")
      #expect(quake.value(forKey: "place") == nil)
      #expect(quake.names("tags") == ["t1", "t2"])
      #expect(quake.oneName("region") == "Chile & <Peru>\r\n\"\u{1}é")
      #expect((quake.one("region")?.value(forKey: "quakes") as? NSSet)?.count == 2)
      context.delete(quake)
      try context.save()
    }
    let codesAfterDelete = try FileStores.use(type, url) { context, _ in try codes(context) }
    #expect(codesAfterDelete == ["b"])
    let names = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
    #expect(names == ["World.store"])
  }

  @Test(arguments: FileStores.types) func `object IDs are stable and are never reused`(_ type: String) throws {
    let url = try FileStores.file()
    let (first, second) = try FileStores.use(type, url) { context, _ in
      let objects = [context.insert("Quake"), context.insert("Tag")]
      try context.save()
      let uris = objects.map { $0.objectID.uriRepresentation() }
      context.delete(objects[1])
      try context.save()
      return (uris[0], uris[1])
    }
    try FileStores.use(type, url) { context, _ in
      let coordinator = try #require(context.persistentStoreCoordinator)
      let id = try #require(coordinator.managedObjectID(forURIRepresentation: first))
      #expect(try context.existingObject(with: id).entity.name == "Quake")
      let new = [context.insert("Tag"), context.insert("Region")]
      try context.save()
      let uris = Set(new.map { $0.objectID.uriRepresentation() })
      #expect(uris.count == 2 && !uris.contains(second) && !uris.contains(first))
    }
  }

  @Test func `an Apple XML store opens and can be saved`() throws {
    let url = try FileStores.file()
    try FileStores.apple.write(to: url, atomically: true, encoding: .utf8)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .xml, at: url)
    #expect(metadata["mood"] as? String == "good" && metadata["count"] as? Int == 7)
    #expect(metadata[NSStoreUUIDKey] as? String == "343C8D7F-A000-42C4-8463-43FA1E5EF3FB")
    #expect(metadata[NSStoreTypeKey] as? String == NSXMLStoreType)
    try FileStores.use(NSXMLStoreType, url) { context, store in
      #expect(store.identifier == "343C8D7F-A000-42C4-8463-43FA1E5EF3FB")
      let quake = try #require(try context.fetch("Quake").first)
      #expect(quake.objectID.uriRepresentation().lastPathComponent == "p102")
      #expect(quake.value(forKey: "code") as? String == "us7000 & more")
      #expect(quake.value(forKey: "time") as? Date == Date(timeIntervalSinceReferenceDate: 445103622.25))
      #expect(quake.value(forKey: "wave") as? Data == Data([0, 255, 10]))
      #expect(quake.names("tags") == ["deep", "old"] && quake.oneName("region") == "Chile")
      let new = context.insert("Quake", ["code": "new"])
      try context.save()
      #expect(new.objectID.uriRepresentation().lastPathComponent == "p108")
    }
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text.contains(#"<object type="QUAKE" id="z108">"#) && text.contains(#"idrefs="z105 z106""#))
    #expect(text.contains(#"<attribute name="time" type="date">445103622.25000000000000000000</attribute>"#))
    try FileStores.use(NSXMLStoreType, url) { context, store in
      let all = try codes(context)
      #expect(all == ["new", "us7000 & more"])
      #expect(store.metadata["mood"] as? String == "good")
    }
  }

  @Test(arguments: FileStores.types) func `metadata can be read, set and saved`(_ type: String) throws {
    let url = try FileStores.file()
    try FileStores.fill(type, url, "a")
    let kind = NSPersistentStore.StoreType(rawValue: type)
    try NSPersistentStoreCoordinator.setMetadata(
      ["mood": "good", "on": Date(timeIntervalSinceReferenceDate: 86400)], type: kind, at: url)
    try FileStores.use(type, url) { context, store in
      #expect(store.metadata["mood"] as? String == "good")
      #expect(store.metadata["on"] as? Date == Date(timeIntervalSinceReferenceDate: 86400))
      #expect(try codes(context) == ["a"])
      context.persistentStoreCoordinator?.setMetadata(["mood": "bad"], for: store)
      try context.save()
    }
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: kind, at: url)
    #expect(metadata["mood"] as? String == "bad" && metadata[NSStoreTypeKey] as? String == type)
    #expect((metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.count == 3)
  }

  @Test(arguments: FileStores.types + [NSSQLiteStoreType, NSInMemoryStoreType])
  func `numbers in the metadata can be read as any type of number`(_ type: String) throws {
    let url = try FileStores.file()
    let given: [String: Any] = [
      "count": Int64(7), "byte": UInt8(7), "ratio": Float(0.5), "boxed": NSNumber(value: 7), "off": false,
      "on": NSNumber(value: true), "list": [Int32(1), Int32(2)], "real": NSNumber(value: 2.0), "all": ["a": Int16(3)],
    ]
    func check(_ metadata: [String: Any], _ comment: Comment) {
      for key in ["count", "byte", "boxed"] {
        #expect(metadata[key] as? Int64 == 7 && metadata[key] as? Int == 7 && metadata[key] as? Double == 7, comment)
        #expect(metadata[key] as? Int16 == 7 && metadata[key] as? NSNumber == 7, comment)
      }
      #expect(metadata["ratio"] as? Double == 0.5 && metadata["ratio"] as? Float == 0.5, comment)
      #expect(metadata["real"] as? Double == 2 && metadata["real"] as? Int == 2, comment)
      #expect(metadata["on"] as? Bool == true && metadata["off"] as? Bool == false, comment)
      #expect(metadata["list"] as? [Int64] == [1, 2] && metadata["all"] as? [String: Int] == ["a": 3], comment)
      #expect((metadata["on"] as? NSNumber)?.boolValue == true && metadata[NSStoreTypeKey] as? String == type, comment)
    }
    try FileStores.use(type, url) { context, store in
      context.persistentStoreCoordinator?.setMetadata(given, for: store)
      check(store.metadata, "set")
      try context.save()
      check(store.metadata, "saved")
    }
    guard type != NSInMemoryStoreType else { return }
    try FileStores.use(type, url) { _, store in check(store.metadata, "opened again") }
    let kind = NSPersistentStore.StoreType(rawValue: type)
    try NSPersistentStoreCoordinator.setMetadata(given, type: kind, at: url)
    try check(NSPersistentStoreCoordinator.metadataForPersistentStore(type: kind, at: url), "without a coordinator")
  }

  @Test(arguments: FileStores.types) func `a read-only store is not changed`(_ type: String) throws {
    let url = try FileStores.file()
    let readOnly = [NSReadOnlyPersistentStoreOption: true]
    #expect(throws: CocoaError.self) { try FileStores.use(type, url, Quakes.model, readOnly) { _, _ in } }
    #expect(!FileManager.default.fileExists(atPath: url.path))
    try FileStores.fill(type, url, "a")
    let before = try Data(contentsOf: url)
    try FileStores.use(type, url, Quakes.model, readOnly) { context, store in
      #expect(store.isReadOnly)
      #expect(try codes(context) == ["a"])
      _ = context.insert("Quake")
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .fileWriteNoPermission)
    }
    #expect(try Data(contentsOf: url) == before)
  }

  @Test(arguments: FileStores.types) func `objects stay unsaved after a failed write and can be saved later`(
    _ type: String
  ) throws {
    let url = try FileStores.file()
    try FileStores.use(type, url) { context, _ in
      _ = context.insert("Quake", ["code": "a"])
      try context.save()
      let folder = url.deletingLastPathComponent()
      let aside = folder.appendingPathExtension("aside")
      try FileManager.default.moveItem(at: folder, to: aside)
      let new = context.insert("Quake", ["code": "b"])
      #expect(throws: CocoaError.self) { try context.save() }
      #expect(new.isInserted && context.hasChanges)
      try FileManager.default.moveItem(at: aside, to: folder)
      try context.save()
    }
    let savedCodes = try FileStores.use(type, url) { context, _ in try codes(context) }
    #expect(savedCodes == ["a", "b"])
  }

  @Test(arguments: FileStores.types) func `the next save goes to the new URL of the store`(_ type: String) throws {
    let (url, other) = (try FileStores.file(), try FileStores.file())
    try FileStores.use(type, url) { context, store in
      _ = context.insert("Quake", ["code": "a"])
      try context.save()
      #expect(context.persistentStoreCoordinator?.setURL(other, for: store) == true && store.url == other)
      _ = context.insert("Quake", ["code": "b"])
      try context.save()
    }
    let originalCodes = try FileStores.use(type, url) { context, _ in try codes(context) }
    #expect(originalCodes == ["a"])
    let movedCodes = try FileStores.use(type, other) { context, _ in try codes(context) }
    #expect(movedCodes == ["a", "b"])
  }

  @Test(arguments: FileStores.types) func `a store can be copied and destroyed`(_ type: String) throws {
    let (url, other) = (try FileStores.file(), try FileStores.file())
    let kind = NSPersistentStore.StoreType(rawValue: type)
    try FileStores.fill(type, url, "a")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Quakes.model)
    try coordinator.replacePersistentStore(at: other, withPersistentStoreFrom: url, type: kind)
    try coordinator.destroyPersistentStore(at: url, type: kind)
    try coordinator.destroyPersistentStore(at: url, type: kind)
    #expect(!FileManager.default.fileExists(atPath: url.path))
    let copiedCodes = try FileStores.use(type, other) { context, _ in try codes(context) }
    #expect(copiedCodes == ["a"])
  }

  @Test(
    arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType],
    FileStores.types + [NSSQLiteStoreType])
  func `a store can be migrated between types`(from: String, to: String) throws {
    let (url, other) = (try FileStores.file(), try FileStores.file())
    try FileStores.use(from, url) { context, store in
      let quake = context.insert("Quake", ["code": "a", "region": context.insert("Region", ["name": "Chile"])])
      quake.mutableSetValue(forKey: "tags").add(context.insert("Tag", ["name": "deep"]))
      try context.save()
      let new = try context.persistentStoreCoordinator?.migratePersistentStore(store, to: other, withType: to)
      #expect(new?.type == to && new?.url == other)
    }
    try FileStores.use(to, other) { context, _ in
      let quake = try #require(try context.fetch("Quake").first)
      #expect(quake.oneName("region") == "Chile" && quake.names("tags") == ["deep"])
    }
  }

  @Test(arguments: FileStores.types) func `another model is refused unless versioning is ignored`(_ type: String) throws
  {
    let (old, new) = (
      makeModel([makeEntity("Person", [attribute("name")])]),
      makeModel([
        makeEntity("Person", [attribute("name"), attribute("town")])
      ])
    )
    let url = try FileStores.file()
    try FileStores.use(type, url, old) { context, _ in
      context.make("Person", ["name": "Ada"])
      try context.save()
    }
    let error = try #require(throws: CocoaError.self) { try FileStores.use(type, url, new) { _, _ in } }
    #expect(error.code == .persistentStoreIncompatibleVersionHash)
    try FileStores.use(type, url, new, [NSIgnorePersistentStoreVersioningOption: true]) { context, _ in
      #expect(try context.texts("Person") == ["Ada"])
      context.make("Person", ["name": "Eve", "town": "Bath"])
      try context.save()
    }
    let names = try FileStores.use(type, url, new) { context, _ in try context.texts("Person") }
    #expect(names == ["Ada", "Eve"])
  }

  @Test(arguments: FileStores.types) func `a file store refuses devices and folders, and accepts all options`(
    _ type: String
  ) throws {
    #expect(throws: CocoaError.self) { try FileStores.use(type, URL(fileURLWithPath: "/dev/null")) { _, _ in } }
    #expect(throws: CocoaError.self) { try FileStores.use(type, FileManager.default.temporaryDirectory) { _, _ in } }
    let options: [AnyHashable: Any] = [
      NSValidateXMLStoreOption: true, NSBinaryStoreSecureDecodingClasses: Set<Int>(),
      NSBinaryStoreInsecureDecodingCompatibilityOption: true,
    ]
    try FileStores.use(type, try FileStores.file(), Quakes.model, options) { _, store in #expect(store.type == type) }
    #expect(NSPersistentStoreCoordinator.registeredStoreTypes[type] != nil)
    #expect(
      NSPersistentStore.StoreType.xml.rawValue == "XML" && NSPersistentStore.StoreType.binary.rawValue == "Binary")
  }
}
