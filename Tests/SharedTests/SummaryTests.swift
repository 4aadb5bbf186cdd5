import Foundation
import Testing

@testable import StrataQuakes

@Suite("The summary line") struct SummaryTemplateTests {
  private let now = Date(timeIntervalSince1970: 1_795_219_200)

  private func quake(_ magnitude: Double?, _ place: String?) -> QuakeFacts {
    var quake = QuakeFacts()
    (quake.identifier, quake.magnitude, quake.place, quake.depth) = ("us1", magnitude, place, 35)
    (quake.alert, quake.url) = ("green", "https://example.org/us1")
    quake.time = now.addingTimeInterval(-12 * 60)
    return quake
  }

  private func text(
    _ template: SummaryTemplate, _ quake: QuakeFacts, stale: String? = nil, width: Int? = nil
  ) -> String {
    template.text(
      quake, in: Summary(recent: [quake], today: 37, now: now, staleReason: stale),
      style: DisplayStyle(zone: .universal), width: width)
  }

  @Test func `the standard summary is one line`() {
    #expect(text(.standard, quake(6.1, "Tonga")) == "M 6.1 Tonga 12 min ago · 37 today")
    #expect(text(.standard, quake(nil, "A\nB")) == "M ? A B 12 min ago · 37 today")
    #expect(text(.standard, quake(6.1, "")) == "M 6.1 12 min ago · 37 today")
    #expect(text(.short, quake(6.1, "Tonga")) == "M 6.1 12 min ago")
  }

  @Test func `a template fills in every field`() throws {
    let all = SummaryTemplate.Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: "|")
    #expect(
      try text(SummaryTemplate(all), quake(6.1, "Tonga"), stale: "no worker")
        == "6.1|Tonga|12 min ago|37|35 km|strong|green|2026-11-20T23:48:00Z|23:48:00|us1|https://example.org/us1|stale")
    #expect(try text(SummaryTemplate("{{{magnitude}}} }}{{"), quake(6.1, "{place}")) == "{6.1} }{")
    #expect(try text(SummaryTemplate("{place}"), quake(6.1, "{id} {{")) == "{id} {{")
    #expect(try text(SummaryTemplate(""), quake(6.1, "Tonga")) == "")
  }

  @Test(arguments: ["{", "}", "{}", "{colour}", "a {magnitude", "{ magnitude}", "{magnitude}}"])
  func `a brace that does not begin a field is refused`(template: String) {
    let failure = #expect(throws: Failure.self) { try SummaryTemplate(template) }
    #expect(failure?.message.contains("{magnitude} {place}") == true)
  }

  @Test func `the place is shortened first`() {
    let quake = quake(6.1, "South of the Fiji Islands")
    #expect(text(.standard, quake, width: 40) == "M 6.1 South of th… 12 min ago · 37 today")
    #expect(text(.standard, quake, width: 20) == "M 6.1 South of the …")
  }
}

@Suite("Staleness of the summary line") struct FetchHealthTests {
  private let now = Date(timeIntervalSince1970: 1_795_219_200)

  private func reason(news: Double?, failing: Double? = nil, running: Bool) -> String? {
    let failing = failing.map {
      FetchHealth.FailingFeed(name: "all_hour", since: now - $0 * 60, reason: "HTTP 429\nforged")
    }
    return FetchHealth(lastNews: news.map { now - $0 * 60 }, failing: failing, isWorkerRunning: running)
      .staleReason(at: now, after: 15 * 60)
  }

  @Test func `a running worker whose feeds do not fail is not stale`() {
    #expect(reason(news: 600, running: true) == nil)
    #expect(reason(news: nil, running: true) == nil)
  }

  @Test func `without a worker, the age of the last news decides`() {
    #expect(reason(news: 15, running: false) == nil)
    #expect(reason(news: 16, running: false) == "last fetched 16 min ago; quakes-fetch is not running")
    #expect(reason(news: nil, running: false) == "never fetched; quakes-fetch is not running")
  }

  @Test func `a failing feed is stale once its last success is too old`() {
    #expect(reason(news: 600, failing: 5, running: true) == nil)
    #expect(reason(news: 600, failing: 20, running: true) == "last fetched 20 min ago; all_hour: HTTP 429 forged")
    #expect(reason(news: 3, failing: 600, running: true) == nil)
    #expect(reason(news: 600, failing: 5, running: false) == "last fetched 10 h ago; all_hour: HTTP 429 forged")
  }
}

@Suite("The page that a click opens") struct PageTests {
  static let pages: [(String?, String?)] = [
    (nil, nil), ("", nil), ("javascript:alert(1)", nil), ("file:///etc/passwd", nil), ("https://", nil),
    ("https:///x", nil), (" https://a.org", nil), ("-x https://a.org", nil),
    ("https://a.org/b?c=1&d=%20#e", "https://a.org/b?c=1&d=%20#e"), ("HTTP://a.org:80/", "HTTP://a.org:80/"),
    ("https://a.org/'; rm -rf $HOME `x` \"|<>{}()\\\n\u{1B}", nil),
    ("https://a.org/宮%", "https://a.org/%E5%AE%AE%25"),
  ]

  @Test(arguments: pages) func `only web pages are opened`(url: String?, page: String?) {
    var quake = QuakeFacts()
    quake.url = url
    if let url, page == nil, url.hasPrefix("https://a.org") {
      let plain = quake.page?.utf8.allSatisfy { (0x21..<0x7F).contains($0) && !"'\"`$|<>{}()\\; ".utf8.contains($0) }
      #expect(plain == true, "\(quake.page ?? "nil")")
    } else {
      #expect(quake.page == page)
    }
  }

  @Test func `an overlong page URL is ignored`() {
    var quake = QuakeFacts()
    quake.url = "https://a.org/" + String(repeating: "x", count: 3000)
    #expect(quake.page == nil)
  }
}
