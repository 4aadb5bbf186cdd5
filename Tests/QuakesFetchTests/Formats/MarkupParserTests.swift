import Foundation
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

/// Bodies in the XML formats, as the services write them.
enum MarkupSamples {
  static func quakeML(_ events: [String], root: String = "q:quakeml") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- a comment with an <event> -->
    <\(root) xmlns="http://quakeml.org/xmlns/bed/1.2" xmlns:catalog="http://anss.org/xmlns/catalog/0.1" \
    xmlns:q="http://quakeml.org/xmlns/quakeml/1.2">
    <eventParameters publicID="quakeml:earthquake.usgs.gov/fdsnws/event/1/query">
    \(events.joined(separator: "\n"))
    <creationInfo><creationTime>2015-02-25T11:31:20.000Z</creationTime></creationInfo>
    </eventParameters></\(root)>
    """
  }

  static let usgsEvent = """
    <event catalog:datasource="us" catalog:eventsource="us" catalog:eventid="7000abcd" \
    publicID="quakeml:earthquake.usgs.gov/fdsnws/event/1/query?eventid=us7000abcd&amp;format=quakeml">
    <description><type>earthquake name</type><text>M 1.5 - 10km &quot;N&quot; of <![CDATA[B & C]]></text></description>
    <origin publicID="o2"><time><value>2001-01-01T00:00:00Z</value></time></origin>
    <origin publicID="o1"><time><value>2014-11-06T00:24:42.240Z</value></time>
    <longitude><value>-117.66</value></longitude><latitude><value>35.04</value></latitude>
    <depth><value>9370</value><uncertainty>31610</uncertainty></depth>
    <originUncertainty><horizontalUncertainty>500</horizontalUncertainty>
    <preferredDescription>horizontal uncertainty</preferredDescription></originUncertainty>
    <quality><usedPhaseCount>25</usedPhaseCount><usedStationCount>24</usedStationCount>
    <standardError>0.14</standardError><azimuthalGap>54</azimuthalGap><minimumDistance>0.1164</minimumDistance></quality>
    <evaluationMode>manual</evaluationMode>
    <creationInfo><agencyID>US</agencyID><creationTime>2014-11-06T21:00:00Z</creationTime></creationInfo></origin>
    <magnitude publicID="m1"><mag><value>1.54</value><uncertainty>0.1</uncertainty></mag><type>ml</type>
    <stationCount>21</stationCount><creationInfo><agencyID>CI</agencyID></creationInfo></magnitude>
    <magnitude publicID="m2"><mag><value>9</value></mag><type>mw</type></magnitude>
    <pick publicID="p"><time><value>1999-01-01T00:00:00Z</value></time></pick>
    <preferredOriginID>o1</preferredOriginID><preferredMagnitudeID>m1</preferredMagnitudeID>
    <type>quarry_blast</type>
    <creationInfo><agencyID>us</agencyID><creationTime>2014-11-06T22:02:47.340Z</creationTime></creationInfo>
    </event>
    """

  /// An event with the minimum of elements.
  static func event(id: String, type: String = "", more: String = "", description: String = "") -> String {
    """
    <event publicID="\(id)"><type>\(type)</type>\(description)
    <origin><time><value>2012-04-04T14:21:42.3+00:00</value></time><latitude><value>41.818</value></latitude>
    <longitude><value>79.689</value></longitude>\(more)</origin></event>
    """
  }

  static let quakeML = quakeML([usgsEvent, event(id: "quakeml:eu.emsc/event/20120404_0000041")])

  static func atom(_ entries: [String]) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss">\
    <title>USGS All Earthquakes, Past Hour</title><updated>2015-11-04T04:00:00Z</updated>
    <author><name>U.S. Geological Survey</name></author>\
    <id>https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_hour.atom</id>
    \(entries.joined(separator: "\n"))
    </feed>
    """
  }

  static let usgsEntry = """
    <entry><id>urn:earthquake-usgs-gov:us:7000abcd</id><title>M 2.5 - 6km E of X &amp; Y</title>\
    <updated>2015-11-04T03:50:00.040Z</updated>\
    <link rel="alternate" type="application/cap+xml" href="http://example.org/cap"/>\
    <link rel="alternate" type="text/html" href="http://example.org/us7000abcd"/>\
    <summary type="html"><![CDATA[<p>x</p><dl><dt>Time</dt><dd>2015-11-04 03:44:15 UTC</dd>\
    <dd>2015-11-04 07:44:15 +04:00 at epicenter</dd></dl>]]></summary>\
    <georss:point>35.1 -117.6</georss:point><georss:elev>-9370</georss:elev>\
    <category label="Age" term="Past Hour"/></entry>
    """

  static let ingvEntry = """
    <entry><id>smi:webservices.ingv.it/fdsnws/event/1/query?eventId=20814801</id>
    <title>
      <![CDATA[2018-10-01 13:19:56 UTC -  Magnitude(ML) 1.7  -  Stretto di Messina - Sud (Messina)]]></title>
    <updated>2018-10-01T13:24:25+00:00</updated><summary><![CDATA[A magnitude ML 1.7 earthquake]]></summary>
    <dc:date xmlns:dc="http://purl.org/dc/elements/1.1/">
      2018-10-01T13:19:56+00:00
    </dc:date>
    <geo:Point xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#"><geo:lat>38.3</geo:lat></geo:Point>
    <georss:point>38.3728 15.7213</georss:point></entry>
    """

  static let atom = atom([usgsEntry, ingvEntry])
}

