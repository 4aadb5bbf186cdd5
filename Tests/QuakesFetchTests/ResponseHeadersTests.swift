import Foundation
import Testing

@testable import StrataQuakesFeeds

@Suite("Response headers") struct ResponseHeadersTests {
  private let now = Date(timeIntervalSince1970: 1_397_520_000)

  private func headers(_ lines: String...) -> ResponseHeaders {
    var headers = ResponseHeaders()
    for line in lines { headers.take(Array((line + "\r\n").utf8)) }
    return headers
  }

  @Test func `max-age counts from the age and overrides Expires`() {
    let expires = "Expires: Tue, 15 Apr 2014 00:05:00 GMT"
    #expect(headers("Cache-Control: public, Max-Age=60", expires).freshness(at: now) == .seconds(60))
    let two = headers("Cache-Control: public", "cache-control: max-age=\"60\"", "Age: 45")
    #expect(two.freshness(at: now) == .seconds(15))
    #expect(headers("Cache-Control: max-age=60", "Age: 99").freshness(at: now) == .zero)
    #expect(headers("Cache-Control: public", expires).freshness(at: now) == .seconds(300))
    #expect(headers("Cache-Control: max-age=-1", expires).freshness(at: now) == .seconds(300))
  }

  @Test func `Expires counts from the response's Date`() {
    let late = headers("Date: Wed, 15 Apr 2015 00:00:00 GMT", "Expires: Wed, 15 Apr 2015 00:01:00 GMT")
    #expect(late.freshness(at: now) == .seconds(60))
    #expect(headers("Expires: Tuesday, 15-Apr-14 00:00:30 GMT").freshness(at: now) == .seconds(30))
    #expect(headers("Expires: Tue Apr 15 00:00:30 2014").freshness(at: now) == .seconds(30))
    #expect(headers("Expires: 0").freshness(at: now) == .zero)
    #expect(headers("Expires: Mon, 14 Apr 2014 00:00:00 GMT").freshness(at: now) == .zero)
    #expect(headers("Expires: Fri, 31 Dec 9999 23:59:59 GMT").freshness(at: now) == .seconds(86_400))
    #expect(headers("Date: yesterday", "Expires: Tue, 15 Apr 2014 00:05:00 GMT").freshness(at: now) == .seconds(300))
    #expect(headers("ETag: a").freshness(at: now) == nil)
  }

  @Test func `Retry-After is a number or a date`() {
    #expect(headers("Retry-After: 120").retryAfter(at: now) == .seconds(120))
    let date = headers("Retry-After: Tue, 15 Apr 2014 00:02:00 GMT", "Date: Tue, 15 Apr 2014 00:00:30 GMT")
    #expect(date.retryAfter(at: now) == .seconds(90))
    #expect(headers("Retry-After: Mon, 14 Apr 2014 00:02:00 GMT").retryAfter(at: now) == .zero)
  }

  @Test(arguments: ["9223372036854775808", "99999999999999999999", String(repeating: "9", count: 400)])
  func `an excessive wait is limited to a day`(text: String) {
    #expect(headers("Retry-After: \(text)").retryAfter(at: now) == .seconds(86_400))
    #expect(headers("Cache-Control: max-age=\(text)").freshness(at: now) == .seconds(86_400))
  }

  @Test(arguments: ["", "-1", "soon", "1e3", "0x10", "1.5", "٣", "nan", "inf", "1 2"])
  func `an invalid Retry-After is ignored`(text: String) {
    #expect(headers("Retry-After: \(text)").retryAfter(at: now) == nil)
  }

  @Test(arguments: [
    ("Content-Encoding: gzip", nil), ("content-encoding:DEFLATE\r\n", nil), ("Transfer-Encoding: chunked\r\n", nil),
    ("Content-Encoding:\r\n", nil), ("X-Content-Encoding: br", nil), ("Content-Encoding: br", "br"),
    ("Transfer-Encoding: zstd, chunked", "zstd, chunked"), ("Content-Encoding: gzip, gzip", "gzip, gzip"),
    ("Content-Encoding: gzip\(String(repeating: " ", count: 1100))", "gzip"),
  ]) func `only requested codings are accepted`(line: String, coding: String?) {
    #expect(ResponseHeaders.unacceptedCoding(in: line.utf8) == coding)
  }

  @Test func `header fields of a redirect are discarded`() {
    let both = headers("HTTP/1.1 302 Found", "ETag: old", "Retry-After: 5", "HTTP/2 200", "Last-Modified: then")
    #expect(both["etag"] == nil && both["retry-after"] == nil && both["last-modified"] == "then")
  }
}
