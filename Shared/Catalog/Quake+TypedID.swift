import CoreData
import Foundation

extension Quake {
  /// Fewer characters are of many IDs.
  private static let minimumPartLength = 3
  /// The maximum number of IDs listed for an ambiguous one: a longer list does not help to choose.
  private static let maximumCandidates = 10

  /// The earthquake that a typed text identifies: by its ID, current or former; by the ID without its network; by at least
  /// three characters at the beginning or the end of one of its IDs, with or without its network, if no other earthquake
  /// matches; by the address of its web page; or as `latest`.
  ///
  /// Exact IDs win over partial matches, so new earthquakes rarely change what an ID resolves to.
  ///
  /// - Returns: nil if no earthquake matches.
  /// - Throws: `Failure` with status 2 if several match, which it lists; what `fetch` throws.
  public static func find(typed text: String, in context: NSManagedObjectContext) throws -> Quake? {
    if let quake = try find(text, in: context) { return quake }
    if isLatest(text) { return try newest(in: context) }
    if let ids = idsInAddress(text) {
      for id in ids {
        if let quake = try find(id, in: context) { return quake }
        if let quake = try candidates("code ==[c] %@", [id], in: context).first { return quake }
      }
      return nil
    }
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

  /// Whether a text is the word for the newest earthquake.
  public static func isLatest(_ text: String) -> Bool { text.lowercased() == "latest" }

  private static func newest(in context: NSManagedObjectContext) throws -> Quake? {
    let request: NSFetchRequest<Quake> = fetchRequest()
    request.predicate = QuakeFilter().predicate
    request.sortDescriptors = QuakeQuery().sortDescriptors
    request.fetchLimit = 1
    return try context.fetch(request).first
  }

  /// The parts of the address of a web page that may be an ID, such as the last one of
  /// `https://earthquake.usgs.gov/earthquakes/eventpage/us7000abcd`: the values of its query, and the parts of its path, the
  /// last first.
  ///
  /// - Returns: nil if the text is not an address.
  private static func idsInAddress(_ text: String) -> [String]? {
    guard let address = URLComponents(string: text), ["http", "https"].contains(address.scheme?.lowercased()) else {
      return nil
    }
    let values = (address.queryItems ?? []).compactMap(\.value)
    let parts = address.path.split(separator: "/").reversed().map(String.init)
    return (values + parts).filter { $0.count >= minimumPartLength && $0.contains(where: \.isNumber) }
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
