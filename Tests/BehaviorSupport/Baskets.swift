import CoreData
import Foundation
import StrataTestSupport

/// Derived attributes: baskets sum the prices of their items, and items copy values of their basket.
enum Baskets {
  /// The stores in which a commit updates the derived values that depend on it.
  static let stores: [Store] = [.sqlite, .postgreSQL]

  static let model = makeModel(
    makeEntity(
      "Basket",
      [
        attribute("name"), attribute("note"), derivedAttribute("total", .integer64, "items.price.@sum"),
        derivedAttribute("count", .integer64, "items.@count"),
      ]),
    makeEntity(
      "Item",
      [
        attribute("name"), attribute("price", .integer64), derivedAttribute("basketName", .string, "basket.name"),
        derivedAttribute("basketTotal", .integer64, "basket.total"),
      ])
  ).relate("Basket", "items", .many, "Item", "basket", .one)

  /// A container of a store with a history.
  static func container(_ store: Store, at url: URL? = nil) throws -> NSPersistentContainer {
    try store.container(of: model, at: url, history: true)
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
