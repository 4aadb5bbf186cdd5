import FlyingFox
import Foundation
import Synchronization
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

typealias Handler = @Sendable (HTTPRequest) async throws -> HTTPResponse

/// Runs a real server on the loopback interface; `body` gets its base URL.
func withServer(
  _ routes: [String: Handler],
  _ body: (String) async throws -> Void
) async throws {
  let server = HTTPServer(address: .loopback(port: 0), timeout: 600)
  for (route, handler) in routes { await server.appendRoute(HTTPRoute(route), handler: handler) }
  let running = Task { try await server.run() }
  defer { running.cancel() }
  // Other tests may keep the threads busy for a long time.
  try await server.waitUntilListening(timeout: 3600)
  guard case .ip6(_, let port) = await server.listeningAddress else {
    Issue.record("the server has no address")
    return
  }
  try await body("http://[::1]:\(port)")
}

extension WebLimits {
  /// Other tests may keep the server's threads busy for minutes.
  fileprivate static let patient = WebLimits(connectTimeout: 600_000, totalTimeout: 600_000)
}

/// A loaded feed as a value.
private struct Loaded: Sendable {
  var body: Data?
  var validators: Validators?
  var freshness: Duration?
}

/// Loads all URLs concurrently, outside of the test's thread pool, which the server needs.
private func load(
  _ urls: [String], limits: WebLimits = .patient, validators: Validators = Validators()
) async -> [Result<Loaded, FetchFailure>] {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      var results: [Int: Result<Loaded, FetchFailure>] = [:]
      // Fails only when memory is exhausted.
      let loader = try! FeedLoader(limits: limits)
      for (number, url) in urls.enumerated() {
        loader.begin(FeedRequest(name: url, source: .web(url)), unlessUnchanged: validators, number: number)
      }
      while !loader.isIdle {
        for arrival in loader.arrivals(until: nil) {
          results[arrival.number] = arrival.result?.map { answer in
            let body = answer.body.map { body in (try? body.body().read(upTo: body.count)) ?? Data() }
            return Loaded(body: body, validators: answer.validators, freshness: answer.freshness)
          }
        }
      }
      continuation.resume(returning: urls.indices.compactMap { results[$0] })
    }
  }
}

@Suite("Web client") struct WebClientTests {
  private func get(
    _ url: String, _ limits: WebLimits = .patient, _ validators: Validators = Validators()
  ) async -> Result<Loaded, FetchFailure> {
    await load([url], limits: limits, validators: validators)[0]
  }

  private func failure(_ result: Result<Loaded, FetchFailure>) throws -> FetchFailure {
    guard case .failure(let failure) = result else {
      Issue.record("the request succeeded, but should have failed")
      throw CancellationError()
    }
    return failure
  }

  @Test func `a response has its body and validators`() async throws {
    let routes: [String: Handler] = [
      "/feed": { request in
        let agent = request.headers[HTTPHeader("User-Agent")] ?? ""
        return HTTPResponse(
          statusCode: .ok, headers: [.eTag: "\"abc\"", .lastModified: "Tue, 15 Apr 2014 12:14:04 GMT"],
          body: Data(agent.utf8))
      }
    ]
    try await withServer(routes) { base in
      let answer = try await get(base + "/feed").get()
      #expect(String(decoding: answer.body ?? Data(), as: UTF8.self).hasPrefix("quakes-fetch/\(QuakesVersion.text) (+"))
      #expect(answer.validators?.etag == "\"abc\"")
      #expect(answer.validators?.lastModified == "Tue, 15 Apr 2014 12:14:04 GMT")
    }
  }

  @Test func `a conditional request may return no body`() async throws {
    let routes: [String: Handler] = [
      "/feed": { request in
        let isKnown = request.headers[.ifNoneMatch] == "\"abc\"" && request.headers[.ifModifiedSince] == "then"
        return HTTPResponse(statusCode: isKnown ? .notModified : .ok)
      }
    ]
    try await withServer(routes) { base in
      let known = Validators(etag: "\"abc\"", lastModified: "then")
      let second = try await get(base + "/feed", .patient, known).get()
      #expect(second.body == nil && second.validators == nil)
      let first = try await get(base + "/feed").get()
      #expect(first.body == Data())
    }
  }

  @Test func `up to five redirects are followed`() async throws {
    let routes: [String: Handler] = [
      "/hop/*": { request in
        let left = Int(request.path.split(separator: "/").last ?? "") ?? 0
        if left == 0 { return HTTPResponse(statusCode: .ok, body: Data("here".utf8)) }
        return HTTPResponse(statusCode: .found, headers: HTTPHeaders([.location: "/hop/\(left - 1)", .eTag: "old"]))
      }
    ]
    try await withServer(routes) { base in
      let answer = try await get(base + "/hop/5").get()
      #expect(answer.body == Data("here".utf8))
      #expect(answer.validators?.etag == nil)
      let refused = try failure(await get(base + "/hop/6"))
      #expect(refused.failure.status == .badResponse)
      #expect(refused.failure.message.contains("redirects more than 5 times"))
    }
  }

  @Test func `a redirect to a file is refused`() async throws {
    let routes: [String: Handler] = [
      "/feed": { _ in HTTPResponse(statusCode: .found, headers: HTTPHeaders([.location: "file:///etc/hostname"])) }
    ]
    try await withServer(routes) { base in
      guard case .failure = await get(base + "/feed") else {
        Issue.record("a file was read through a redirect")
        return
      }
    }
  }

