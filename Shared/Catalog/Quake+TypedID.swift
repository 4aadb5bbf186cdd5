import CoreData
import Foundation

extension Quake {
  /// Fewer characters are of many IDs.
  private static let minimumPartLength = 3
  /// The maximum number of IDs listed for an ambiguous one: a longer list does not help to choose.
  private static let maximumCandidates = 10

  /// The earthquake that a typed text identifies: by its ID, current or former; by the ID without its network; or by at
  /// least three characters at the beginning or the end of one of its IDs, with or without its network, if no other
  /// earthquake matches.
  ///
  /// Exact IDs win over partial matches, so new earthquakes rarely change what an ID resolves to.
  ///
  /// - Returns: nil if no earthquake matches.
  /// - Throws: `Failure` with status 2 if several match, which it lists; what `fetch` throws.
  public static func find(typed text: String, in context: NSManagedObjectContext) throws -> Quake? {
    if let quake = try find(text, in: context) { return quake }
    guard text.count >= minimumPartLength else { return nil }
    var found = try candidates("code ==[c] %@", [text], in: context)
    if found.isEmpty {
      let part = "identifier BEGINSWITH[c] %@ OR identifier ENDSWITH[c] %@"
      found = try candidates("\(part) OR code BEGINSWITH[c] %@", [text, text, text], in: context)
      let aliases = Alias.fetchRequest()
      aliases.predicate = NSPredicate(format: part, argumentArray: [text, text])
      aliases.fetchLimit = maximumCandidates + 1
      for quake in try context.fetch(aliases).compactMap(\.quake) where !found.contains(quake) { found.append(quake) }
    }
    let meant = found.reduce(into: [Quake]()) { meant, quake in
      let quake = quake.standingValue == .merged ? quake.main ?? quake : quake
      if !meant.contains(quake) { meant.append(quake) }
    }
    guard meant.count > 1 else { return meant.first }
    throw Failure.ambiguousID(
      text, meant.prefix(maximumCandidates).map(\.facts), areAll: meant.count <= maximumCandidates)
  }

  private static func candidates(
    _ format: String, _ values: [Any], in context: NSManagedObjectContext
  ) throws -> [Quake] {
    let request: NSFetchRequest<Quake> = fetchRequest()
    request.predicate = NSPredicate(format: format, argumentArray: values)
    request.sortDescriptors = [
      NSSortDescriptor(key: "time", ascending: false), NSSortDescriptor(key: "identifier", ascending: true),
    ]
    request.fetchLimit = maximumCandidates + 1
    return try context.fetch(request)
  }
}

extension Failure {
  /// - Parameter areAll: whether these are all candidates.
  static func ambiguousID(_ text: String, _ candidates: [QuakeFacts], areAll: Bool) -> Failure {
    let list = candidates.map { "\($0.identifier) (M \($0.magnitudeText) \($0.placeText))" }.joined(separator: ", ")
    return Failure(
      .usage, "\"\(text)\" can be \(list)\(areAll ? "" : " and others"); type more of the ID")
  }
}
