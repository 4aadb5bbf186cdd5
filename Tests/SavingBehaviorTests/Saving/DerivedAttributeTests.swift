import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Apple's documentation: a derived attribute does not reflect unsaved changes; save, and refresh the object. The saved
/// objects themselves show it without a refresh.
/// See https://developer.apple.com/documentation/coredata/nsderivedattributedescription
@MainActor @Suite struct DerivedAttributeTests {
  private static let model = makeModel(
    makeEntity(
      "List",
      [
        attribute("name"), derivedAttribute("count", .integer64, "items.@count"),
        derivedAttribute("search", .string, "canonical:(name)"),
        derivedAttribute("pages", .integer64, "items.pages.@sum"),
        derivedAttribute("leaves", .integer64, "items.@sum.pages"),
      ]),
    makeEntity("Item", [attribute("pages", .integer32), derivedAttribute("title", .string, "list.name")])
  ).relate("List", "items", .many, "Item", "list", .one, rule: .cascadeDeleteRule)

  @Test func `derived values appear after a save and a refresh`() throws {
    let context = try Store.sqlite.people(Self.model).viewContext
    let list = context.insert("List", ["name": "\u{C9}t\u{E9}"])
    let item = context.insert("Item", ["list": list])
    _ = context.insert("Item", ["list": list])
    #expect(list.value(forKey: "count") == nil)
    try context.save()
    for _ in 0..<2 {
      #expect(list.value(forKey: "count") as? Int == 2 && !list.hasChanges)
      #expect(list.value(forKey: "search") as? String == "ete")
      #expect(item.value(forKey: "title") as? String == "\u{C9}t\u{E9}")
      context.refreshAllObjects()
    }
    _ = context.insert("Item", ["list": list])
    list.setValue("b", forKey: "name")
    try context.save()
    #expect(list.value(forKey: "count") as? Int == 3 && list.value(forKey: "search") as? String == "b")
    let request = NSFetchRequest<NSManagedObject>(entityName: "List")
    request.predicate = NSPredicate(format: "count == 3 AND search BEGINSWITH %@", "b")
    #expect(try context.count(for: request) == 1)
  }

  @Test func `both notations of a sum have the same value`() throws {
    let context = try Store.sqlite.people(Self.model).viewContext
    let list = context.insert("List")
    let items = [3, 4].map { context.insert("Item", ["list": list, "pages": $0]) }
    try context.save()
    #expect(list.value(forKey: "pages") as? Int == 7 && list.value(forKey: "leaves") as? Int == 7)
    items[0].setValue(10, forKey: "pages")
    context.delete(items[1])
    try context.save()
    context.refreshAllObjects()
    #expect(list.value(forKey: "pages") as? Int == 10 && list.value(forKey: "leaves") as? Int == 10)
  }

  @Test func `a value set on a derived attribute is not saved`() throws {
    let context = try Store.sqlite.people(Self.model).viewContext
    let list = context.insert("List", ["name": "a", "count": 42])
    try context.save()
    #expect(list.value(forKey: "count") as? Int == 0)
    context.refresh(list, mergeChanges: false)
    #expect(list.value(forKey: "count") as? Int == 0)
    list.setValue(7, forKey: "count")
    try context.save()
    context.refresh(list, mergeChanges: false)
    #expect(list.value(forKey: "count") as? Int == 0)
  }
}
