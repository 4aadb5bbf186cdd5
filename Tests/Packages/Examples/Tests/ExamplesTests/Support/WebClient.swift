import Foundation
import FoundationNetworking
import Synchronization

/// Sends requests to a service on this machine.
final class WebClient: Sendable {
  struct Answer: Sendable {
    var status: Int
    var body: Data
    var tag: String?

    func decoded<T: Decodable>(as type: T.Type) throws -> T { try JSONDecoder().decode(type, from: body) }
  }

  private let port: Int
  private let session: URLSession

  init(port: Int) {
    self.port = port
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 64
    configuration.timeoutIntervalForRequest = 120
    session = URLSession(configuration: configuration)
  }

  deinit { session.invalidateAndCancel() }

  func send(_ method: String, _ path: String, _ body: String? = nil, ifMatch: String? = nil) async throws -> Answer {
    let (data, response) = try await session.data(for: request(method, path, body, ifMatch: ifMatch))
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    return Answer(status: response.statusCode, body: data, tag: response.value(forHTTPHeaderField: "ETag"))
  }

  /// Requests a response that does not end, and collects what arrives of it.
  func listen(to path: String) -> Listener {
    let listener = Listener()
    // On Linux only a session's delegate receives parts of a body.
    let session = URLSession(configuration: .ephemeral, delegate: listener, delegateQueue: nil)
    session.dataTask(with: request("GET", path)).resume()
    session.finishTasksAndInvalidate()
    return listener
  }

  private func request(
    _ method: String, _ path: String, _ body: String? = nil, ifMatch: String? = nil
  ) -> URLRequest {
    // A path of a test is always part of a valid URL.
    var request = URLRequest(url: URL(string: "http://127.0.0.1:\(port)/\(path)")!)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    request.setValue(ifMatch, forHTTPHeaderField: "If-Match")
    return request
  }

  final class Listener: NSObject, URLSessionDataDelegate, Sendable {
    private let state = Mutex((text: "", isEnded: false))
    var text: String { state.withLock { $0.text } }
    var isEnded: Bool { state.withLock { $0.isEnded } }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      state.withLock { $0.text += String(decoding: data, as: UTF8.self) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      state.withLock { $0.isEnded = true }
    }
  }
}
