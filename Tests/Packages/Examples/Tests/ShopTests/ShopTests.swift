import Books
import CoreData
import Foundation
import Shop
import Testing

/// A class of the test target, for a model built in code.
final class Note: NSManagedObject {
  @NSManaged var text: String?
  @NSManaged var length: Int
}

struct ShopTests {
  private func container(_ name: String) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: name)
    container.persistentStoreDescriptions.first?.type = NSInMemoryStoreType
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }

  @Test func `handwritten and generated classes work together`() throws {
    let context = try container("Books").newBackgroundContext()
    try context.performAndWait {
      let author = Author(context: context)
      author.name = "Newton"
      author.rating += 4.5
      let book = Book(context: context)
      book.title = "Principia"
      book.genre = .science
      book.price += 12.5
      book.link = URL(string: "https://example.org/principia")
      book.split("axiomata sive leges motus")
      author.addToBooks(book)
      for number in 1...3 {
        let page = Page(context: context)
        page.number = Int64(number)
        book.insertIntoPages(page, at: 0)
      }
      book.removeFromPages(at: 1)
      let novel = Novel(context: context)
      novel.chapters = 7
      novel.title = "Emma"
      try context.save()
      context.reset()

      let request = Book.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.title, ascending: false)]
      let books = try #require(try context.fetch(request) as? [Book])
      #expect(books.map(\.title) == ["Principia", "Emma"])
      let found = try #require(books.first)
      #expect(found.author?.name == "Newton")
      #expect(found.author?.rating == 4.5)
      #expect(found.genre == .science)
      #expect(found.price == 12.5)
      #expect(found.words == ["axiomata", "sive", "leges", "motus"])
      #expect(found.added == Date(timeIntervalSinceReferenceDate: 1))
      #expect(found.id != nil && found.link != nil && found.cover == nil && !found.isRead)
      #expect((found.pages?.array as? [Page])?.map(\.label) == ["page 3 of Principia", "page 1 of Principia"])
      #expect((books.last as? Novel)?.chapters == 7)
      let authors: NSFetchRequest<Author> = Author.fetchRequest()
      #expect(try context.fetch(authors).map(\.books?.count) == [1])
    }
  }

  /// `Books` also declares an overload of `performAndWait`.
  @Test func `a library may overload a method of the framework`() throws {
    let context = try container("Books").newBackgroundContext()
    let count = context.performAndWait { context.registeredObjects.count + 1 }
    let title = try context.performAndWait { try context.fetch(Book.fetchRequest()).count }
    context.performAndWait { _ = Author(context: context) }
    let plain: (() -> Void) -> Void = context.performAndWait
    var runs = 0
    plain { runs += 1 }
    #expect(count == 1 && title == 0 && runs == 1)
    let next = context.persistentStoreCoordinator?.performAndWait { runs + 1 }
    #expect(next == 2)
  }

  @MainActor @Test func `classes of the main actor work`() throws {
    let sale = Sale(context: try container("Shop").viewContext)
    sale.count += 1
    sale.genre = .poetry
    #expect(sale.summary == "2 of poetry")
    #expect(sale.time == nil)
  }

  @Test func `a test target can declare managed classes`() throws {
    let entity = NSEntityDescription()
    entity.name = "Note"
    entity.managedObjectClassName = NSStringFromClass(Note.self)
    let text = NSAttributeDescription()
    (text.name, text.attributeType) = ("text", .stringAttributeType)
    let length = NSAttributeDescription()
    (length.name, length.attributeType) = ("length", .integer64AttributeType)
    entity.properties = [text, length]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    let context = container.newBackgroundContext()
    context.performAndWait {
      let note = Note(entity: entity, insertInto: context)
      note.text = "short"
      note.length = note.text?.count ?? 0
      #expect(note.length == 5)
    }
  }

  @Test func `a copied program contains its models`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appendingPathComponent("report")
    let built = Bundle.main.bundleURL.appendingPathComponent("shop-report")
    // Copied by another process: if a test starts a process while this one writes the program, running it fails.
    let copy = try Process.run(URL(fileURLWithPath: "/bin/cp"), arguments: [built.path, program.path])
    copy.waitUntilExit()
    let process = Process()
    process.executableURL = program
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(
      output == """
        Books: Author is Books.Author
        Books: Book is Books.Book
        Books: Novel is Books.Novel
        Books: Page is Books.Page
        Shop: Sale is Shop.Sale

        """)
  }
}
