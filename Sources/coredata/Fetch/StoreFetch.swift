#if DeveloperTool
import ArgumentParser
import CoreData
import Foundation

/// `coredata store fetch`: prints objects.
struct StoreFetch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch", abstract: "Print the objects of an entity that match a predicate.",
    discussion: """
      The predicate is in the format language of NSPredicate: 'title BEGINSWITH[c] "a" AND author.name != nil'. Text \
      that is compared with a date is read as ISO 8601, and text that is compared with an object as its ID: \
      'due < "2026-01-31" AND author == "Author/p1"'.

      Dates are in ISO 8601, data in base64, objects as the URIs of their IDs, and to-many relationships as lists of \
      these in JSON and as numbers elsewhere. The text form truncates long values and shortens URIs; --json and --csv do not. \
      In CSV, control characters become blanks. The key paths 'objectID' and 'entity' are available for every object.
      """)

  @OptionGroup var store: StorePath

  @Argument(help: ArgumentHelp("The entity; its subentities are included.", valueName: "entity"))
  var entity: String

  @Argument(help: ArgumentHelp("The predicate (default: all objects).", valueName: "predicate"))
  var predicate: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Key paths to sort by, a descending one after a minus: name,-due.", valueName: "keys"))
  var sort: String?

  @Option(help: "The maximum number of objects.")
  var limit: Int?

  @Option(help: ArgumentHelp("The key paths to print: name,author.name (default: all properties).", valueName: "keys"))
  var properties: String?

  @OptionGroup var source: ModelOption

  @Flag(help: "Print a JSON array, one object per line.")
  var json = false

  @Flag(help: "Print comma-separated values.")
  var csv = false

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    if json && csv { throw ValidationError("--json and --csv exclude each other.") }
  }

  func run() throws {
    let url = try store.url()
    let opened = try ToolStore.reading(url, model: source.model(of: url))
    let entity = try opened.entity(named: self.entity)
    let request = NSFetchRequest<NSManagedObjectID>(entityName: self.entity)
    if let predicate {
      request.predicate = try FetchPredicate(entity: entity, store: opened.store).predicate(predicate)
    }
    request.sortDescriptors = try Self.list(sort).map { try Self.sortDescriptor($0, of: entity) }
    request.fetchLimit = limit ?? 0
    let given = try properties.map { try Self.list($0).map { try ColumnPath($0, of: entity) } }
    let paths = given ?? ColumnPath.all(of: entity)
    var output: any FetchOutput =
      if json { JSONFetchOutput(given) } else if csv { CSVFetchOutput(paths) } else {
        TextFetchOutput(given, of: entity)
      }
    try ObjectReader(opened).forEachPage(
      of: request,
      prefetching: { own in
        given == nil && json ? ColumnPath.all(of: own).flatMap(\.prefetched) : paths.flatMap(\.prefetched)
      }
    ) { try output.write($0) }
    try output.end()
  }

  private static func list(_ text: String?) -> [String] {
    text?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
  }

  private static func sortDescriptor(_ text: String, of entity: NSEntityDescription) throws -> NSSortDescriptor {
    let key = text.hasPrefix("-") ? String(text.dropFirst()) : text
    guard case .attribute = try ColumnPath(key, of: entity).end else {
      throw ToolFailure(.usage, "cannot sort by '\(key)': it is not an attribute")
    }
    return NSSortDescriptor(key: key, ascending: !text.hasPrefix("-"))
  }
}
#endif