@Suite("QuakeML") struct QuakeMLTests {
  @Test(arguments: [
    ("quakeml:earthquake.usgs.gov/event/b00083i6", "usb00083i6", "us"),
    ("quakeml:earthquake.usgs.gov/event/usb00083i6", "usb00083i6", "us"),
    ("quakeml:earthquake.usgs.gov/event/7000abcd", "us7000abcd", "us"),
    ("quakeml:earthquake.usgs.gov/event/ci3144585", "ci3144585", "ci"),
  ])
  func `events of the USGS have their network in the ID`(publicID: String, id: String, network: String) throws {
    let event = try #require(try parse(MarkupSamples.quakeML([MarkupSamples.event(id: publicID)])).events.first)
    #expect(event.identifier == id && event.network == network)
  }

  @Test func `an ID that begins with its network is not prefixed again`() throws {
    let event = MarkupSamples.usgsEvent.replacingOccurrences(of: #"eventid="7000abcd""#, with: #"eventid="us7000abcd""#)
    #expect(try parse(MarkupSamples.quakeML([event])).events.map(\.identifier) == ["us7000abcd"])
  }

  @Test func `the number of a region is not a place`() throws {
    let number = "<description><text>228</text><type>Flinn-Engdahl region</type></description>"
    let name = "<description><text>HONSHU</text><type>region name</type></description>"
    func place(_ description: String) throws -> String? {
      try parse(MarkupSamples.quakeML([MarkupSamples.event(id: "smi:x/1", description: description)])).events.first?
        .place
    }
    #expect(try place(number) == nil)
    #expect(try place(number + name) == "HONSHU")
  }

  @Test func `preferred origins and magnitudes are read`() throws {
    let result = try parse(MarkupSamples.quakeML)
    #expect(result.format == .quakeML && result.metadata.service == "usgs")
    #expect(result.problems.isEmpty && result.isWhole)
    #expect(result.metadata.generated == Date(timeIntervalSince1970: 1_424_863_880))
    var expected = ParsedEvent(
      identifier: "us7000abcd", magnitude: 1.54, magnitudeType: "ml", place: #"10km "N" of B & C"#,
      time: Date(timeIntervalSince1970: 1_415_233_482.240), updated: Date(timeIntervalSince1970: 1_415_311_367.340),
      longitude: -117.66, latitude: 35.04, depth: 9.37)
    expected.set([.network: "us", .code: "7000abcd", .status: "reviewed"])
    expected.set([.horizontalError: 0.5, .depthError: 31.61, .magnitudeError: 0.1, .magnitudeStations: 21])
    expected.set([.locationSource: "us", .magnitudeSource: "ci"])
    expected.set([.nst: 24, .gap: 54, .rms: 0.14, .dmin: 0.1164])
    expected.set([.type: "quarry blast", .title: #"M 1.5 - 10km "N" of B & C"#])
    expected.presentFields = [
      .magnitude, .magnitudeType, .place, .updated, .depth, .network, .code, .status, .nst, .gap, .rms, .dmin, .type,
      .title, .horizontalError, .depthError, .magnitudeError, .magnitudeStations, .locationSource, .magnitudeSource,
    ]
    #expect(result.events.first == expected)
  }

  @Test func `missing fields are not marked as given`() throws {
    let event = try #require(parse(MarkupSamples.quakeML).events.last)
    #expect(event.identifier == "emsc20120404_0000041" && event.longitude == 79.689)
    #expect(event.time == Date(timeIntervalSince1970: 1_333_549_302.3))
    #expect(event.presentFields == [.network, .code] && event.state[.type] == nil)
  }

  @Test(arguments: ["quakeml", "q:quakeml", "ns0:quakeml"])
  func `namespace prefixes are arbitrary`(root: String) throws {
    let declared =
      root == "ns0:quakeml"
      ? MarkupSamples.quakeML([MarkupSamples.usgsEvent], root: root)
        .replacingOccurrences(of: "xmlns:q=", with: "xmlns:ns0=")
      : MarkupSamples.quakeML([MarkupSamples.usgsEvent], root: root)
    #expect(try parse(declared).events.map(\.identifier) == ["us7000abcd"])
    let prefixed = MarkupSamples.quakeML([MarkupSamples.event(id: "smi:ISC/evid=600516598")])
      .replacingOccurrences(of: "</", with: "</\u{1}").replacingOccurrences(of: "<", with: "<bed:")
      .replacingOccurrences(of: "<bed:/\u{1}", with: "</bed:").replacingOccurrences(of: "<bed:?", with: "<?")
      .replacingOccurrences(of: "<bed:!", with: "<!").replacingOccurrences(of: "bed:q:", with: "q:")
    #expect(try parse(prefixed).events.map(\.identifier) == ["isc600516598"], "\(prefixed)")
  }

  static let identifiers: [(publicID: String, identifier: String, service: String)] = [
    ("smi:webservices.ingv.it/fdsnws/event/1/query?eventId=863301", "ingv863301", "ingv"),
    ("smi:nz.org.geonet/2019p550078", "geonet2019p550078", "geonet"),
    ("smi:org.gfz-potsdam.de/geofon/gfz2015iatp", "gfz2015iatp", "gfz"),
    (
      "quakeml:earthquake.usgs.gov/fdsnws/event/1/query?eventid=ci37285320&amp;amp;format=quakeml", "ci37285320", "usgs"
    ),
    ("smi:service.iris.edu/fdsnws/event/1/query?eventid=5186534", "serviceirisedu5186534", "fdsn"),
  ]

  @Test(arguments: identifiers)
  func `the ID contains the authority of the public ID`(publicID: String, identifier: String, service: String) throws {
    let result = try parse(MarkupSamples.quakeML([MarkupSamples.event(id: publicID)]))
    #expect(result.events.map(\.identifier) == [identifier])
    #expect(result.metadata.service == service)
  }

  static let words: [(type: String, more: String, present: QuakeFieldSet, eventType: String, status: String?)] = [
    ("not existing", "", [.status], "earthquake", "deleted"), ("not reported", "", [], "earthquake", nil),
    ("explosion", "<evaluationMode>automatic</evaluationMode>", [.type, .status], "explosion", "automatic"),
    ("", "<evaluationStatus>rejected</evaluationStatus>", [.status], "earthquake", "deleted"),
    ("", "<evaluationStatus>final</evaluationStatus>", [.status], "earthquake", "reviewed"),
    ("", "<evaluationStatus>preliminary</evaluationStatus>", [.status], "earthquake", "automatic"),
  ]

  @Test(arguments: words)
  func `QuakeML types and evaluations are translated`(
    type: String, more: String, present: QuakeFieldSet, eventType: String, status: String?
  ) throws {
    let event = try #require(
      parse(MarkupSamples.quakeML([MarkupSamples.event(id: "smi:x/1", type: type, more: more)])).events.first)
    #expect(event.state.text(.type) ?? "earthquake" == eventType && event.state.text(.status) == status)
    #expect(event.presentFields == present.union([.network, .code]))
  }

  @Test func `the Flinn-Engdahl region is the place`() throws {
    let description = """
      <description><type>earthquake name</type><text>The Great One</text></description>
      <description><type>Flinn-Engdahl region</type><text>KYRGYZSTAN</text></description>
      """
    let event = try #require(
      parse(MarkupSamples.quakeML([MarkupSamples.event(id: "smi:x/1", description: description)])).events.first)
    #expect(event.place == "KYRGYZSTAN" && event.state.text(.title) == nil)
  }
}

@Suite("Atom") struct AtomTests {
  @Test func `entries of the USGS are read`() throws {
    let result = try parse(MarkupSamples.atom)
    #expect(result.format == .atom && result.problems.isEmpty && result.isWhole)
    #expect(result.metadata.service == "usgs" && result.metadata.feed == "all_hour")
    #expect(result.metadata.generated == Date(timeIntervalSince1970: 1_446_609_600))
    var expected = ParsedEvent(
      identifier: "us7000abcd", magnitude: 2.5, place: "6km E of X & Y",
      time: Date(timeIntervalSince1970: 1_446_608_655), updated: Date(timeIntervalSince1970: 1_446_609_000.040),
      longitude: -117.6, latitude: 35.1, depth: 9.37)
    expected.set([
      .url: "http://example.org/us7000abcd", .network: "us", .code: "7000abcd", .title: "M 2.5 - 6km E of X & Y",
    ])
    expected.presentFields = [.magnitude, .place, .updated, .depth, .url, .network, .code, .title]
    #expect(result.events.first == expected)
  }

