import Foundation
import SwiftData

/// Values of every kind that an attribute can have.
@Model public final class Book {
  #Index<Book>([\.title], [\.title, \.pages])
  #Unique<Book>([\.title, \.edition])

  // MARK: Attributes

  @Attribute(.unique, originalName: "name") public var title: String
  var pages = 3
  var edition: Int?
  var rating: Optional<Double>
  var price: Decimal = 9.99
  var published: Date = .now
  var tags: [String] = []
  var identifier = UUID()
  var isbn: String!
  public private(set) var printings: Int = 1

  /// A keyword, and a name that needs backticks everywhere.
  var `default`: Bool = false
  var `first line`: String = """
    It was
      a dark and stormy night.
    """

  #if os(Linux)
  var inode: Int = 0
  #else
  var fileNumber: Int = 0
  #endif

  // MARK: Relationships

  @Relationship(deleteRule: .cascade, inverse: \Note.book) var notes: [Note] = []
  var author: Author?

  // MARK: Not persisted

  @Transient var isOpen = false
  @Transient lazy var words: [Substring] = title.split(separator: " ")
  static let shelf = "A"
  nonisolated(unsafe) static var count = 0 { didSet {} }
  var observed = 1 {
    didSet { changes += 1 }
  }
  @Transient var changes = 0
  var heading: String { title.uppercased() }
  var length: Int {
    get { pages }
    set { pages = newValue }
  }

  public init(title: String, rating: Double? = nil) {
    self.title = title
    self.rating = rating
  }

  func read() -> Int {
    var left = pages
    while left > 0 { left -= 1 }
    return left
  }
}

@Model final class Note {
  var text: String
  var book: Book?

  init(text: String) { self.text = text }
}

/// A model without values, in a file with models that refer to each other.
@Model class Author {
  var name: String
  @Relationship(inverse: \Book.author) var books: [Book]?

  init(name: String) { self.name = name }
}

public enum ShelfSchema {
  struct Size: Codable {
    var width = 1.0
    var height = 2.0
  }

  @Model final class Shelf {
    var size = Size()
    var kind: Kind = Kind.wood
    @Attribute(.externalStorage) var picture: Data?
    @Attribute(.transformable(by: ShelfColorTransformer.self)) var color: Color?

    init() {}

    enum Kind: String, Codable { case wood, steel }
  }
}

struct Color: Equatable { var red = 0.5 }

final class ShelfColorTransformer: ValueTransformer {}

extension ShelfSchema {
  @Model final class Room {
    @Attribute(hashModifier: "2") var name: String
    var floor = 0

    init(name: String) { self.name = name }
  }
}

// MARK: Inheritance

@Model class Trip {
  var name: String
  var days: Int = 1

  init(name: String) { self.name = name }
}

@Model class BusinessTrip: Trip {
  var allowance: Double = 10
  var company: String?

  init(name: String, allowance: Double) {
    self.allowance = allowance
    super.init(name: name)
  }
}

@Model final class Conference: BusinessTrip {
  var talks: [String]

  init(talks: [String]) {
    self.talks = talks
    super.init(name: "Conference", allowance: 20)
  }
}

// MARK: Access levels

extension ShelfSchema {
  @Model public final class Desk {
    var width = 1
    var owner: Author
    @Attribute(.unique) public var id: UUID = UUID()

    init(owner: Author) { self.owner = owner }
  }
}

@Model open class Furniture {
  public var material: String
  package var parts: [String: Int] = [:]

  public init(material: String) { self.material = material }
}

@Model package class Table: Furniture, Codable {
  var legs: Int

  private enum CodingKeys: CodingKey { case legs }

  package init(legs: Int) {
    self.legs = legs
    super.init(material: "wood")
  }

  package required init(from decoder: any Decoder) throws {
    legs = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .legs)
    super.init(material: "wood")
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(legs, forKey: .legs)
  }
}

@Model final class Secret {
  private var word = "sesame"
  var link: URL?
  var table: Table?
  var tables: [Table] = []

  init() {}
}

@Model private final class Hidden {
  private var word = ""
  fileprivate var secret: Secret?

  init() {}
}
