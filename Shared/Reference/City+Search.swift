import CoreData
import Foundation

extension City {
  /// The city of a name that has the most inhabitants.
  ///
  /// - Parameter text: the name, and behind a comma the country or the part of it if there are several such cities.
  /// - Returns: nil if there is none.
  /// - Throws: what `fetch` throws.
  public static func largest(named text: String, in context: NSManagedObjectContext) throws -> City? {
    let words = text.split(separator: ",", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    guard let name = words.first, !name.isEmpty else { return nil }
    let request = City.fetchRequest()
    request.predicate =
      words.count == 1
      ? NSPredicate(format: "name ==[cd] %@", argumentArray: [name])
      : NSPredicate(
        format: "name ==[cd] %@ AND (country ==[cd] %@ OR admin1 ==[cd] %@)", argumentArray: [name, words[1], words[1]])
    request.sortDescriptors = [NSSortDescriptor(key: "population", ascending: false)]
    request.fetchLimit = 1
    request.returnsObjectsAsFaults = false
    return try context.fetch(request).first
  }
  /// The cities of a box that have the most inhabitants, the largest first.
  ///
  /// - Throws: what `fetch` throws.
  public static func largest(in box: GeoBox, limit: Int, in context: NSManagedObjectContext) throws -> [City] {
    let request = City.fetchRequest()
    request.predicate = box.predicate
    request.sortDescriptors = [NSSortDescriptor(key: "population", ascending: false)]
    request.fetchLimit = limit
    request.returnsObjectsAsFaults = false
    return try context.fetch(request)
  }
}
