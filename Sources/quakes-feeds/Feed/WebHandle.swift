import Foundation
import StrataCCurl
import StrataQuakes

/// An easy handle of libcurl with the options of every connection, and the text of its errors.
final class WebHandle {
  /// As the user knows it.
  let url: String
  let pointer: UnsafeMutableRawPointer
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  /// - Parameter address: for libcurl, if it is not the URL.
  init(_ url: String, address: String? = nil, limits: WebLimits) throws(Failure) {
    guard let pointer = curl_easy_init() else {
      errorText.deallocate()
      throw Failure(.network, "cannot request \(url): out of memory")
    }
    (self.url, self.pointer) = (url, pointer)
    errorText.pointee = 0
    let address = address ?? url
    set(CURLOPT_URL, address)
    set(CURLOPT_USERAGENT, limits.userAgent)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_CONNECTTIMEOUT_MS, limits.connectTimeout)
    ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
    // As other programs of TLS do: for a network with an authority of its own.
    if let file = Environment.variable("SSL_CERT_FILE"), !file.isEmpty { set(CURLOPT_CAINFO, file) }
    // A feed with an HTTPS address is never fetched without TLS.
    ccurl_allow_http_only(pointer, address.lowercased().hasPrefix("https:"))
    ccurl_end_quickly(pointer)
  }

  deinit {
    curl_easy_cleanup(pointer)
    errorText.deallocate()
  }

  func set(_ option: CURLoption, _ value: Int) { ccurl_set_number(pointer, option, value) }

  func set(_ option: CURLoption, _ value: String) { ccurl_set_text(pointer, option, value) }

  var status: Int { ccurl_status(pointer) }

  /// The failure for the user.
  func failure(_ code: CURLcode, limits: WebLimits) -> Failure {
    let reason = reason(code)
    switch code {
    case CURLE_OPERATION_TIMEDOUT:
      return Failure(.network, "\(url) did not respond in time: \(reason); will retry later")
    case CURLE_TOO_MANY_REDIRECTS:
      return Failure(.badResponse, "\(url) redirects more than \(limits.maximumRedirects) times; check --base-url")
    case CURLE_OUT_OF_MEMORY:
      // libcurl also reports this error for a header field of more than 100 kB.
      return Failure(.network, "the response from \(url), or one of its header fields, is too large for the memory")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE:
      return Failure(.network, "cannot reach \(url) safely: \(reason); check the clock and the certificates")
    case _ where 300..<400 ~= status:
      return Failure(.badResponse, "\(url) redirects to an address that cannot be fetched: \(reason)")
    case CURLE_UNSUPPORTED_PROTOCOL where url.lowercased().hasPrefix("http"):
      return Failure(.badResponse, "\(url) does not respond as an HTTP server: \(reason)")
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
      return Failure(.usage, "cannot fetch \(url): \(reason)")
    default: return Failure(.network, "cannot reach \(url): \(reason); check the network and proxy settings")
    }
  }

  /// libcurl's error message, without how long it took: the same failure has the same message.
  private func reason(_ code: CURLcode) -> String {
    let text = String(cString: errorText.pointee == 0 ? curl_easy_strerror(code) : UnsafePointer(errorText))
    return text.replacing(/\ after \d+ (ms|milliseconds)( with .*)?/, with: "")
  }
}
