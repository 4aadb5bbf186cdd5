import Foundation
import SwiftData

// Models of every attribute type that a store has as it is.

@Model final class Novel {
  @Attribute(.unique) var title: String
  var pages: Int = 1
  var rating: Double?
  var isRead = false
  var added: Date = Date(timeIntervalSinceReferenceDate: 0)
  var cover: Data?
  var page: URL?
  var price: Decimal?
  var number: Int16 = 7
  var weight: Float?
  var identifier: UUID = UUID()
  var genre: Genre = Genre.crime
  var secondGenre: Genre?
  var writer: Writer?
  @Relationship(deleteRule: .cascade, inverse: \Review.novel) var reviews: [Review] = []
  @Transient var isOpen = false

  init(title: String, pages: Int = 1, writer: Writer? = nil) {
    (self.title, self.pages, self.writer) = (title, pages, writer)
  }

  enum Genre: String, Codable { case crime, love }
}

@Model final class Writer {
  var name: String
  var novels: [Novel] = []

  init(name: String) { self.name = name }
}

@Model final class Review {
  var text: String
  var novel: Novel?

  init(text: String) { self.text = text }
}
