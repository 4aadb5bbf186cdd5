import CoreData
import Foundation
import Testing

/// A store with attributes of every type, relationships of every kind, inheritance, and gaps among its keys.
struct EverythingStore {
  let tool: ToolHome
  let model: String
  let store: URL
  let context: NSManagedObjectContext

  static let entities = """
    <composite name="Address"><attribute name="city" optional="YES" attributeType="String"/>
      <attribute name="point" optional="YES" attributeType="Composite" composite="Point"/></composite>
    <composite name="Point"><attribute name="latitude" optional="YES" attributeType="Double"/></composite>
    <entity name="Thing" isAbstract="YES"><attribute name="name" attributeType="String"/></entity>
    <entity name="Item" parentEntity="Thing">
      <attribute name="short" optional="YES" attributeType="Integer 16"/>
      <attribute name="medium" optional="YES" attributeType="Integer 32"/>
      <attribute name="long" optional="YES" attributeType="Integer 64"/>
      <attribute name="flag" optional="YES" attributeType="Boolean"/>
      <attribute name="real" optional="YES" attributeType="Double"/>
      <attribute name="small" optional="YES" attributeType="Float"/>
      <attribute name="price" optional="YES" attributeType="Decimal"/>
      <attribute name="date" optional="YES" attributeType="Date"/>
      <attribute name="bytes" optional="YES" attributeType="Binary"/>
      <attribute name="picture" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="uuid" optional="YES" attributeType="UUID"/>
      <attribute name="link" optional="YES" attributeType="URI"/>
      <attribute name="object" optional="YES" attributeType="Transformable"/>
      <attribute name="home" optional="YES" attributeType="Composite" composite="Address"/>
      <attribute name="passing" optional="YES" transient="YES" attributeType="String"/>
      <relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Thing"/>
      <relationship name="parent" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Item"
        inverseName="children" inverseEntity="Item"/>
      <relationship name="children" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Item"
        inverseName="parent" inverseEntity="Item"/>
      <relationship name="shelf" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Shelf"
        inverseName="items" inverseEntity="Shelf"/>
      <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag"
        inverseName="items" inverseEntity="Tag"/>
      <relationship name="lists" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES"
        destinationEntity="Playlist" inverseName="items" inverseEntity="Playlist"/>
      <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Item"
        inverseName="friends" inverseEntity="Item"/>
    </entity>
    <entity name="Note" parentEntity="Item">
      <attribute name="text" optional="YES" attributeType="String"/>
      <relationship name="owner" maxCount="1" deletionRule="Nullify" destinationEntity="Shelf"
        inverseName="notes" inverseEntity="Shelf"/>
      <relationship name="cover" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Tag"
        inverseName="covered" inverseEntity="Tag"/>
    </entity>
    <entity name="Shelf"><attribute name="label" optional="YES" attributeType="String"/>
      <attribute name="loud" optional="YES" attributeType="String" derived="YES" derivationExpression="uppercase:(label)"/>
      <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES"
        destinationEntity="Item" inverseName="shelf" inverseEntity="Item"/>
      <relationship name="notes" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Note"
        inverseName="owner" inverseEntity="Note"/>
    </entity>
    <entity name="Tag"><attribute name="word" optional="YES" attributeType="String"/>
      <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Item"
        inverseName="tags" inverseEntity="Item"/>
      <relationship name="covered" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Note"
        inverseName="cover" inverseEntity="Note"/>
    </entity>
    <entity name="Playlist"><relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES"
      destinationEntity="Item" inverseName="lists" inverseEntity="Item"/></entity>
    """

  init() throws {
    tool = try ToolHome()
    model = try tool.model("Everything", [("Everything", Self.entities)])
    store = URL(fileURLWithPath: tool.path("Everything.sqlite"))
    context = try Self.open(store, model: model)
    try context.performAndWait { try fill() }
    try Self.close(context)
  }

  static func open(_ store: URL, model path: String) throws -> NSManagedObjectContext {
    let model = try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path)))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      type: .sqlite, at: store, options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  static func close(_ context: NSManagedObjectContext) throws {
    let coordinator = context.persistentStoreCoordinator
    for store in coordinator?.persistentStores ?? [] { try coordinator?.remove(store) }
  }

  private func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  private func fill() throws {
    let shelf = insert("Shelf", ["label": "upper"])
    let gone = insert("Item", ["name": "gone"])
    let full = insert(
      "Item",
      [
        "name": "full \u{1B}[31m\n\"quoted\", \\ \u{202E}é𝄞", "short": -32_768, "medium": 2_147_483_647,
        "long": Int64.min, "flag": true, "real": 0.1 + 0.2, "small": Float(0.1),
        "price": NSDecimalNumber(string: "1234567.89012"),
        "date": Date(timeIntervalSinceReferenceDate: 700_000_000.123456), "bytes": Data([0, 1, 255]),
        "picture": Data(repeating: 7, count: 200_000),
        "uuid": UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!,
        "link": URL(string: "https://example.org/a%20b?c=1")!, "object": "archived" as NSString,
        "home": ["city": "Nuku'alofa", "point": ["latitude": -21.13]], "passing": "never stored",
      ])
    let other = insert("Item", ["name": "other", "date": Date.distantPast, "real": Double.infinity, "flag": false])
    let note = insert("Note", ["name": "note", "text": "Aa", "date": Date.distantFuture, "owner": shelf])
    let far = insert("Note", ["name": "far", "date": Date(timeIntervalSinceReferenceDate: -1e15), "owner": shelf])
    let empty = insert("Item", ["name": ""])
    try context.save()
    context.delete(gone)
    let tags = ["a", "b", "c"].map { insert("Tag", ["word": $0]) }
    let lists = [insert("Playlist", [:]), insert("Playlist", [:])]
    shelf.setValue(NSOrderedSet(array: [note, full, other]), forKey: "items")
    full.setValue(Set(tags), forKey: "tags")
    other.setValue(Set([tags[1]]), forKey: "tags")
    lists[0].setValue(NSOrderedSet(array: [other, full, note]), forKey: "items")
    lists[1].setValue(NSOrderedSet(array: [full, note]), forKey: "items")
    note.setValue(NSOrderedSet(array: [lists[1], lists[0]]), forKey: "lists")
    full.setValue(Set([other, full]), forKey: "friends")
    full.setValue(far, forKey: "next")
    full.setValue(note, forKey: "parent")
    note.setValue(empty, forKey: "parent")
    far.setValue(tags[2], forKey: "cover")
    try context.save()
  }
}