  @Test func `entries of the INGV are read`() throws {
    let event = try #require(parse(MarkupSamples.atom).events.last)
    #expect(event.identifier == "ingv20814801" && event.magnitude == 1.7 && event.magnitudeType == "ML")
    #expect(event.place == "Stretto di Messina - Sud (Messina)")
    #expect(event.time == Date(timeIntervalSince1970: 1_538_399_996) && event.latitude == 38.3728)
    #expect(event.presentFields == [.magnitude, .magnitudeType, .place, .updated, .network, .code, .title])
  }

  @Test func `a title provides an unknown magnitude and the type`() throws {
    let entry = MarkupSamples.usgsEntry.replacingOccurrences(of: "M 2.5 - ", with: "M ? Ice Quake - ")
    let event = try #require(parse(MarkupSamples.atom([entry])).events.first)
    #expect(event.magnitude == nil && event.presentFields.contains(.magnitude) && event.place == "6km E of X & Y")
    #expect(event.state.text(.type) == "ice quake" && event.presentFields.contains(.type))
  }
}

@Suite("Malformed XML") struct MarkupProblemTests {
  @Test(arguments: [("&amp;", "&"), ("&amp;", "&eacute;"), ("<updated>", "<updted>")])
  func `malformed elements are skipped and reported`(old: String, new: String) throws {
    let range = try #require(MarkupSamples.usgsEntry.range(of: old))
    let bad = MarkupSamples.usgsEntry.replacingCharacters(in: range, with: new)
    let result = try parse(MarkupSamples.atom([bad, MarkupSamples.ingvEntry]))
    #expect(result.events.map(\.identifier) == ["us7000abcd", "ingv20814801"])
    let problem = try #require(result.problems.first)
    #expect(problem.events == 1 && "\(problem)".hasPrefix("XML is not well-formed: "))
  }

