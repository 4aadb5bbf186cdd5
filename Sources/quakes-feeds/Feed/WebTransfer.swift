import Foundation
import StrataCCurl
import StrataQuakes

/// One HTTP GET of libcurl: its options, and what its callbacks have received.
final class WebTransfer {
  let url: String
  let handle: UnsafeMutableRawPointer
  private(set) var headers = ResponseHeaders()
  let body: BodyFile
  /// Why the body could not be kept; libcurl itself reports only a write error.
  private(set) var failure: Failure?
  /// Whether the answer may be that nothing has changed.
  var isConditional: Bool { conditions != nil }
  private var headerBytes = 0

  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var conditions: UnsafeMutablePointer<curl_slist>?

  init(_ url: String, unlessUnchanged validators: Validators, limits: WebLimits) throws(Failure) {
    body = try BodyFile(of: "the response from \(url)", maximumSize: limits.maximumSize)
    guard let handle = curl_easy_init() else {
      errorText.deallocate()
      throw Failure(.network, "cannot request \(url): out of memory")
    }
    (self.url, self.handle) = (url, handle)
    errorText.pointee = 0
    setOptions(limits)
    setConditions(validators)
    receive()
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(conditions)
    errorText.deallocate()
  }

  var status: Int { ccurl_status(handle) }

  /// libcurl's error message, without how long it took: the same failure has the same message.
  func reason(_ code: CURLcode) -> String {
    let text = String(cString: errorText.pointee == 0 ? curl_easy_strerror(code) : UnsafePointer(errorText))
    return text.replacing(/\ after \d+ (ms|milliseconds)( with .*)?/, with: "")
  }

  private func setOptions(_ limits: WebLimits) {
    ccurl_set_text(handle, CURLOPT_URL, url)
    ccurl_set_text(handle, CURLOPT_USERAGENT, limits.userAgent)
    ccurl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
    ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, 1)
    ccurl_set_number(handle, CURLOPT_MAXREDIRS, limits.maximumRedirects)
    ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, limits.connectTimeout)
    ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, limits.totalTimeout)
    ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
    // As other programs of TLS do: for a network with an authority of its own.
    if let file = Environment.variable("SSL_CERT_FILE"), !file.isEmpty {
      ccurl_set_text(handle, CURLOPT_CAINFO, file)
    }
    // Redirects must not choose credentials for another server. A user name in the feed's own address is intended.
    ccurl_set_number(handle, CURLOPT_DISALLOW_USERNAME_IN_URL, URLComponents(string: url)?.user == nil ? 1 : 0)
    // A feed with an HTTPS address is never fetched without TLS.
    ccurl_allow_http_only(handle, url.lowercased().hasPrefix("https:"))
    ccurl_end_quickly(handle)
  }

  private func setConditions(_ validators: Validators) {
    for (name, value) in [("If-None-Match", validators.etag), ("If-Modified-Since", validators.lastModified)] {
      guard let value, ResponseHeaders.isText(value), let longer = curl_slist_append(conditions, "\(name): \(value)")
      else { continue }
      conditions = longer
    }
    ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, conditions)
  }

  /// The callbacks run within `curl_multi_perform`, while the client keeps this object.
  private func receive() {
    let this = Unmanaged.passUnretained(self).toOpaque()
    ccurl_set_pointer(handle, CURLOPT_WRITEDATA, this)
    ccurl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      WebTransfer.from(context)?.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
    }
    ccurl_set_pointer(handle, CURLOPT_HEADERDATA, this)
    ccurl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      WebTransfer.from(context)?.takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
    }
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> WebTransfer? {
    context.map { Unmanaged<WebTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Bytes of all heads of a transfer; what is sent before a body has a fraction of a hundredth.
  private static let maximumHeaderBytes = 256 << 10

  private func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
    headerBytes += line.count
    guard headerBytes <= Self.maximumHeaderBytes else {
      failure = Failure(.badResponse, "\(url) sent more than \(Self.maximumHeaderBytes >> 10) kB of header fields")
      return 0
    }
    if let coding = ResponseHeaders.unacceptedCoding(in: line) {
      failure = Failure(.badResponse, "\(url) sent a body as \"\(coding)\", which the request does not accept")
      return 0
    }
    headers.take(line)
    return line.count
  }

  /// A short count makes libcurl abort the transfer.
  private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    do {
      try body.append(bytes)
      return bytes.count
    } catch {
      failure = error
      return 0
    }
  }
}
