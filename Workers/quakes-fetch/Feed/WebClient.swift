import StrataCCurl
import Foundation
import StrataQuakes

/// Why fetching a feed failed, and when to retry.
struct FetchFailure: Error {
  var failure: Failure
  /// Seconds, from the Retry-After header.
  var retryAfter: TimeInterval?

  init(_ failure: Failure, retryAfter: TimeInterval? = nil) {
    self.failure = failure
    self.retryAfter = retryAfter
  }
}

/// Performs one HTTP GET at a time through libcurl, with limits.
struct WebClient: Sendable {
  struct Answer: Sendable {
    /// nil if the feed has not changed (HTTP 304).
    var body: Data?
    var validators: Validators
  }

  /// Makes the next request for the same URL conditional.
  struct Validators: Equatable, Sendable {
    var etag: String?
    var lastModified: String?
  }

  var userAgent = "quakes-fetch/\(QuakesVersion.text) (+Strata Quakes)"
  /// Milliseconds.
  var connectTimeout = 10_000
  /// Milliseconds, including all redirects.
  var totalTimeout = 60_000
  var maximumRedirects = 5
  /// Bytes after decompression. The largest feed, all_month, has about 10 MB.
  var maximumSize = 64 << 20

  /// Blocks until the transfer ends; `stopAll` cancels it.
  func get(_ url: String, unlessUnchanged validators: Validators = Validators()) throws(FetchFailure) -> Answer {
    var response = perform(url, validators: validators)
    guard response.outcome == ccurl_ok else {
      defer { ccurl_response_free(&response) }
      throw transferFailure(url, response: response)
    }
    let body = response.bytes.map { Data(bytesNoCopy: $0, count: response.count, deallocator: .free) } ?? Data()
    let validators = Validators(
      etag: Self.text(&response.etag), lastModified: Self.text(&response.last_modified))
    switch response.status {
    case 200..<300: return Answer(body: body, validators: validators)
    case 304: return Answer(body: nil, validators: validators)
    default: throw statusFailure(url, response: response)
    }
  }

  /// Cancels all transfers of this process and prevents new ones.
  static func stopAll() {
    ccurl_cancel_all()
  }

  private func perform(_ url: String, validators: Validators) -> ccurl_response {
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

  /// The C string in a fixed-size array; nil if empty.
  private static func text<Array>(_ array: inout Array) -> String? {
    withUnsafeBytes(of: &array) { bytes in
      let text = bytes.prefix { $0 != 0 }
      return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }
  }
}

// MARK: - Error messages

extension WebClient {
  private func transferFailure(_ url: String, response: ccurl_response) -> FetchFailure {
    var response = response
    let reason = Self.text(&response.error).map { ": \($0)" } ?? ""
    switch response.outcome {
    case ccurl_too_large:
      return failure(.badAnswer, "the response from \(url) is larger than \(maximumSize >> 20) MB and was discarded")
    case ccurl_timed_out:
      return failure(.network, "\(url) did not respond in time\(reason); will try again later")
    case ccurl_too_many_redirects:
      return failure(.badAnswer, "\(url) redirects more than \(maximumRedirects) times; check --base-url")
    case ccurl_cancelled: return failure(.interrupted, "the request for \(url) was cancelled")
    case ccurl_no_memory: return failure(.network, "there is not enough memory for the response from \(url)")
    case ccurl_bad_address: return failure(.usage, "cannot fetch \(url)\(reason)")
    default: return failure(.network, "cannot reach \(url)\(reason); check the network and proxy settings")
    }
  }

  private func statusFailure(_ url: String, response: ccurl_response) -> FetchFailure {
    let retryAfter = response.retry_after > 0 ? TimeInterval(response.retry_after) : nil
    let wait = retryAfter == nil ? "" : "; retrying after \(response.retry_after) s"
    switch response.status {
    case 429:
      return failure(
        .rateLimited, "\(url) limits the rate of requests (HTTP 429)\(wait); use a longer --interval",
        retryAfter: retryAfter)
    case 404, 410:
      return failure(.badAnswer, "\(url) does not exist (HTTP \(response.status)); check the name and --base-url")
    case 500...:
      return failure(
        .badAnswer, "\(url) reports a server error (HTTP \(response.status))\(wait)", retryAfter: retryAfter)
    default: return failure(.badAnswer, "\(url) responded with HTTP \(response.status)", retryAfter: retryAfter)
    }
  }

  private func failure(
    _ status: ExitStatus, _ message: String, retryAfter: TimeInterval? = nil
  ) -> FetchFailure {
    FetchFailure(Failure(status, message), retryAfter: retryAfter)
  }
}
