import CoreData
import Foundation

/// Writes fetched objects page by page.
protocol FetchOutput {
  mutating func write(_ objects: [NSManagedObject]) throws
  mutating func end() throws
}

/// A JSON array with an object on each line.
struct JSONFetchOutput: FetchOutput {
  /// The properties; nil for all that an object has, which may be of a subentity.
  let paths: [ColumnPath]?
  private var count = 0
  /// By entity name.
  private var known: [String: [ColumnPath]] = [:]

  init(_ paths: [ColumnPath]?) { self.paths = paths }

  mutating func write(_ objects: [NSManagedObject]) throws {
    for object in objects {
      let members = paths(of: object.entity).map { JSONNode.Member($0.text, $0.value(of: object).json) }
      print(count == 0 ? "[" : ",", terminator: "\n")
      print(JSONNode.members(members).line, terminator: "")
      count += 1
    }
  }

  mutating func end() { print(count == 0 ? "[]" : "\n]") }

  private mutating func paths(of entity: NSEntityDescription) -> [ColumnPath] {
    if let paths { return paths }
    let name = entity.name ?? ""
    if let paths = known[name] { return paths }
    let paths = ColumnPath.all(of: entity)
    known[name] = paths
    return paths
  }
}

/// Comma-separated values with a line of names. A row is one line: control characters in texts become blanks.
struct CSVFetchOutput: FetchOutput {
  let paths: [ColumnPath]

  init(_ paths: [ColumnPath]) {
    self.paths = paths
    print(Self.line(paths.map(\.text)))
  }

  func write(_ objects: [NSManagedObject]) throws {
    for object in objects { print(Self.line(paths.map { $0.value(of: object).text })) }
  }

  func end() {}

  /// See RFC 4180.
  private static func line(_ cells: [String]) -> String {
    cells.map { cell in
      let text = Console.printable(cell)
      return text.unicodeScalars.contains { ",\"".unicodeScalars.contains($0) } || text.first == " " || text.last == " "
        ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
    }.joined(separator: ",")
  }
}

/// A table. The rows of the first page decide how wide the columns are.
struct TextFetchOutput: FetchOutput {
  let paths: [ColumnPath]
  private var widths: [Int] = []

  /// - Parameter given: the properties; nil for all. The short form of an ID names the entity, too.
  init(_ given: [ColumnPath]?, of entity: NSEntityDescription) {
    paths = given ?? ColumnPath.all(of: entity).filter { if case .entity = $0.end { false } else { true } }
  }

  mutating func write(_ objects: [NSManagedObject]) throws {
    var rows = objects.map { object in paths.map { Console.printable($0.value(of: object).shortText) } }
    if widths.isEmpty {
      rows.insert(paths.map { Console.printable($0.text) }, at: 0)
      widths = paths.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    }
    for row in rows { print(Console.line(row, widths: widths)) }
  }

  mutating func end() { if widths.isEmpty { Console.printError("coredata: nothing found") } }
}
