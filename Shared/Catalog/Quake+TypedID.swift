import CoreData
import Foundation

extension Quake {
  /// Fewer characters are of many ids.
  private static let shortestPart = 3
  /// More would be no help to choose from.
  private static let mostCandidates = 10

  /// The earthquake that is meant by what was typed: its id, current or former; the id without its network; or, if no
  /// other earthquake has the same, at least three characters with which one of its ids begins or ends, with or without
  /// its network.
  ///
  /// An id counts before a part of another, so that earthquakes to come seldom change what is meant.
  ///
  /// - Returns: nil if there is none.
  /// - Throws: `Failure` with status 2 if several can be meant, which it names; what `fetch` throws.
  public static func find(typed text: String, in context: NSManagedObjectContext) throws -> Quake? {
    if let quake = try find(text, in: context) { return quake }
    guard text.count >= shortestPart else { return nil }
    var found = try candidates("code ==[c] %@", [text], in: context)
    if found.isEmpty {
      let part = "identifier BEGINSWITH[c] %@ OR identifier ENDSWITH[c] %@"
      found = try candidates("\(part) OR code BEGINSWITH[c] %@", [text, text, text], in: context)
      let aliases = Alias.fetchRequest()
      aliases.predicate = NSPredicate(format: part, argumentArray: [text, text])
      aliases.fetchLimit = mostCandidates + 1
      for quake in try context.fetch(aliases).compactMap(\.quake) where !found.contains(quake) { found.append(quake) }
    }
    let meant = found.reduce(into: [Quake]()) { meant, quake in
      let quake = quake.standingValue == .merged ? quake.main ?? quake : quake
      if !meant.contains(quake) { meant.append(quake) }
    }
    guard meant.count > 1 else { return meant.first }
    throw Failure.ambiguousID(text, meant.prefix(mostCandidates).map(\.facts), areAll: meant.count <= mostCandidates)
  }

  private static func candidates(
    _ format: String, _ values: [Any], in context: NSManagedObjectContext
  ) throws -> [Quake] {
    let request: NSFetchRequest<Quake> = fetchRequest()
    request.predicate = NSPredicate(format: format, argumentArray: values)
    request.sortDescriptors = [
      NSSortDescriptor(key: "time", ascending: false), NSSortDescriptor(key: "identifier", ascending: true),
    ]
    request.fetchLimit = mostCandidates + 1
    return try context.fetch(request)
  }
}

extension Failure {
  /// - Parameter areAll: whether there are no other candidates.
  static func ambiguousID(_ text: String, _ candidates: [QuakeFacts], areAll: Bool) -> Failure {
    let list = candidates.map { "\($0.identifier) (M \($0.magnitudeText) \($0.placeText))" }.joined(separator: ", ")
    return Failure(
      .usage, "\"\(text)\" can be \(list)\(areAll ? "" : " and others"); type more of the ID")
  }
}
