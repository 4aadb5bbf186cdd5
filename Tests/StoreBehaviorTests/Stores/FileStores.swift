import CoreData
import Foundation
import StrataTestSupport

@testable import StrataBehaviorSupport

/// Helpers for tests of XML and binary stores.
enum FileStores {
  static let types = [NSXMLStoreType, NSBinaryStoreType]

  static func file() throws -> URL { try TemporaryFolder.make().appendingPathComponent("World.store") }

  /// Opens a store, runs `body` with a context, and closes the store.
  @discardableResult
  static func use<T>(
    _ type: String, _ url: URL, _ model: NSManagedObjectModel = Quakes.model, _ options: [AnyHashable: Any]? = nil,
    _ body: (NSManagedObjectContext, NSPersistentStore) throws -> T
  ) throws -> T {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: url, options: options)
    defer { try? coordinator.remove(store) }
    let context = coordinator.context(.privateQueueConcurrencyType)
    return try context.performAndWait { try body(context, store) }
  }

  static func fill(_ type: String, _ url: URL, _ codes: String...) throws {
    try use(type, url) { context, _ in
      let region = context.insert("Region", ["name": "Chile & <Peru>\r\n\"\u{1}é"])
      let tags = context.make("Tag", "t1", "t2")
      for code in codes {
        let quake = context.insert(
          "Quake",
          [
            "code": code, "magnitude": 6.1, "felt": Int32(-7), "reviewed": true, "wave": Data([0, 255, 10]),
            "time": Date(timeIntervalSinceReferenceDate: 445103622.25), "cost": NSDecimalNumber(string: "12.340"),
            "uuid": UUID(uuidString: "7DFA6DAB-A071-4B34-8DFB-BAC65DD66FDE")!,
            "page": URL(string: "https://a.b/?c=d&e")!,
            "region": region,
          ])
        quake.mutableSetValue(forKey: "tags").addObjects(from: tags)
      }
      try context.save()
    }
  }

  /// A store as Apple's framework writes it.
  static let apple = """
    <?xml version="1.0"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

    <database>
        <databaseInfo>
            <version>134481920</version>
            <UUID>343C8D7F-A000-42C4-8463-43FA1E5EF3FB</UUID>
            <nextObjectID>108</nextObjectID>
            <metadata><plist version="1.0"><dict><key>mood</key><string>good</string><key>count</key>
            <integer>7</integer><key>list</key><array><true/><real>0.5</real><data>AQI=</data></array></dict></plist>
            </metadata>
        </databaseInfo>
        <object type="QUAKE" id="z102">
            <attribute name="code" type="string">us7000 &amp; more</attribute>
            <attribute name="magnitude" type="double">6.1</attribute>
            <attribute name="time" type="date">445103622.25000000000000000000</attribute>
            <attribute name="felt" type="int32">12</attribute>
            <attribute name="reviewed" type="bool">1</attribute>
            <attribute name="wave" type="binary">AP8K
    </attribute>
            <relationship name="region" type="1/1" destination="REGION" idrefs="z104"></relationship>
            <relationship name="tags" type="0/0" destination="TAG" idrefs="z105 z106"></relationship>
        </object>
        <object type="REGION" id="z104">
            <attribute name="name" type="string">Chile</attribute>
            <relationship name="quakes" type="0/0" destination="QUAKE" idrefs="z102"></relationship>
        </object>
        <object type="TAG" id="z105"><attribute name="name" type="string">deep</attribute></object>
        <object type="TAG" id="z106"><attribute name="name" type="string">old</attribute></object>
    </database>
    """
}
