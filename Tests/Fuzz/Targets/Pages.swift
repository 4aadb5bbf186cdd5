import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataSQLiteText

/// An entity with an attribute of each kind.
enum PageModel {
  static let model: NSManagedObjectModel = {
    let kinds: [(String, NSAttributeDescription.AttributeType)] = [
      ("amount", .decimal), ("bytes", .binaryData), ("flag", .boolean), ("large", .integer64), ("link", .uri),
      ("moment", .date), ("real", .double), ("text", .string), ("token", .uuid),
    ]
    let thing = NSEntityDescription()
    thing.name = "Thing"
    thing.properties = kinds.map { name, type in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.type, attribute.isOptional) = (name, type, true)
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [thing]
    return model
  }()

  static let schema: StoreSchema = {
    do { return try StoreSchema(model: model, dialect: .sqlite) } catch { fatalError("\(error)") }
  }()

  static let layout: EntityLayout = {
    guard let layout = schema.model.entitiesByName["Thing"]?.layout else { fatalError("The model has no Thing.") }
    return layout
  }()
}

/// A store's file with bytes changed, read by our reader of pages and by SQLite: the same rows, or an error.
///
/// The input is a list of changes: three bytes of position, one byte of value.
@Sendable func pages(_ input: [UInt8]) {
  var bytes = PageFile.sound
  for change in stride(from: 0, to: input.count - 3, by: 4) {
    let position = Int(input[change]) << 16 | Int(input[change + 1]) << 8 | Int(input[change + 2])
    bytes[position % bytes.count] = input[change + 3]
  }
  let path = PageFile.path
  guard FileManager.default.createFile(atPath: path, contents: bytes) else { return }
  do {
    let connection = try Connection(path: path, mode: .immutable, busyTimeout: 1)
    defer { connection.close() }
    let scanned: [[String]]?
    do { scanned = try PageFile.scan(connection) } catch { return }
    guard let scanned else { return }
    let read: [[String]]
    do { read = try PageFile.read(connection) } catch { fatalError("SQLite refuses what we read: \(error)") }
    promise(scanned == read, "we read\n\(scanned)\nand SQLite\n\(read)")
  } catch {}
}

private enum PageFile {
  static let path = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-pages-\(getpid())").path

  /// A store of small pages, so that there are inner pages, overflow and free ones.
  static let sound: Data = {
    do {
      unlink(path)
      let connection = try Connection(path: path, mode: .create, busyTimeout: 1)
      for pragma in ["page_size = 512", "journal_mode = DELETE"] { try connection.run("PRAGMA \(pragma)") }
      for statement in SchemaWriter(schema: PageModel.schema).tables { try connection.run(statement) }
      for key in 1...60 {
        let text = String(repeating: "a", count: key % 7 == 0 ? 900 : key % 11)
        try connection.run(
          """
          INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZAMOUNT, ZBYTES, ZFLAG, ZLARGE, ZLINK, ZMOMENT, ZREAL, ZTEXT, ZTOKEN)
          VALUES (\(key * 3), 1, \(key), \(key).25, x'0102', \(key % 2), \(key << (key % 40)), 'a:b', \(key * 1_000),
            \(key).5, '\(text)', x'8D3F4C1A0B5E4A529C550123456789AB')
          """)
      }
      connection.close()
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      fatalError("\(error)")
    }
  }()

  static func read(_ connection: Connection) throws -> [[String]] {
    let (statement, shape) = try SelectWriter(schema: PageModel.schema).rows(FetchQuery(layout: PageModel.layout))
    let fetcher = RowFetcher(shape: shape, schema: PageModel.schema, store: 1, path: connection.path)
    return texts(try fetcher.rows(of: connection.statement(statement.text)))
  }

  /// - Returns: nil if SQLite has to read the table.
  static func scan(_ connection: Connection) throws -> [[String]]? {
    let writer = SelectWriter(schema: PageModel.schema)
    let shape = try writer.rows(FetchQuery(layout: PageModel.layout)).shape
    let fetcher = RowFetcher(shape: shape, schema: PageModel.schema, store: 1, path: connection.path)
    return try fetcher.rows(ofTable: "ZTHING", on: connection) {
      try connection.statement(writer.rows(of: PageModel.layout, .one).text)
    }.map(texts)
  }

  private static func texts(_ list: RowList) -> [[String]] {
    list.rows.map { row in ["\(row.id) \(row.version)"] + row.layout.slots.indices.map { "\(row[$0])" } }
      .sorted { $0[0] < $1[0] }
  }
}
