import Books
import CoreData
import Shared

/// Describes the models that a program with the library contains.
public enum Report {
  public static func lines() -> [String] {
    ["Books", "Shop"].flatMap { name in
      let model = NSPersistentContainer(name: name).managedObjectModel
      return model.entities.map { Line.about($0.name ?? "", of: name, as: $0.managedObjectClassName ?? "") }.sorted()
    }
  }
}
