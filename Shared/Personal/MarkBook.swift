import CoreData
import Foundation

/// Reads the marks of earthquakes, on the queue of its context.
///
/// A mark has the ID that its earthquake had when it was marked, and leads to it as `Quake.find(_:in:)` does.
public struct MarkBook {
  private let context: NSManagedObjectContext
  /// Whether any earthquake is starred or acknowledged.
  public let hasMarks: Bool

  /// - Parameter context: has the Catalog and the user's own data.
  /// - Returns: nil if nothing is marked.
  /// - Throws: what `fetch` throws.
  public init?(in context: NSManagedObjectContext) throws {
    func has(_ format: String) throws -> Bool {
      let request: NSFetchRequest<Mark> = Mark.fetchRequest()
      request.predicate = NSPredicate(format: format)
      request.fetchLimit = 1
      return try context.count(for: request) > 0
    }
    self.context = context
    hasMarks = try has("isStarred == YES") || has("acknowledged != nil")
    guard try hasMarks || has("note != nil") else { return nil }
  }

  /// The marks of earthquakes by their IDs; what is not marked is missing.
  ///
  /// - Parameter identifiers: their own.
  /// - Throws: what `fetch` throws.
  public func marks(of identifiers: [String]) throws -> [String: QuakeMark] {
    try Mark.marks(of: identifiers, in: context).mapValues { QuakeMark($0) }
  }
}

extension Mark {
  /// The marks of earthquakes by their IDs; those that are not marked are missing. Ignores unsaved changes, so that it
  /// costs as much if a million others were marked before.
  ///
  /// - Parameter identifiers: their own.
  static func marks(of identifiers: [String], in context: NSManagedObjectContext) throws -> [String: [Mark]] {
    let own = Set(identifiers)
    let former = try formerIdentifiers(of: identifiers, in: context)
    let marks = try context.fetch(marks("identifier IN %@", [identifiers + former]))
    return try grouped(marks, among: own, in: context)
  }

  /// The own IDs of the earthquakes whose marks satisfy a condition.
  ///
  /// - Throws: what `fetch` throws.
  public static func identifiers(
    where condition: MarkCondition, in context: NSManagedObjectContext
  ) throws -> [String] {
    let marks = try context.fetch(marks(condition.format, []))
    let marked = marks.compactMap(\.identifier)
    let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["identifier"]
    request.predicate = NSPredicate(
      format: "identifier IN %@ AND standing != %@", argumentArray: [marked, Standing.merged.rawValue])
    let own = Set(try context.fetch(request).compactMap { $0["identifier"] as? String })
    return Array(try grouped(marks, among: own, in: context).keys)
  }

  private static func marks(_ format: String, _ values: [Any]) -> NSFetchRequest<Mark> {
    let request: NSFetchRequest<Mark> = fetchRequest()
    request.predicate = NSPredicate(format: format, argumentArray: values)
    request.sortDescriptors = [NSSortDescriptor(key: "identifier", ascending: true)]
    request.includesPendingChanges = false
    request.returnsObjectsAsFaults = false
    return request
  }

  /// The IDs that the earthquakes had, and those of the reports that were merged into them.
  private static func formerIdentifiers(
    of identifiers: [String], in context: NSManagedObjectContext
  ) throws -> [String] {
    let aliases = NSFetchRequest<NSDictionary>(entityName: "Alias")
    aliases.predicate = NSPredicate(format: "quake.identifier IN %@", argumentArray: [identifiers])
    let merged = NSFetchRequest<NSDictionary>(entityName: "Quake")
    merged.predicate = NSPredicate(
      format: "standing == %@ AND main.identifier IN %@", argumentArray: [Standing.merged.rawValue, identifiers])
    return try [aliases, merged].flatMap { request in
      request.resultType = .dictionaryResultType
      request.includesPendingChanges = false
      request.propertiesToFetch = ["identifier"]
      return try context.fetch(request).compactMap { $0["identifier"] as? String }
    }
  }

  /// - Parameter own: IDs that are known to be the own ones of earthquakes.
  /// - Returns: the marks by the own IDs of their earthquakes.
  private static func grouped(
    _ marks: [Mark], among own: Set<String>, in context: NSManagedObjectContext
  ) throws -> [String: [Mark]] {
    var found: [String: [Mark]] = [:]
    for mark in marks {
      guard let identifier = mark.identifier else { continue }
      let current = own.contains(identifier) ? identifier : try Quake.find(identifier, in: context)?.identifier
      if let current { found[current, default: []].append(mark) }
    }
    return found
  }
}

/// The marks to search for.
public enum MarkCondition: Sendable {
  case starred, acknowledged, noted

  fileprivate var format: String {
    switch self {
    case .starred: "isStarred == YES"
    case .acknowledged: "acknowledged != nil"
    case .noted: "note != nil"
    }
  }
}
