import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// An entity with an attribute of each kind, a subentity, and a relationship.
enum PageModel {
  static let model: NSManagedObjectModel = {
    let kinds: [(String, NSAttributeDescription.AttributeType)] = [
      ("amount", .decimal), ("bytes", .binaryData), ("flag", .boolean), ("large", .integer64), ("link", .uri),
      ("moment", .date), ("photo", .binaryData), ("real", .double), ("small", .integer16), ("text", .string),
      ("token", .uuid),
    ]
    let (thing, part) = (NSEntityDescription(), NSEntityDescription())
    (thing.name, part.name) = ("Thing", "Part")
    thing.properties = kinds.map { name, type in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.type, attribute.isOptional) = (name, type, true)
      attribute.allowsExternalBinaryDataStorage = name == "photo"
      return attribute
    }
    let whole = NSRelationshipDescription()
    (whole.name, whole.maxCount, whole.destinationEntity) = ("whole", 1, thing)
    part.properties = [whole]
    thing.subentities = [part]
    let model = NSManagedObjectModel()
    model.entities = [thing, part]
    return model
  }()

  static let schema: StoreSchema = {
    do { return try StoreSchema(model: model, dialect: .sqlite) } catch { fatalError("\(error)") }
  }()

  static let layout: EntityLayout = {
    guard let layout = schema.model.layouts.first(where: { $0.name == "Thing" }) else {
      fatalError("The model has no Thing.")
    }
    return layout
  }()

  /// Returns all contents of a row, with text as bytes.
  static func text(_ row: Row) -> String {
    let values = row.layout.slots.indices.map { slot in
      if case .string(let text) = row[slot] { return "\(Array(text.utf8))" }
      return "\(row[slot])"
    }
    return "\(row.id) \(row.version) \(values.joined(separator: " "))"
  }
}

/// Two ways to read the rows of the model's table.
extension Connection {
  /// Reads the rows with SQLite.
  func read() throws -> [String] {
    let (statement, shape) = try SelectWriter(schema: PageModel.schema).rows(FetchQuery(layout: PageModel.layout))
    let fetcher = RowFetcher(shape: shape, schema: PageModel.schema, store: 1, path: path)
    return Self.texts(try fetcher.rows(of: self.statement(statement.text)))
  }

  /// Reads the rows from the pages.
  /// - Returns: nil if SQLite has to read the table.
  func scan() throws -> [String]? {
    let writer = SelectWriter(schema: PageModel.schema)
    let shape = try writer.rows(FetchQuery(layout: PageModel.layout)).shape
    let fetcher = RowFetcher(shape: shape, schema: PageModel.schema, store: 1, path: path)
    return try fetcher.rows(ofTable: "ZTHING", on: self) {
      try statement(writer.rows(of: PageModel.layout, .one).text)
    }.map(Self.texts)
  }

  private static func texts(_ list: RowList) -> [String] { list.rows.map(PageModel.text).sorted() }
}
