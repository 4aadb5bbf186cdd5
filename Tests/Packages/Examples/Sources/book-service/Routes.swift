import Foundation
import Hummingbird
import ServiceLifecycle

/// The routes of the service.
func makeRouter(_ shop: BookShop, _ feed: ChangeFeed) -> Router<BasicRequestContext> {
  let router = Router()
  router.add(middleware: StoreErrors())

  router.post("books") { request, context in
    guard let book = try await shop.add(request.decode(as: NewBook.self, context: context)) else {
      throw HTTPError(.conflict)
    }
    var response = try respond(with: book, to: request, context)
    response.status = .created
    return response
  }

  // ?after=ISBN&tag=NAME&limit=COUNT
  router.get("books") { request, _ in
    let query = request.uri.queryParameters
    let limit = query.get("limit", as: Int.self) ?? 100
    // A limit of 0 would mean all books.
    guard (1...1_000).contains(limit) else { throw HTTPError(.badRequest, message: "The limit is from 1 to 1000.") }
    return try await shop.books(after: query.get("after") ?? "", tag: query.get("tag"), limit: limit)
  }

  router.get("books/:isbn") { request, context in
    guard let book = try await shop.book(context.parameters.require("isbn")) else { throw HTTPError(.notFound) }
    return try respond(with: book, to: request, context)
  }

  router.patch("books/:isbn") { request, context in
    guard let revision = request.headers[.ifMatch].flatMap(revision(of:)) else {
      throw HTTPError(.preconditionRequired, message: "Send If-Match with the ETag of the book.")
    }
    let change = try await request.decode(as: BookChange.self, context: context)
    guard let book = try await shop.change(context.parameters.require("isbn"), revision: revision, by: change) else {
      throw HTTPError(.notFound)
    }
    return try respond(with: book, to: request, context)
  }

  router.delete("books/:isbn") { _, context -> HTTPResponse.Status in
    try await shop.remove(context.parameters.require("isbn")) ? .noContent : .notFound
  }

  router.get("tags") { _, _ in try await shop.tags() }

  // Server-sent events: the commits of all processes, until the client or the service ends the response.
  router.get("changes") { _, _ in
    let commits = feed.commits()
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: ResponseBody { writer in
        try await writer.write(ByteBuffer(string: ": listening\n\n"))
        for await commit in commits.cancelOnGracefulShutdown() {
          let json = String(decoding: try JSONEncoder().encode(commit), as: UTF8.self)
          try await writer.write(ByteBuffer(string: "data: \(json)\n\n"))
        }
        try await writer.finish(nil)
      })
  }
  return router
}

/// A book with its revision as the entity tag.
private func respond(
  with book: BookMessage, to request: Request, _ context: some RequestContext
) throws -> Response {
  var response = try book.response(from: request, context: context)
  response.headers[.eTag] = "\"\(book.revision)\""
  return response
}

private func revision(of tag: String) -> Int64? {
  tag.hasPrefix("\"") && tag.hasSuffix("\"") ? Int64(tag.dropFirst().dropLast()) : nil
}