  @Test func `gzip is decompressed, and the decompressed size is limited`() async throws {
    // `printf '%01000d' 0 | gzip -9n`: a thousand zeros.
    let packed = Data([
      0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x33, 0x30, 0x18, 0x05, 0xA3, 0x60, 0x14, 0x0C,
      0x77, 0x00, 0x00, 0x83, 0x99, 0x5F, 0xA8, 0xE8, 0x03, 0x00, 0x00,
    ])
    let routes: [String: Handler] = [
      "/feed": { request in
        let accepts = request.headers[HTTPHeader("Accept-Encoding")] ?? ""
        guard accepts.contains("gzip") else { return HTTPResponse(statusCode: .badRequest) }
        return HTTPResponse(statusCode: .ok, headers: [.contentEncoding: "gzip"], body: packed)
      }
    ]
    try await withServer(routes) { base in
      let answer = try await get(base + "/feed").get()
      #expect(answer.body == Data(repeating: 0x30, count: 1000))
      var small = WebLimits.patient
      small.maximumSize = 999
      let refused = try failure(await get(base + "/feed", small))
      #expect(refused.failure.status == .badResponse)
    }
  }

  @Test func `HTTP errors have their exit status`() async throws {
    let routes: [String: Handler] = [
      "/gone": { _ in HTTPResponse(statusCode: .notFound) },
      "/busy": { _ in
        HTTPResponse(statusCode: .tooManyRequests, headers: HTTPHeaders([HTTPHeader("Retry-After"): "120"]))
      },
      "/never": { _ in
        HTTPResponse(
          statusCode: .tooManyRequests, headers: HTTPHeaders([HTTPHeader("Retry-After"): "99999999999999999999"]))
      },
      "/broken": { _ in HTTPResponse(statusCode: .serviceUnavailable) },
    ]
    try await withServer(routes) { base in
      let gone = try failure(await get(base + "/gone"))
      #expect(gone.failure.status == .badResponse && gone.failure.message.contains("404"))
      let busy = try failure(await get(base + "/busy"))
      #expect(busy.failure.status == .rateLimited && busy.retryAfter == .seconds(120))
      let never = try failure(await get(base + "/never"))
      #expect(never.retryAfter == .seconds(86_400))
      let broken = try failure(await get(base + "/broken"))
      #expect(broken.failure.message.contains("503"))
    }
  }

  @Test func `a request to a silent server times out`() async throws {
    let routes: [String: Handler] = [
      "/slow": { _ in
        try await Task.sleep(for: .seconds(20))
        return HTTPResponse(statusCode: .ok)
      }
    ]
    try await withServer(routes) { base in
      var hasty = WebLimits()
      hasty.totalTimeout = 300
      let failure = try failure(await get(base + "/slow", hasty))
      #expect(failure.failure.status == .network)
      #expect(failure.failure.message.contains("in time"))
    }
  }

  @Test func `a response has its freshness`() async throws {
    let routes: [String: Handler] = [
      "/feed": { _ in
        HTTPResponse(statusCode: .ok, headers: HTTPHeaders([HTTPHeader("Cache-Control"): "public, max-age=77"]))
      },
      "/same": { _ in
        HTTPResponse(statusCode: .notModified, headers: HTTPHeaders([HTTPHeader("Cache-Control"): "max-age=78"]))
      },
    ]
    try await withServer(routes) { base in
      let known = Validators(etag: "\"abc\"")
      let (feed, same) = try (await get(base + "/feed").get(), await get(base + "/same", .patient, known).get())
      #expect(feed.freshness == .seconds(77) && same.freshness == .seconds(78))
    }
  }

  @Test func `feeds are loaded concurrently up to a maximum`() async throws {
    let open = Mutex((now: 0, maximum: 0))
    let routes: [String: Handler] = [
      "/feed/*": { request in
        open.withLock { $0 = ($0.now + 1, max($0.maximum, $0.now + 1)) }
        // The handler waits until the maximum number of requests is open.
        while open.withLock({ $0.maximum }) < WebClient.maximumTransfers {
          try await Task.sleep(for: .milliseconds(1))
        }
        open.withLock { $0.now -= 1 }
        return HTTPResponse(statusCode: .ok, body: Data(request.path.utf8))
      }
    ]
    try await withServer(routes) { base in
      let paths = (0..<20).map { "/feed/\($0)" }
      let results = await load(paths.map { base + $0 })
      let bodies = try results.map { try $0.get().body }
      #expect(bodies == paths.map { Data($0.utf8) })
      #expect(open.withLock { $0.maximum } == WebClient.maximumTransfers)
    }
  }

  @Test func `equal failures have equal messages`() async throws {
    let first = try failure(await get("http://127.0.0.1:1/feed"))
    #expect(!first.failure.message.contains(" ms"))
    let second = try failure(await get("http://127.0.0.1:1/feed"))
    #expect(second.failure.message == first.failure.message)
  }

  @Test func `an unreachable port and an unsupported scheme are reported`() async throws {
    let dead = try failure(await get("http://127.0.0.1:1/feed"))
    #expect(dead.failure.status == .network && dead.failure.message.contains("127.0.0.1:1"))
    let foreign = try failure(await get("ftp://127.0.0.1/feed"))
    #expect(foreign.failure.status == .usage)
  }
}
