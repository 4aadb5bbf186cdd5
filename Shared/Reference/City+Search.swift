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

  /// The city whose name is spelled most like a text: the largest of several that are equally like it.
  ///
  /// - Returns: nil if none is similar, or if there is a city of the name itself.
  /// - Throws: what `fetch` throws.
  public static func similar(to text: String, in context: NSManagedObjectContext) throws -> City? {
    let wanted = Array(Spelling.words(text).joined(separator: " "))
    // Shorter names are like too many others, and longer texts are not typing errors of a name.
    guard 4...40 ~= wanted.count else { return nil }
    let request = City.fetchRequest()
    // The first letter is rarely wrong. Without it, the names of all cities would have to be compared.
    request.predicate = NSPredicate(format: "name BEGINSWITH[cd] %@", argumentArray: [String(wanted[0])])
    request.sortDescriptors = [NSSortDescriptor(key: "population", ascending: false)]
    let limit = wanted.count / 4
    var best: (distance: Int, city: City)?
    for city in try context.fetch(request) {
      let name = Array(Spelling.words(city.name ?? "").joined(separator: " "))
      guard abs(name.count - wanted.count) <= limit else { continue }
      let distance = Spelling.distance(wanted, name)
      if distance <= limit, distance < best?.distance ?? .max { best = (distance, city) }
    }
    return best.flatMap { $0.distance == 0 ? nil : $0.city }
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
