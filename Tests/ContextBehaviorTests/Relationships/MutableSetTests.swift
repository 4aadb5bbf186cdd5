import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// `mutableSetValue(forKey:)` and `mutableOrderedSetValue(forKey:)`.
@MainActor @Suite struct MutableSetTests {
  @Test(arguments: Store.every)
  func `a mutable set reads and changes the relationship`(_ store: Store) throws {
    let context = try store.library().viewContext
    let book = context.insert("Book")
    let tags = context.make("Tag", "a", "b", "c")
    try context.save()
    let live = book.mutableSetValue(forKey: "tags")
    live.add(tags[0])
    live.addObjects(from: [tags[0], tags[1]])
    #expect(live.count == 2 && live.contains(tags[1]) && !live.contains(tags[2]) && book.isUpdated)
    #expect(tags[1].names("books").isEmpty && tags[1].objectIDs(forRelationshipNamed: "books") == [book.objectID])
    tags[2].mutableSetValue(forKey: "books").add(book)
    #expect(
      live.count == 3 && live == NSSet(array: tags) && Set(live.allObjects as? [NSManagedObject] ?? []) == Set(tags))
    live.remove(tags[0])
    live.minus([tags[1]])
    #expect(Array(live) as? [NSManagedObject] == [tags[2]] && live.description.contains("Tag"))
    live.setSet([tags[0], tags[1]])
    live.intersect([tags[1], tags[2]])
    #expect(book.names("tags") == ["b"])
    live.union([tags[2]])
    live.removeAllObjects()
    #expect(book.names("tags").isEmpty && tags[2].objectIDs(forRelationshipNamed: "books").isEmpty)
    live.add(tags[2])
    book.setValue(live, forKey: "tags")
    #expect(book.names("tags") == ["c"] && live.copy() as? NSSet == NSSet(object: tags[2]))
  }

  @Test(arguments: Store.every)
  func `a mutable ordered set reads and changes the relationship`(_ store: Store) throws {
    let context = try store.library().viewContext
    let book = context.insert("Book")
    let pages = context.make("Page", "a", "b", "c", "d")
    let live = book.mutableOrderedSetValue(forKey: "pages")
    func names() -> [String] { live.array.compactMap { ($0 as? NSManagedObject)?.called } }
    live.addObjects(from: [pages[0], pages[1]])
    live.insert(pages[2], at: 0)
    live.insert(pages[2], at: 2)
    pages[3].setValue(book, forKey: "book")
    #expect(names() == ["c", "a", "b", "d"] && names() == book.names("pages") && live.count == 4)
    #expect(live.lastObject as? NSManagedObject === pages[3] && live.index(of: pages[1]) == 2)
    live.exchangeObject(at: 0, withObjectAt: 1)
    live.moveObjects(at: [3], to: 1)
    #expect(names() == ["a", "d", "c", "b"] && names() == book.names("pages"))
    live.sort(using: [NSSortDescriptor(key: "name", ascending: false)])
    #expect(names() == ["d", "c", "b", "a"] && names() == book.names("pages"))
    live.sort { left, right in
      ((left as? NSManagedObject)?.called ?? "").compare((right as? NSManagedObject)?.called ?? "")
    }
    #expect(names() == ["a", "b", "c", "d"] && names() == book.names("pages"))
    live.removeObjects(in: [pages[1], pages[2]])
    live[0] = pages[2]
    #expect(names() == ["c", "d"] && pages[0].one("book") == nil && pages[2].one("book") === book)
    live.remove(pages[3])
    live.removeObject(at: 0)
    #expect(live.count == 0 && book.names("pages").isEmpty && pages[2].one("book") == nil)
    live.unionSet([pages[1]])
    #expect(book.names("pages") == ["b"])
    live.removeAllObjects()
    #expect(book.names("pages").isEmpty)
  }

  @Test(arguments: Store.every)
  func `a mutable ordered set stays valid when its object becomes a fault`(_ store: Store) throws {
    let context = try store.library().viewContext
    let book = context.insert("Book")
    let pages = context.make("Page", "a", "b")
    let live = book.mutableOrderedSetValue(forKey: "pages")
    live.addObjects(from: pages)
    try context.save()
    live.removeObject(at: 0)
    context.refresh(book, mergeChanges: false)
    context.refresh(pages[0], mergeChanges: false)
    #expect(live.count == 2 && live.contains(pages[0]) && live.object(at: 1) as? NSManagedObject === pages[1])
    live.removeObject(at: 1)
    #expect(book.names("pages") == ["a"])
  }

  @Test(arguments: [("mutableSetValueForKey", "pages"), ("mutableOrderedSetValueForKey", "tags")])
  func `requesting a mutable set of the wrong kind stops the program`(_ name: String, _ key: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [key] in
      try await MainActor.run {
        let book = try Store.memory.library().viewContext.insert("Book")
        if key == "pages" { _ = book.mutableSetValue(forKey: key) }
        _ = book.mutableOrderedSetValue(forKey: key)
      }
    }
    #expect(result.errorText.contains("do not support -\(name):"))
  }
}
