import CoreData
import Foundation

public class Page: NSManagedObject {
  public var label: String { "page \(number) of \(book?.title ?? "nothing")" }
}
