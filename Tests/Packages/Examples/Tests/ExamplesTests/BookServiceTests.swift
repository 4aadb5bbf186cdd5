import Foundation
import Testing

struct BookServiceTests {
  private let home: TemporaryFolder
  private var store: String { home.url.appendingPathComponent("Catalog.sqlite").path }

  init() throws { home = try TemporaryFolder() }

  /// A process of the service, and a client for it.
  private struct Service {
    let program: Program
    let client: WebClient

    /// - Returns: whether the service has ended as it should after a signal.
    func ends(after signal: Int32 = SIGTERM) async -> Bool {
      program.signal(signal)
      return await program.status() == 0
    }
  }

  private func start() async throws -> Service {
    let program = try Program("book-service", [store, "0"], home: home)
    #expect(await eventually { !program.lines.isEmpty }, "\(program.errorLines)")
    let port = try #require(program.lines.first?.split(separator: " ").last.flatMap { Int($0) })
    return Service(program: program, client: WebClient(port: port))
  }

  private struct Book: Decodable, Equatable {
    var isbn: String
    var title: String
    var pages: Int
    var tags: [String]
    var revision: Int
  }

  private struct Tag: Decodable, Equatable {
    var name: String
    var books: Int
  }

  private func book(_ isbn: Int, tags: String = #""physics", "classic""#) -> String {
    #"{"isbn": "\#(isbn)", "title": "Book \#(isbn)", "pages": \#(isbn), "tags": [\#(tags)]}"#
  }

  /// Adds books by concurrent requests, which alternate between the clients.
  /// - Returns: the ISBNs of those that got a response, with its status. A service that ends refuses connections, and closes those
  ///   whose requests it has not read.
  private func add(_ isbns: Range<Int>, with clients: [WebClient]) async -> [Int: Int] {
    await withTaskGroup(of: (Int, Int?).self) { group in
      for isbn in isbns {
        let client = clients[isbn % clients.count]
        group.addTask { (isbn, try? await client.send("POST", "books", book(isbn)).status) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  @Test func `concurrent requests to two processes add books with the same new tags`() async throws {
    let services = [try await start(), try await start()]
    let statuses = await add(100..<140, with: services.map(\.client))
    #expect(statuses == Dictionary(uniqueKeysWithValues: (100..<140).map { ($0, 201) }))
    // Each process has the commits of both.
    for service in services {
      let tags = try await service.client.send("GET", "tags").decoded(as: [Tag].self)
      #expect(tags == [Tag(name: "classic", books: 40), Tag(name: "physics", books: 40)])
      let page = try await service.client.send("GET", "books?after=109&tag=physics&limit=5").decoded(as: [Book].self)
      #expect(page.map(\.isbn) == ["110", "111", "112", "113", "114"])
      let first = Book(isbn: "110", title: "Book 110", pages: 110, tags: ["classic", "physics"], revision: 1)
      #expect(page.first == first)
    }
    for service in services { #expect(await service.ends()) }
    // The last process to close the store checkpointed its log.
    #expect(!FileManager.default.fileExists(atPath: store + "-wal"))
  }

  @Test func `a client of one process receives the commits of the other`() async throws {
    let services = [try await start(), try await start()]
    let listener = services[0].client.listen(to: "changes")
    #expect(await eventually { listener.text.hasPrefix(": listening") })
    let writer = services[1].client
    // Waits for each event, because a book that is already deleted has no ISBN in the events before its deletion.
    #expect(try await writer.send("POST", "books", book(1)).status == 201)
    #expect(await eventually { listener.text.contains(#""inserted":["1"]"#) })
    #expect(try await writer.send("PATCH", "books/1", #"{"pages": 2}"#, ifMatch: #""1""#).status == 200)
    #expect(await eventually { listener.text.contains(#""updated":["1"]"#) })
    #expect(try await writer.send("DELETE", "books/1").status == 204)
    #expect(await eventually { listener.text.contains(#""deleted":["1"]"#) })
    #expect(listener.text.components(separatedBy: "data: ").count == 4)
    // A response without an end does not keep the service from ending.
    for service in services { #expect(await service.ends()) }
    #expect(await eventually { listener.isEnded })
  }

  @Test(arguments: [SIGTERM, SIGINT]) func `a signal ends the service after the accepted requests`(
    signal: Int32
  ) async throws {
    let service = try await start()
    let client = service.client
    async let answers = add(1_000..<1_400, with: [client])
    // The signal comes in the middle.
    #expect(
      await eventually {
        let tags = try? await client.send("GET", "tags").decoded(as: [Tag].self)
        return tags?.first?.books ?? 0 >= 20
      })
    #expect(await service.ends(after: signal))
    let statuses = await answers
    #expect(statuses.count >= 20 && statuses.values.allSatisfy { $0 == 201 })
    #expect(!FileManager.default.fileExists(atPath: store + "-wal"))
    // The store has the books of the requests that got a response, and no others: the service has dropped no request after it
    // began to work on it.
    let again = try await start()
    let stored = try await again.client.send("GET", "books?limit=1000").decoded(as: [Book].self).map(\.isbn)
    #expect(Set(statuses.keys.map(String.init)) == Set(stored))
    #expect(await again.ends())
  }

  @Test func `only one of two changes of the same revision succeeds`() async throws {
    let services = [try await start(), try await start()]
    #expect(try await services[0].client.send("POST", "books", book(7)).tag == #""1""#)
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for pages in 0..<8 {
        let client = services[pages % 2].client
        group.addTask {
          try await client.send("PATCH", "books/7", #"{"pages": \#(pages)}"#, ifMatch: #""1""#).status
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.sorted() == [200] + Array(repeating: 412, count: 7))
    let changed = try await services[1].client.send("GET", "books/7")
    #expect(changed.tag == #""2""#)
    #expect(try changed.decoded(as: Book.self).tags == ["classic", "physics"])
    for service in services { #expect(await service.ends()) }
  }

  @Test func `a request that fails gets the status of its error`() async throws {
    let service = try await start()
    let client = service.client
    #expect(try await client.send("POST", "books", book(1)).status == 201)
    #expect(try await client.send("POST", "books", book(1)).status == 409)
    #expect(try await client.send("POST", "books", #"{"isbn": "2", "title": ""}"#).status == 422)
    #expect(try await client.send("POST", "books", #"{"isbn": "2", "title": "A", "pages": -1}"#).status == 422)
    #expect(try await client.send("POST", "books", #"{"isbn": "2"}"#).status == 400)
    #expect(try await client.send("GET", "books?limit=0").status == 400)
    #expect(try await client.send("GET", "books/2").status == 404)
    #expect(try await client.send("DELETE", "books/2").status == 404)
    #expect(try await client.send("PATCH", "books/1", #"{"pages": 2}"#).status == 428)
    #expect(try await client.send("PATCH", "books/1", #"{"pages": 2}"#, ifMatch: #""3""#).status == 412)
    #expect(try await client.send("PATCH", "books/2", #"{"pages": 2}"#, ifMatch: #""1""#).status == 404)
    #expect(try await client.send("GET", "books").decoded(as: [Book].self).map(\.isbn) == ["1"])
    #expect(await service.ends())
  }
}
