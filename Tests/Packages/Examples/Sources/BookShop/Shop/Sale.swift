import Books
import CoreData

@MainActor
public class Sale: NSManagedObject {
  @NSManaged public var count: Int32
  @NSManaged public var genre: Books.Genre
  @NSManaged public var time: Date?

  public var summary: String { "\(count) of \(genre)" }
}
