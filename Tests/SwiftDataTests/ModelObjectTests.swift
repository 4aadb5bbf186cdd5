import Foundation
import Observation
import SwiftData
import Synchronization
import Testing

@Suite struct ModelObjectTests {
  @Test func `an object keeps initial values and those of its initializer`() {
    let book = Book(title: "Orlando", rating: 4.5)
    #expect(book.title == "Orlando" && book.rating == 4.5)
    #expect(book.pages == 3 && book.price == 9.99 && book.tags == [] && !book.default && book.printings == 1)
    #expect(book.edition == nil && book.isbn == nil && book.author == nil && book.notes == [])
  }

  @Test func `an object keeps changed values`() {
    let (book, author) = (Book(title: "Orlando"), Author(name: "Virginia"))
    book.title = "The Waves"
    book.edition = 2
    book.isbn = "0-15-694960-2"
    book.`first line` += " The end."
    book.author = author
    book.notes.append(Note(text: "Loud"))
    author.books = [book]
    #expect(book.title == "The Waves" && book.edition == 2 && book.isbn == "0-15-694960-2")
    #expect(book.`first line`.hasSuffix("The end.") && book.author === author && book.notes.map(\.text) == ["Loud"])
    #expect(author.books?.first === book)
    book.author = nil
    #expect(book.author == nil)
  }

  @Test func `transient, observed and computed properties stay as they are`() {
    let book = Book(title: "To the Lighthouse")
    book.isOpen = true
    book.observed = 2
    book.length = 7
    #expect(book.isOpen && book.changes == 1 && book.pages == 7 && book.words.count == 3 && book.read() == 0)
  }

  @Test func `structures, enumerations and transformable values are persisted`() {
    let shelf = ShelfSchema.Shelf()
    shelf.size.width = 3
    shelf.kind = .steel
    shelf.color = Color(red: 1)
    #expect(shelf.size.width == 3 && shelf.kind == .steel && shelf.color == Color(red: 1) && shelf.picture == nil)
  }

  @Test func `models that are Codable are related`() {
    let (secret, table) = (Secret(), Table(legs: 4))
    #expect(secret.table == nil && secret.tables == [])
    secret.table = table
    secret.tables.append(table)
    #expect(secret.table === table && secret.tables == [table] && table.legs == 4 && table.material == "wood")
    #expect(Secret.schemaMetadata.map(\.name) == ["word", "link", "table", "tables"])
  }

  @Test func `a model may have an id of its own`() {
    let desk = ShelfSchema.Desk(owner: Author(name: "Ada"))
    let id: UUID = desk.id
    #expect(desk.id == id && desk.owner.name == "Ada" && desk.persistentModelID.entityName == "Desk")
  }

  @Test func `an object of backing data has its values`() {
    let book = Book(title: "Flush")
    book.pages = 90
    let other = Book(backingData: book.persistentBackingData)
    #expect(other.title == "Flush" && other.pages == 90 && other.persistentModelID == book.persistentModelID)
    #expect(other != book)
  }

  @Test func `an object of a subclass keeps its values and those of its superclasses`() {
    let conference = Conference(talks: ["Slots"])
    #expect(conference.name == "Conference" && conference.days == 1 && conference.talks == ["Slots"])
    #expect(conference.allowance == 20 && conference.company == nil)
    conference.days += 2
    conference.allowance = 5
    conference.talks.append("Rows")
    let trip: Trip = conference
    trip.name = "Congress"
    #expect(conference.days == 3 && conference.allowance == 5 && conference.talks == ["Slots", "Rows"])
    #expect(conference.name == "Congress" && conference.persistentModelID.entityName == "Conference")
  }

  @Test func `an object of a subclass takes over backing data`() {
    let conference = Conference(talks: ["Slots"])
    conference.allowance = 7
    let other = Conference(backingData: conference.persistentBackingData)
    #expect(other.talks == ["Slots"] && other.allowance == 7 && other.name == "Conference")
    other.talks = []
    #expect(conference.talks == [])
  }

  @Test func `observation reports changes of a persisted property`() {
    let book = Book(title: "Orlando")
    let changes = Mutex(0)
    withObservationTracking {
      _ = book.title
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    book.pages = 5
    #expect(changes.withLock(\.self) == 0)
    book.title = "Flush"
    #expect(changes.withLock(\.self) == 1)
  }
}