  static let broken: [(old: String, new: String)] = [
    ("</entry>", ""),
    ("href=\"http://example.org/cap\"", "href=\"http://example.org/cap"), ("<title>", "<!--"), ("35.1 -117.6", "35.1"),
  ]

  @Test(arguments: broken)
  func `only the malformed entry is dropped`(old: String, new: String) throws {
    let range = try #require(MarkupSamples.usgsEntry.range(of: old))
    let bad = MarkupSamples.usgsEntry.replacingCharacters(in: range, with: new)
    let other = MarkupSamples.usgsEntry.replacingOccurrences(of: "7000abcd", with: "7000zzzz")
    let result = try parse(MarkupSamples.atom([MarkupSamples.ingvEntry, bad, other, MarkupSamples.ingvEntry]))
    let identifiers = result.events.map(\.identifier)
    #expect(identifiers.first == "ingv20814801" && identifiers.last == "ingv20814801")
    #expect(!identifiers.contains("us7000abcd") && result.problems.contains { $0.isBadFeature })
    #expect(!result.isWhole)
  }

  static let excesses = [
    "<a \((0..<1000).map { "a\($0)=''" }.joined(separator: " "))/>", String(repeating: "<a/>", count: 10_001),
    "<a \((0..<1000).map { "a\($0)=''" }.joined(separator: " "))>" + String(repeating: "<a>", count: 300),
  ]

