import Books
import CoreData

/// What is in the models that a program with the library carries.
public enum Report {
  public static func lines() -> [String] {
    ["Books", "Shop"].flatMap { name in
      let model = NSPersistentContainer(name: name).managedObjectModel
      return model.entities.map { "\(name): \($0.name ?? "") is \($0.managedObjectClassName ?? "")" }.sorted()
    }
  }
}
