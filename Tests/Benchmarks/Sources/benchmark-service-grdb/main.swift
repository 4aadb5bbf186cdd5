import BenchmarkService
import Foundation
import GRDB

// benchmark-service-grdb STORE TASKS SECONDS [sql]: runs the load on a new database and prints the figures. The load reads
// the tags as records and inserts records, as services do; with `sql`, it only runs prepared statements with known keys.

let arguments = CommandLine.arguments
guard arguments.count >= 4, let tasks = Int(arguments[2]), let seconds = Double(arguments[3]) else {
  fatalError("Usage: benchmark-service-grdb STORE TASKS SECONDS [sql]")
}
let usesRecords = !arguments.contains("sql")
let pool = try DatabasePool(path: arguments[1])
try pool.write { db in
  try db.execute(
    sql: """
      CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, added DATETIME);
      CREATE TABLE bookTag (
        bookId INTEGER NOT NULL REFERENCES book(id), tagId INTEGER NOT NULL REFERENCES tag(id),
        PRIMARY KEY (bookId, tagId)) WITHOUT ROWID;
      CREATE INDEX bookTagByTag ON bookTag(tagId, bookId);
      INSERT INTO tag (id, name) VALUES (1, 'first'), (2, 'second');
      """)
}
let figures = try await ServiceLoad(tasks: tasks, seconds: seconds).run(on: arguments[1]) { number in
  try await pool.write { db in
    let (title, now) = ("Book \(number)", Date.now)
    if usesRecords { try insertRecords(title, now, db) } else { try insertRows(title, now, db) }
  }
}
let (books, links) = try pool.read { db in
  (try Int.fetchOne(db, sql: "SELECT count(*) FROM book"), try Int.fetchOne(db, sql: "SELECT count(*) FROM bookTag"))
}
guard let books, let links, books >= figures.saves, links == 2 * books else { fatalError("Saves were lost.") }
try figures.report()

@Sendable func insertRecords(_ title: String, _ added: Date, _ db: Database) throws {
  let tags = try [1, 2].compactMap { try Tag.fetchOne(db, key: $0) }
  var book = Book(title: title, added: added)
  try book.insert(db)
  for tag in tags { try BookTag(bookId: book.id, tagId: tag.id).insert(db) }
}

@Sendable func insertRows(_ title: String, _ added: Date, _ db: Database) throws {
  try db.cachedStatement(sql: "INSERT INTO book (title, added) VALUES (?, ?)")
    .execute(arguments: [title, added.timeIntervalSinceReferenceDate])
  let book = db.lastInsertedRowID
  let link = try db.cachedStatement(sql: "INSERT INTO bookTag (bookId, tagId) VALUES (?, ?)")
  for tag in [1, 2] { try link.execute(arguments: [book, tag]) }
}
