import Foundation
import StrataCCurl

/// The header fields of one response that the worker uses.
struct ResponseHeaders: Equatable, Sendable {
  private var fields: [String: String] = [:]

  private static let names: Set = [
    "age", "cache-control", "connection", "date", "etag", "expires", "last-modified", "retry-after",
    "sec-websocket-accept", "sec-websocket-extensions", "sec-websocket-protocol", "upgrade",
  ]
  /// Bytes. Longer lines are ignored: none of these fields needs more.
  private static let maximumLineLength = 1024

  /// The field's value; a repeated field's values are joined with commas.
  ///
  /// - Parameter name: in lower case.
  subscript(name: String) -> String? { fields[name] }

  /// Whether a value may be sent back, as ETag and Last-Modified are: no character ends its line.
  static func isText(_ value: String) -> Bool { value.utf8.allSatisfy { 0x20..<0x7F ~= $0 } }

  /// The codings that libcurl may decode. Others need too much memory, such as 128 MB for zstd.
  private static let codings = [
    "content-encoding": ["gzip", "x-gzip", "deflate", "identity"], "transfer-encoding": ["chunked", "identity"],
  ]

  /// The coding in a header line, if the request did not accept it.
  static func unacceptedCoding(in line: some Collection<UInt8>) -> String? {
    let parts = String(decoding: line.prefix(maximumLineLength), as: UTF8.self).split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let asked = codings[parts[0].lowercased()] else { return nil }
    let coding = parts[1].trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    return coding.isEmpty || asked.contains(coding) && line.count <= maximumLineLength ? nil : String(coding.prefix(60))
  }

  /// Adds a header line. A status line discards the earlier fields, which belong to a redirect.
  mutating func take(_ line: some Collection<UInt8>) {
    guard line.count <= Self.maximumLineLength else { return }
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") { fields = [:] }
    guard let colon = text.firstIndex(of: ":") else { return }
    let name = text[..<colon].lowercased()
    guard Self.names.contains(name) else { return }
    let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
    guard !value.isEmpty, Self.isText(value) else { return }
    let joined = fields[name].map { "\($0), \(value)" } ?? value
    if joined.utf8.count <= Self.maximumLineLength { fields[name] = joined }
  }
}

// MARK: - When to ask again

extension ResponseHeaders {
  /// Seconds. Longer waits are taken as this, which is more than any caller grants.
  private static let maximumWait = 86_400.0

  /// How long the response stays fresh (RFC 9111, section 4.2): `max-age` less `Age`, else `Expires` after the
  /// response's own `Date`. The clocks of the two computers need not agree.
  ///
  /// - Parameter now: replaces a missing `Date`.
  /// - Returns: nil if the service does not report it.
  func freshness(at now: Date) -> Duration? {
    if let maximum = maximumAge {
      return .seconds(max(0, maximum - (self["age"].flatMap(Self.seconds) ?? 0)))
    }
    guard let expires = self["expires"] else { return nil }
    // Any invalid date, such as "0", means that the response has expired.
    return .seconds(Self.date(expires).map { wait(until: $0, from: now) } ?? 0)
  }

  /// The wait that the service asks for, as seconds or as a date.
  ///
  /// - Parameter now: replaces a missing `Date`.
  /// - Returns: nil if the field is missing or makes no sense.
  func retryAfter(at now: Date) -> Duration? {
    guard let text = self["retry-after"] else { return nil }
    if let seconds = Self.seconds(text) { return .seconds(seconds) }
    return Self.date(text).map { .seconds(wait(until: $0, from: now)) }
  }

  private var maximumAge: Double? {
    for directive in self["cache-control"]?.split(separator: ",") ?? [] {
      let parts = directive.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2, parts[0].lowercased() == "max-age" else { continue }
      return Self.seconds(parts[1].trimmingCharacters(in: ["\""]))
    }
    return nil
  }

  private func wait(until date: Date, from now: Date) -> Double {
    let start = self["date"].flatMap(Self.date) ?? now
    return min(max(0, date.timeIntervalSince(start)), Self.maximumWait)
  }

  /// Seconds as any number of digits.
  private static func seconds(_ text: String) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return min(Double(text) ?? maximumWait, maximumWait)
  }

  private static func date(_ text: String) -> Date? {
    let seconds = curl_getdate(text, nil)
    return seconds == -1 ? nil : Date(timeIntervalSince1970: Double(seconds))
  }
}
