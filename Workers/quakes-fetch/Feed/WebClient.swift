import StrataCCurl
import Foundation
import StrataQuakes

/// Why a feed could not be had, and when it may be asked for again.
struct FetchFailure: Error {
  var failure: Failure
  /// Seconds; what the service asked for by Retry-After.
  var retryAfter: TimeInterval?

  init(_ failure: Failure, retryAfter: TimeInterval? = nil) {
    self.failure = failure
    self.retryAfter = retryAfter
  }
}

/// Gets one URL at a time through libcurl, within limits.
struct WebClient: Sendable {
  struct Answer: Sendable {
    /// Nil if the service says that nothing changed (HTTP 304).
    var body: Data?
    var validators: Validators
  }

  /// What makes the next request for the same URL conditional.
  struct Validators: Equatable, Sendable {
    var etag: String?
    var lastModified: String?
  }

  var userAgent = "quakes-fetch/\(QuakesVersion.text) (+Strata Quakes)"
  /// Milliseconds.
  var connectTimeout = 10_000
  /// Milliseconds, for all redirects together.
  var totalTimeout = 60_000
  var maximumRedirects = 5
  /// Bytes, unpacked. The largest feed, all_month, has about 10 MB.
  var maximumSize = 64 << 20

  /// Blocks until the answer came; `stopAll` ends it early.
  func get(_ url: String, unlessUnchanged validators: Validators = Validators()) throws(FetchFailure) -> Answer {
    var response = perform(url, validators)
    guard response.outcome == ccurl_ok else {
      defer { ccurl_response_free(&response) }
      throw transferFailure(url, response)
    }
    let body = response.bytes.map { Data(bytesNoCopy: $0, count: response.count, deallocator: .free) } ?? Data()
    let validators = Validators(
      etag: Self.text(&response.etag), lastModified: Self.text(&response.last_modified))
    switch response.status {
    case 200..<300: return Answer(body: body, validators: validators)
    case 304: return Answer(body: nil, validators: validators)
    default: throw statusFailure(url, response)
    }
  }

  /// Ends what is under way in this process, and lets nothing new begin.
  static func stopAll() {
    ccurl_cancel_all()
  }

  private func perform(_ url: String, _ validators: Validators) -> ccurl_response {
    var response = ccurl_response()
    url.withCString { url in
      userAgent.withCString { agent in
        Self.withOptionalCString(validators.etag) { etag in
          Self.withOptionalCString(validators.lastModified) { lastModified in
            var request = ccurl_request(
              user_agent: agent, if_none_match: etag, if_modified_since: lastModified,
              connect_timeout_ms: connectTimeout, total_timeout_ms: totalTimeout, max_redirects: maximumRedirects,
              max_bytes: maximumSize)
            ccurl_get(url, &request, &response)
          }
        }
      }
    }
    return response
  }

  private static func withOptionalCString(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Void) {
    if let text { text.withCString { body($0) } } else { body(nil) }
  }

  /// A text that C left in a fixed array; nil if it is empty.
  private static func text<Array>(_ array: inout Array) -> String? {
    withUnsafeBytes(of: &array) { bytes in
      let text = bytes.prefix { $0 != 0 }
      return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }
  }
}

// MARK: - What went wrong, in words

extension WebClient {
  private func transferFailure(_ url: String, _ response: ccurl_response) -> FetchFailure {
    var response = response
    let reason = Self.text(&response.error).map { ": \($0)" } ?? ""
    switch response.outcome {
    case ccurl_too_large:
      return failure(.badAnswer, "the answer of \(url) is larger than \(maximumSize >> 20) MB, so it was not read")
    case ccurl_timed_out:
      return failure(.network, "\(url) did not answer in time\(reason); it is tried again later")
    case ccurl_too_many_redirects:
      return failure(.badAnswer, "\(url) redirects more than \(maximumRedirects) times; check --base-url")
    case ccurl_cancelled: return failure(.interrupted, "the request for \(url) was stopped")
    case ccurl_no_memory: return failure(.network, "there is not enough memory for the answer of \(url)")
    case ccurl_bad_address: return failure(.usage, "\(url) cannot be fetched\(reason)")
    default: return failure(.network, "cannot reach \(url)\(reason); check the network, or the proxy settings")
    }
  }

  private func statusFailure(_ url: String, _ response: ccurl_response) -> FetchFailure {
    let retryAfter = response.retry_after > 0 ? TimeInterval(response.retry_after) : nil
    let wait = retryAfter == nil ? "" : ", again after \(response.retry_after) s"
    switch response.status {
    case 429:
      return failure(
        .rateLimited, "\(url) asks to be called less often (HTTP 429)\(wait); use a longer --interval", retryAfter)
    case 404, 410:
      return failure(.badAnswer, "\(url) does not exist (HTTP \(response.status)); check the name and --base-url")
    case 500...:
      return failure(.badAnswer, "\(url) has trouble of its own (HTTP \(response.status))\(wait)", retryAfter)
    default: return failure(.badAnswer, "\(url) answered HTTP \(response.status)", retryAfter)
    }
  }

  private func failure(
    _ status: ExitStatus, _ message: String, _ retryAfter: TimeInterval? = nil
  ) -> FetchFailure {
    FetchFailure(Failure(status, message), retryAfter: retryAfter)
  }
}
