import CoreData

#if canImport(ObjectiveC)
@objc public enum Genre: Int16 { case none, poetry, science }
#else
public enum Genre: Int16 { case none, poetry, science }
#endif

#if canImport(ObjectiveC)
@objc(Book)
#endif
open class Book: NSManagedObject {
  @NSManaged public var title: String
  @NSManaged public var id: UUID?
  @NSManaged public var added: Date?, link: URL?, cover: Data?
  @NSManaged public var isRead: Bool
  @NSManaged public var price: Decimal
  @NSManaged public var genre: Genre
  @NSManaged public internal(set) var words: [String]?
  @NSManaged public var author: Author?
  @NSManaged public var pages: NSOrderedSet?

  @NSManaged private var primitiveAdded: Date?

  open override func awakeFromInsert() {
    super.awakeFromInsert()
    primitiveAdded = Date(timeIntervalSinceReferenceDate: 1)
    id = UUID()
  }

  public func split(_ text: String) { words = text.split(separator: " ").map(String.init) }
}

// MARK: Accessors as Xcode writes them for an ordered relationship
extension Book {
  @NSManaged public func insertIntoPages(_ value: Page, at idx: Int)
  @NSManaged public func removeFromPages(at idx: Int)
  @NSManaged public func addToPages(_ values: NSOrderedSet)
}
