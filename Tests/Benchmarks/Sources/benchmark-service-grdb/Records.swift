import Foundation
import GRDB

// Records as GRDB's documentation recommends them.

struct Tag: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "tag"

  var id: Int64
  var name: String
}

struct Book: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "book"

  var id: Int64?
  var title: String
  var added: Date

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct BookTag: Codable, PersistableRecord {
  static let databaseTableName = "bookTag"

  var bookId: Int64?
  var tagId: Int64
}
