import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// A store's file with changed bytes. The page reader and SQLite return the same rows, or an error.
///
/// The input is a list of changes: three bytes of position, one byte of value. If two bytes are left, they truncate the file.
@Sendable func pages(_ input: [UInt8]) {
  var bytes = PageFile.intact
  for change in stride(from: 0, to: input.count - 3, by: 4) {
    let position = Int(input[change]) << 16 | Int(input[change + 1]) << 8 | Int(input[change + 2])
    bytes[position % bytes.count] = input[change + 3]
  }
  if input.count % 4 == 2 {
    bytes = bytes.prefix((Int(input[input.count - 2]) << 8 | Int(input[input.count - 1])) % bytes.count)
  }
  guard FileManager.default.createFile(atPath: PageFile.path, contents: bytes),
    let connection = try? Connection(path: PageFile.path, mode: .immutable, busyTimeout: 1)
  else { return }
  defer { connection.close() }
  compare(connection)
}

/// Rows with values of any type in any column, read by the page reader and by SQLite.
@Sendable func rows(_ input: [UInt8]) {
  var input = InputReader(input)
  let connection = RowFile.connection
  do {
    try connection.run("DELETE FROM ZTHING")
    while !input.isAtEnd {
      let key = input.byte() % 8 == 0 ? input.integer() : Int64(input.byte())
      // Entity and version usually have valid values.
      try input.insert(into: "ZTHING", on: connection, key: key, defaultValues: ["Z_ENT": 1, "Z_OPT": 2])
    }
  } catch {
    fatalError("\(error)")
  }
  compare(connection)
}

private func compare(_ connection: Connection) {
  guard let scanned = try? connection.scan() else { return }
  let read: [String]
  do { read = try connection.read() } catch { fatalError("SQLite rejects what the page reader read: \(error)") }
  promise(
    scanned == read, "we read\n\(scanned.joined(separator: "\n"))\nand SQLite\n\(read.joined(separator: "\n"))")
}

private enum PageFile {
  static let path = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-pages-\(getpid())").path

  /// A store of small pages, so that there are inner pages, overflow and free ones.
  static let intact: Data = {
    do {
      let connection = try store(at: path)
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

  static func store(at path: String) throws -> Connection {
    unlink(path)
    let connection = try Connection(path: path, mode: .create, busyTimeout: 1)
    for pragma in ["page_size = 512", "journal_mode = DELETE"] { try connection.run("PRAGMA \(pragma)") }
    for statement in SchemaWriter(schema: PageModel.schema).tables { try connection.run(statement) }
    return connection
  }
}

private enum RowFile {
  static let connection: Connection = {
    do {
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-rows-\(getpid())").path
      let connection = try PageFile.store(at: path)
      // These rows are not needed later.
      for pragma in ["journal_mode = MEMORY", "synchronous = OFF"] { try connection.run("PRAGMA \(pragma)") }
      return connection
    } catch {
      fatalError("\(error)")
    }
  }()
}
