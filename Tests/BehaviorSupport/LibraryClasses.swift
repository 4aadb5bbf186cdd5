import CoreData
import Foundation

class Book: NSManagedObject {
  @NSManaged var tags: NSSet?
  @NSManaged var pages: NSOrderedSet?
  @NSManaged var lists: Set<NSManagedObject>
}

extension Book {
  @NSManaged func addToTags(_ value: BookTag)
  @NSManaged func removeFromTags(_ value: BookTag)
  @NSManaged func addToTags(_ values: NSSet)
  @NSManaged func removeFromTags(_ values: NSSet)
}

extension Book {
  @NSManaged func insertIntoPages(_ value: Page, at idx: Int)
  @NSManaged func removeFromPages(at idx: Int)
  @NSManaged func insertIntoPages(_ values: [Page], at indexes: NSIndexSet)
  @NSManaged func removeFromPages(at indexes: NSIndexSet)
  @NSManaged func replacePages(at idx: Int, with value: Page)
  @NSManaged func replacePages(at indexes: NSIndexSet, with values: [Page])
  @NSManaged func movePages(at indexes: NSIndexSet, to idx: Int)
  @NSManaged func addToPages(_ value: Page)
  @NSManaged func removeFromPages(_ value: Page)
  @NSManaged func addToPages(_ values: NSOrderedSet)
  @NSManaged func removeFromPages(_ values: NSOrderedSet)
}

class Page: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var book: Book?
}

/// The class of the entity Tag. The name `Tag` would be ambiguous with the one of Swift Testing.
class BookTag: NSManagedObject {
  @NSManaged var books: NSSet?
}

/// A folder that logs its deletion.
class Folder: NSManagedObject {
  nonisolated(unsafe) static var log: [String] = []

  override func prepareForDeletion() {
    let files = (value(forKey: "files") as? NSSet)?.count ?? 0
    Folder.log.append("\(called ?? "") with \(files) files in \(one("parent")?.called ?? "nothing")")
  }
}
