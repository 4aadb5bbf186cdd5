/// Bodies in the formats of catalogs and bulletins, with invented events.
enum BulletinSamples {
  /// An event of the Global CMT catalog.
  static func ndkEvent(
    first: String = "PDE  2021/07/21 12:34:56.7 -10.25  179.50  33.5 5.1 0.0 NOWHERE ISLANDS REGION",
    name: String = "C202107211234A", moment: String = " 1.000", analysis: String = "S-20211001120000"
  ) -> String {
    """
    \(first)
    \(name)   B: 10   20  40 S: 30   40  50 M:  0    0   0 CMT: 1 TRIHD:  1.0
    CENTROID:      2.5 0.1 -10.40 0.01  179.70 0.02  40.0  0.5 FREE \(analysis)
    24  1.000 0.010 -0.500 0.010 -0.500 0.010  0.100 0.010  0.100 0.010  0.100 0.010
    V10   1.100 80  10  -0.100  5 120  -1.000  8 211  \(moment)  30 40   90 210 50   90

    """
  }

  static let secondNDK = ndkEvent(
    first: "PDEW 2021/07/22 00:00:01.0  35.00 -120.00   8.0 4.9 5.0 ELSEWHERE", name: "C202107220000B",
    analysis: "O-00000000000000")

  static let ndk = ndkEvent() + secondNDK

  static let isfHead = """
    DATA_TYPE BULLETIN IMS1.0:short
    ISC Bulletin

    """

  static let isfOrigins =
    "   Date       Time        Err   RMS Latitude Longitude  Smaj  Smin  Az Depth   Err Ndef Nsta Gap  mdist  Mdist "
    + "Qual   Author      OrigID\n"

  /// An origin, whose fields are in their columns.
  static func origin(
    time: String = "2021/07/21 12:34:56.70", latitude: String = "-10.2500", longitude: String = " 179.5000",
    depth: String = " 33.5", analysis: String = "m i ke", author: String = "ISC", id: String = "1001"
  ) -> String {
    let parts: [(column: Int, text: String)] = [
      (1, time), (25, " 0.50"), (31, " 1.25"), (37, latitude), (46, longitude), (72, depth), (84, "  90"),
      (89, "  77"), (94, " 45"), (98, "  1.50"), (112, analysis), (119, author), (129, id),
    ]
    var line = ""
    for part in parts {
      line += String(repeating: " ", count: max(0, part.column - 1 - line.count)) + part.text
    }
    return line + "\n"
  }

  static func magnitude(_ type: String, _ value: String, stations: String, author: String, id: String) -> String {
    func padded(_ text: String, to width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    return padded(type, to: 6) + padded(value, to: 9) + padded(stations, to: 5) + padded(author, to: 10) + id + "\n"
  }

  static let isf =
    isfHead + "Event  7000123 Nowhere Islands\n\n" + isfOrigins
    + origin(latitude: "-11.0000", author: "NEIC", id: "1000") + origin() + " (#PRIME)\n (Depth fixed)\n"
    + origin(latitude: "-12.0000", author: "IDC", id: "1002")
    + "\nMagnitude  Err Nsta Author      OrigID\n"
    + magnitude("MS", " 5.5", stations: "  10", author: "ISC", id: "1001")
    + magnitude("mb", " 5.2", stations: "  90", author: "ISC", id: "1001")
    + magnitude("Mw", " 5.4", stations: " 100", author: "NEIC", id: "1000")
    + "\nSta     Dist  EvAz Phase        Time      TRes  Azim AzRes   Slow   SRes Def   SNR       Amp   Per Qual "
    + "Magnitude    ArrID\nABC     0.73  30.0 P        12:35:44.0     1.1\n\n"
    + "Event  7000124 Elsewhere\n" + isfOrigins
    + origin(time: "2021/07/22 00:00:01", depth: "", analysis: "    uk", author: "IDC", id: "1003") + "STOP\n"

  static let zmap = """
    % longitude latitude year month day magnitude depth hour minute second
    179.5\t-10.25\t2021.551586\t7\t21\t5.1\t33.5\t12\t34\t56.7
      -1.2000000e+02   3.5000000e+01   2.0210000e+03   7  22   NaN  -1.5   0   0   1.0   0.5  NaN  0.1

    """

  static let sc3mlOrigin = """
    <origin publicID="Origin/1"><time><value>2021-07-21T12:34:56.7Z</value><uncertainty>0.5</uncertainty></time>
    <latitude><value>-10.25</value></latitude><longitude><value>179.5</value></longitude>
    <depth><value>33.5</value><uncertainty>4.5</uncertainty></depth>
    <uncertainty><horizontalUncertainty>6.5</horizontalUncertainty></uncertainty>
    <quality><usedStationCount>77</usedStationCount><standardError>1.25</standardError>
    <azimuthalGap>45</azimuthalGap><minimumDistance>1.5</minimumDistance></quality>
    <evaluationMode>manual</evaluationMode><arrival><pickID>p</pickID></arrival>
    <creationInfo><agencyID>GFZ</agencyID><creationTime>2021-07-21T12:40:00Z</creationTime></creationInfo>
    <magnitude publicID="Magnitude/1"><magnitude><value>5.1</value></magnitude><type>mb</type></magnitude></origin>
    """

  /// A body whose events are after their origins, as SeisComP writes them.
  static func sc3ml(version: String = "0.11", events: String = sc3mlEvents) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <seiscomp xmlns="http://geofon.gfz-potsdam.de/ns/seiscomp3-schema/\(version)" version="\(version)"><EventParameters>
    <pick publicID="p"><time><value>2021-07-21T12:35:44Z</value></time></pick>
    \(sc3mlOrigin)
    <origin publicID="Origin/2"><time><value>2021-07-22T00:00:01Z</value></time>
    <latitude><value>35</value></latitude><longitude><value>-120</value></longitude>
    <magnitude publicID="Magnitude/2"><magnitude><value>5.4</value></magnitude><type>Mw</type></magnitude></origin>
    \(events)
    </EventParameters></seiscomp>
    """
  }

  static let sc3mlEvents = """
    <event publicID="gfz2021oabc"><preferredOriginID>Origin/1</preferredOriginID>
    <preferredMagnitudeID>Magnitude/2</preferredMagnitudeID><type>earthquake</type>
    <description><text>Nowhere Islands</text><type>region name</type></description>
    <creationInfo><agencyID>GFZ</agencyID><creationTime>2021-07-21T12:36:00Z</creationTime>
    <modificationTime>2021-07-21T13:00:00Z</modificationTime></creationInfo></event>
    <event publicID="gfz2021oabd"><originReference>Origin/2</originReference>
    <creationInfo><agencyID>GFZ</agencyID></creationInfo></event>
    """
}
