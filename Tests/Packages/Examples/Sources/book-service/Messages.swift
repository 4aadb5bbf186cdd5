import Hummingbird

// The bodies of requests and responses. Values only: managed objects stay on the queues of their contexts.

/// The body of `POST /books`.
struct NewBook: Decodable, Sendable {
  var isbn: String
  var title: String
  var pages: Int32?
  var tags: [String]?
}

/// The body of `PATCH /books/ISBN`: what it leaves out stays as it is.
struct BookChange: Decodable, Sendable {
  var title: String?
  var pages: Int32?
}

struct BookMessage: ResponseEncodable, Sendable {
  var isbn: String
  var title: String
  var pages: Int32
  var tags: [String]
  /// Counts the changes, for the header fields `ETag` and `If-Match`.
  var revision: Int64
}

struct TagMessage: ResponseEncodable, Sendable {
  var name: String
  var books: Int
}

/// An event of `GET /changes`: the ISBNs of the books in one commit of any process.
struct CommitMessage: Encodable, Sendable {
  var inserted: [String] = []
  var updated: [String] = []
  var deleted: [String] = []

  /// Whether the commit changed no book.
  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
