import CoreData
import StrataQuakes

/// The user's marks of earthquakes, read as they are shown and kept until something changes.
@MainActor
struct LiveMarks {
  /// Marks of more earthquakes than this are not kept.
  private static let maximumKept = 2000

  private let context: NSManagedObjectContext
  private var book: MarkBook?
  private var isRead = false
  private var known: [String: QuakeMark] = [:]
  private var marked: [MarkCondition: [String]] = [:]

  /// - Parameter context: has the Catalog and the user's own data.
  init(in context: NSManagedObjectContext) {
    self.context = context
  }

  /// Discards what was read, so that it is read again when it is needed.
  mutating func forget() {
    (book, isRead, known, marked) = (nil, false, [:], [:])
  }

  /// The IDs of the earthquakes that have a mark, sorted.
  ///
  /// - Throws: what `fetch` throws.
  mutating func identifiers(where condition: MarkCondition) throws -> [String] {
    if let known = marked[condition] { return known }
    let found = try Mark.identifiers(where: condition, in: context).sorted()
    marked[condition] = found
    return found
  }

  /// Gives earthquakes their marks, and a table the column for marks if any earthquake has one.
  ///
  /// - Throws: what `fetch` throws.
  mutating func mark(_ quakes: inout [QuakeFacts], _ table: inout QuakeTable) throws {
    if !isRead { book = try MarkBook(in: context) }
    isRead = true
    guard let book else { return }
    table.showsMarks = book.hasMarks
    let unknown = quakes.map(\.identifier).filter { known[$0] == nil }
    if !unknown.isEmpty {
      if known.count > Self.maximumKept { known = [:] }
      let found = try book.marks(of: quakes.map(\.identifier))
      for quake in quakes { known[quake.identifier] = found[quake.identifier] ?? QuakeMark() }
    }
    for index in quakes.indices { quakes[index].mark = known[quakes[index].identifier] }
  }
}
