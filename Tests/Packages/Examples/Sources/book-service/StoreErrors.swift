import CoreData
import Hummingbird

/// Responds to requests whose save or fetch failed, and logs the failure.
struct StoreErrors<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as CocoaError {
      let status = status(for: error.code.rawValue)
      // The text may name files and values of others: it is not for the client.
      context.logger.log(
        level: status.kind == .serverError ? .error : .info,
        "\(request.method) \(request.uri): \(error.localizedDescription)")
      throw HTTPError(status)
    }
  }

  private func status(for code: Int) -> HTTPResponse.Status {
    switch code {
    case 1550...1690: .unprocessableContent  // A value is not valid.
    case 133000: .notFound
    case 133020: .preconditionFailed  // Another task or process changed the object.
    case 133021: .conflict  // A unique value exists already.
    case 134020, 134080, 134090, 134100: .serviceUnavailable
    default: .internalServerError
    }
  }
}
