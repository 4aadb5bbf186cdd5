import CoreData
import Foundation

extension City {
  /// The cities of a name, the one with the most inhabitants first.
  ///
  /// - Parameter text: the name, and behind a comma the country or the part of it if there are several such cities.
  /// - Throws: what `fetch` throws.
  public static func all(named text: String, in context: NSManagedObjectContext) throws -> [City] {
    let words = text.split(separator: ",", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    guard let name = words.first, !name.isEmpty else { return [] }
    let request = City.fetchRequest()
    request.predicate =
      words.count == 1
      ? NSPredicate(format: "name ==[cd] %@", argumentArray: [name])
      : NSPredicate(
        format: "name ==[cd] %@ AND (country ==[cd] %@ OR admin1 ==[cd] %@)", argumentArray: [name, words[1], words[1]])
    request.sortDescriptors = [NSSortDescriptor(key: "population", ascending: false)]
    request.returnsObjectsAsFaults = false
    return try context.fetch(request)
  }

  /// `Valencia, Spain`.
  public var nameText: String { [name, country].compactMap { $0 }.joined(separator: ", ") }

  /// A name that distinguishes it from another city of the same name.
  public func text(besides other: City) -> String {
    if country != other.country { return nameText }
    let hasPart = admin1 != nil && admin1 != other.admin1
    return hasPart ? [name, admin1].compactMap { $0 }.joined(separator: ", ") : "\(latitude),\(longitude)"
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
