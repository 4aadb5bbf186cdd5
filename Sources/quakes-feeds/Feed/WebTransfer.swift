import Foundation
import StrataCCurl
import StrataQuakes

/// One HTTP GET of libcurl: its options, and what its callbacks have received.
final class WebTransfer {
  let handle: WebHandle
  private(set) var headers = ResponseHeaders()
  let body: BodyFile
  /// Why the body could not be kept; libcurl itself reports only a write error.
  private(set) var failure: Failure?
  /// Whether the answer may be that nothing has changed.
  var isConditional: Bool { conditions != nil }
  private var headerBytes = 0

  private var conditions: UnsafeMutablePointer<curl_slist>?

  init(_ url: String, unlessUnchanged validators: Validators, limits: WebLimits) throws(Failure) {
    body = try BodyFile(of: "the response from \(url)", maximumSize: limits.maximumSize)
    handle = try WebHandle(url, limits: limits)
    setOptions(limits)
    setConditions(validators)
    receive()
  }

  deinit { curl_slist_free_all(conditions) }

  var url: String { handle.url }

  private func setOptions(_ limits: WebLimits) {
    handle.set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
    handle.set(CURLOPT_FOLLOWLOCATION, 1)
    handle.set(CURLOPT_MAXREDIRS, limits.maximumRedirects)
    handle.set(CURLOPT_TIMEOUT_MS, limits.totalTimeout)
    // Redirects must not choose credentials for another server. A user name in the feed's own address is intended.
    handle.set(CURLOPT_DISALLOW_USERNAME_IN_URL, URLComponents(string: url)?.user == nil ? 1 : 0)
  }

  private func setConditions(_ validators: Validators) {
    for (name, value) in [("If-None-Match", validators.etag), ("If-Modified-Since", validators.lastModified)] {
      guard let value, ResponseHeaders.isText(value), let longer = curl_slist_append(conditions, "\(name): \(value)")
      else { continue }
      conditions = longer
    }
    ccurl_set_pointer(handle.pointer, CURLOPT_HTTPHEADER, conditions)
  }

  /// The callbacks run within `curl_multi_perform`, while the client keeps this object.
  private func receive() {
    let this = Unmanaged.passUnretained(self).toOpaque()
    ccurl_set_pointer(handle.pointer, CURLOPT_WRITEDATA, this)
    ccurl_set_receiver(handle.pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      WebTransfer.from(context)?.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
    }
    ccurl_set_pointer(handle.pointer, CURLOPT_HEADERDATA, this)
    ccurl_set_receiver(handle.pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
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
