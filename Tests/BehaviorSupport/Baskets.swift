import CoreData
import Foundation
import StrataTestSupport

/// A small world of derived attributes: baskets sum up their items, and items repeat what their basket has.
enum Baskets {
  /// The stores on which a commit changes values that depend on what it writes.
  static let stores: [Store] = [.sqlite, .postgreSQL]

  static let model: NSManagedObjectModel = {
    let (basket, item) = (NSEntityDescription(), NSEntityDescription())
    (basket.name, item.name) = ("Basket", "Item")
    let (items, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
    (items.name, items.destinationEntity) = ("items", item)
    (owner.name, owner.destinationEntity, owner.maxCount) = ("basket", basket, 1)
    (items.inverseRelationship, owner.inverseRelationship) = (owner, items)
    basket.properties = [
      attribute("name", .stringAttributeType), attribute("note", .stringAttributeType), items,
      derived("total", .integer64AttributeType, "items.price.@sum"),
      derived("count", .integer64AttributeType, "items.@count"),
    ]
    item.properties = [
      attribute("name", .stringAttributeType), attribute("price", .integer64AttributeType), owner,
      derived("basketName", .stringAttributeType, "basket.name"),
      derived("basketTotal", .integer64AttributeType, "basket.total"),
    ]
    let model = NSManagedObjectModel()
    model.entities = [basket, item]
    return model
  }()

  private static func derived(_ name: String, _ type: NSAttributeType, _ text: String) -> NSAttributeDescription {
    let attribute = NSDerivedAttributeDescription()
    (attribute.name, attribute.attributeType) = (name, type)
    attribute.derivationExpression = CoreData.NSExpression(format: text)
    return attribute
  }

  /// A container of a store with a history.
  static func container(_ store: Store, at url: URL? = nil) throws -> NSPersistentContainer {
    let description = NSPersistentStoreDescription(url: try url ?? store.url("Baskets"))
    description.type = store.rawValue
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    let container = NSPersistentContainer(name: "Baskets", managedObjectModel: model)
    container.persistentStoreDescriptions = [description]
    try container.load()
    return container
  }
}

extension NSManagedObjectContext {
  /// Saves a basket of items with some prices.
  func basket(_ name: String, _ prices: [Int]) throws -> (NSManagedObject, [NSManagedObject]) {
    let basket = insert("Basket", ["name": name])
    let items = prices.map { insert("Item", ["price": $0, "name": "\(name)\($0)", "basket": basket]) }
    try save()
    return (basket, items)
  }
}

extension NSManagedObject {
  func number(_ key: String) -> Int? { value(forKey: key) as? Int }
}
