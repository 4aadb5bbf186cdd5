// The class that the build generates from the tutorial's model.

import CoreData

public class Note: NSManagedObject {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Note> { NSFetchRequest<Note>(entityName: "Note") }
  @NSManaged public var created: Date?
  @NSManaged public var text: String?
}
