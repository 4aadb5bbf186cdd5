import Foundation
import StrataTestSupport
import Testing

@testable import StrataQuakesFeeds

/// Small bodies of every format.
enum Samples {
  static let all: [(name: String, text: String)] = [
    ("GeoJSON", feedBody([feature(), feature(id: #""us2""#)])), ("GeoJSON of one event", feature()),
    ("GeoJSON of GeoNet", FeatureSamples.geoNet), ("GeoJSON of the EMSC", FeatureSamples.emscList),
    ("messages of the EMSC", FeatureSamples.emsc(action: "create") + "\n" + FeatureSamples.emsc(action: "update")),
    ("CSV", TableSamples.csv), ("text of the USGS", TableSamples.usgsText), ("text of the EMSC", TableSamples.emscText),
    ("QuakeML", MarkupSamples.quakeML), ("Atom", MarkupSamples.atom), ("SC3ML", BulletinSamples.sc3ml()),
    ("NDK", BulletinSamples.ndk), ("ISF", BulletinSamples.isf), ("ZMAP", BulletinSamples.zmap),
    ("AFAD", ServiceListSamples.afad), ("JMA", ServiceListSamples.jma), ("BMKG", ServiceListSamples.bmkg),
    ("one event of the BMKG", ServiceListSamples.bmkgLatest), ("XML of the BMKG", ServiceListSamples.bmkgXML),
  ]
}

@Suite("An event in every format") struct SameEventTests {
  static let bodies = [
    feedBody([FeatureSamples.detail]), FeatureSamples.detail, TableSamples.csv, TableSamples.usgsText,
    MarkupSamples.quakeML, MarkupSamples.atom,
  ]

  @Test(arguments: bodies)
  func `ID, network and code are equal in every format`(text: String) throws {
    let event = try #require(parse(text).events.first { $0.code == "7000abcd" })
    #expect(event.identifier == "us7000abcd" && event.network == "us")
    #expect(event.presentFields.isSuperset(of: [.network, .code]))
  }
}

@Suite("Table of formats") struct FormatTableTests {
  @Test func `every format is in the table once`() {
    #expect(EventFormat.table.map(\.format.rawValue).sorted() == EventFormat.allCases.map(\.rawValue).sorted())
    #expect(Set(EventFormat.table.map(\.title)).count == EventFormat.allCases.count)
  }

  @Test func `every format has a sample`() throws {
    let formats = try Samples.all.map { try parse($0.text).format }
    #expect(Set(formats) == Set(EventFormat.allCases))
  }

  @Test(arguments: Samples.all.map(\.name))
  func `events have no other fields than the table says`(name: String) throws {
    let result = try parse(#require(Samples.all.first { $0.name == name }).text)
    #expect(!result.events.isEmpty)
    for event in result.events { #expect(result.format.row.fields.isSuperset(of: event.presentFields)) }
  }

  @Test(arguments: Samples.all.map(\.name))
  func `a body that is read in its format has the same events`(name: String) throws {
    let text = try #require(Samples.all.first { $0.name == name }).text
    let whole = try parse(text)
    var document = try EventDocument(FeedBody(Data(text.utf8)), now: testsNow, format: whole.format)
    var events: [ParsedEvent] = []
    while let item = document.next() {
      if case .event(let event) = item { events.append(event) }
    }
    #expect(events == whole.events)
  }

  @Test(arguments: EventFormat.allCases) func `an empty body is empty in every format`(format: EventFormat) {
    #expect(throws: FeedFailure.empty) { try EventDocument(FeedBody(Data(" \n".utf8)), now: testsNow, format: format) }
  }
}

@Suite("Malformed bodies in every format") struct FormatTests {
  @Test(arguments: Samples.all.map(\.name))
  func `a body cut at any byte keeps the events before the cut`(name: String) throws {
    let bytes = try Array(#require(Samples.all.first { $0.name == name }).text.utf8)
    let whole = try parse(bytes).events
    for length in bytes.indices.sampled(every: 23) {
      guard let result = try? parse(Array(bytes[..<length])) else { continue }
      #expect(result.events.count <= whole.count)
      // The last event may come from a truncated line.
      #expect(result.events.dropLast() == whole.prefix(max(0, result.events.count - 1)), "cut at \(length)")
    }
  }

  @Test(arguments: Samples.all.map(\.name))
  func `a random byte anywhere does not trap`(name: String) throws {
    let bytes = try Array(#require(Samples.all.first { $0.name == name }).text.utf8)
    var random = SeededRandom()
    for index in bytes.indices.sampled(every: 23) {
      var damaged = bytes
      damaged[index] = UInt8.random(in: 0...255, using: &random)
      let result = try? parse(damaged, window: Int.random(in: 256...600, using: &random))
      #expect(result?.events.count ?? 0 <= bytes.count)
    }
  }

  @Test(arguments: Samples.all.map(\.name))
  func `the window size does not change the result`(name: String) throws {
    let bytes = try Array(#require(Samples.all.first { $0.name == name }).text.utf8)
    let whole = try parse(bytes)
    for size in Array(stride(from: 256, to: bytes.count + 8, by: 7)).sampled(every: 9) {
      let result = try parse(bytes, window: size)
      #expect(result.events == whole.events && result.problems == whole.problems, "window of \(size)")
      #expect(result.metadata == whole.metadata && result.isWhole == whole.isWhole)
    }
  }

  @Test(arguments: Samples.all.map(\.name))
  func `a leading byte order mark and blanks are ignored`(name: String) throws {
    let text = try #require(Samples.all.first { $0.name == name }).text
    let whole = try parse(text)
    for start in ["\u{FEFF}", " \n", "\u{FEFF}\r\n\r\n"] {
      let result = try parse(start + text)
      #expect(result.events == whole.events && result.format == whole.format)
    }
  }

  static let pieces: [(start: String, piece: String)] = [
    ("<feed>", "<entry>"), ("<feed>", "<entry"), ("<feed>", "<"), ("<feed>", "<!--"), ("<feed>", "<title>"),
    ("<feed>", "<a b='"), ("<feed><entry>", "<![CDATA["), ("<feed><entry>", "<a>"), ("<feed>", "</a>"), ("", "<a>"),
    ("<feed>", "<!DOCTYPE ["), ("#EventID|Time|Latitude|Longitude\n", "|"),
    ("#EventID|Time|Latitude|Longitude\n", "\n"), ("#EventID|Time|Latitude|Longitude\n", "a|b\n"),
    ("id,time,latitude,longitude\n", "\""), ("id,time,latitude,longitude\n", "\"\","),
    (#"{"data":"#, #"{"data":"#), (#"{"properties":{}}"#, #"{"properties":{"#), (#"{"properties":{}}"#, "{"),
    ("[", #"{"eventID":"#), (#"[{"eid":["#, #"{"eid":1},"#), ("<seiscomp><a>", "<origin>"),
    ("<seiscomp><a>", "<event/>"),
    ("DATA_TYPE BULLETIN IMS1.0:short\n", "Event 1\n"), ("Event 1\nDate Time Err RMS\n", "x\n"),
    ("PDE  2021/07/21 12:34:56.7\n", "x\n"), ("1 2 2021 1 1 1 1 1 1 1\n", "1 "),
    (#"{"features":[{"x":["#, #"{"type":"Feature","#), (#"{"features":[{"x":["#, #"{"type":"Feature"},"#),
  ]

  /// Bodies of hundreds of kilobytes, through a small window.
  @Test(.endsEventually, arguments: pieces)
  func `a malformed body takes linear time`(start: String, piece: String) throws {
    let text = start + String(repeating: piece, count: Thoroughness.repetitions(20_000, all: 200_000))
    _ = try? parse(Array(text.utf8), window: 4096, largest: 1 << 18)
  }
}