  @Test(arguments: excesses) func `an event with too many elements is dropped`(excess: String) throws {
    let bad = MarkupSamples.usgsEntry.replacing("</entry>", with: excess + "</entry>")
    let result = try parse(MarkupSamples.atom([bad, MarkupSamples.ingvEntry]))
    #expect(result.events.map(\.identifier) == ["ingv20814801"])
    #expect(result.problems.map(\.isBadFeature) == [true])
  }

  @Test func `an invalid byte loses no event`() throws {
    var bytes = Array(MarkupSamples.atom.utf8)
    let range = try #require(MarkupSamples.atom.utf8.firstRange(of: Array("6km".utf8)))
    let index = MarkupSamples.atom.utf8.distance(from: MarkupSamples.atom.utf8.startIndex, to: range.lowerBound)
    for byte in [UInt8(0xFF), 0x01, 0xC3] {
      bytes[index] = byte
      let result = try parse(bytes)
      #expect(result.events.count == 2 && result.problems.isEmpty)
    }
  }

  @Test func `declared Latin-1 is decoded`() throws {
    let text = MarkupSamples.atom.replacingOccurrences(of: "UTF-8", with: "ISO-8859-1")
    let index = try #require(text.utf8.firstRange(of: Array("6km".utf8)))
    var latin = Array(text.utf8)
    latin[text.utf8.distance(from: text.utf8.startIndex, to: index.lowerBound)] = 0xE9
    #expect(try parse(latin).events.first?.place == "ékm E of X & Y")
  }

  @Test func `a truncated body is not complete`() throws {
    let text = MarkupSamples.atom([MarkupSamples.usgsEntry])
    for length in [8, 20] {
      let result = try parse(String(text.dropLast(length)))
      #expect(!result.isWhole && result.problems.last?.reason == .cutOff)
    }
  }

  @Test func `only an event larger than the maximum window is dropped`() throws {
    let large = MarkupSamples.usgsEntry.replacingOccurrences(of: "6km", with: String(repeating: "x", count: 9000))
    let text = MarkupSamples.atom([MarkupSamples.ingvEntry, large, MarkupSamples.ingvEntry])
    let result = try parse(Array(text.utf8), window: 512, largest: 4096)
    #expect(result.events.map(\.identifier) == ["ingv20814801", "ingv20814801"])
    #expect(result.problems.first?.reason == .tooLarge(BodyWindow.maximumSize))
  }

  static let noFeeds: [(text: String, reason: String)] = [
    ("<html><body>x</body></html>", "it is a web page"), ("<!DOCTYPE html><html>", "it is a web page"),
    ("<rss/>", "it is XML, but its root is <rss>, which is not that of a known format"),
    ("<", "it begins like XML, but does not have an element"),
  ]

  @Test(arguments: noFeeds)
  func `markup that is not a feed is refused`(text: String, reason: String) {
    #expect(throws: FeedFailure.notAFeed(reason)) { try parse(text) }
  }
}
