import StrataQuakes

extension EventFormat {
  /// The table of all formats: special ones before those that match more.
  static let table = json + markup + lines

  private static let json = [
    FormatRow(
      format: .bmkg, title: "JSON of the BMKG", extensions: ["json"],
      fields: [.magnitude, .place, .depth, .network, .code],
      matches: { $0 == .json(names: ["Infogempa"], isList: false) },
      reader: { (window, latest) throws(FeedFailure) in
        try GeoJSONParser(window, latest: latest, dialect: .bmkg)
      }),
    FormatRow(
      format: .jma, title: "JSON of the JMA", extensions: ["json"],
      fields: [.magnitude, .place, .updated, .depth, .status, .network, .code],
      matches: { $0.isList(with: "eid") },
      reader: { (window, latest) throws(FeedFailure) in
        try GeoJSONParser(window, latest: latest, dialect: .jma)
      }),
    FormatRow(
      format: .afad, title: "JSON of the AFAD", extensions: ["json"],
      fields: [.magnitude, .magnitudeType, .place, .updated, .depth, .rms, .network, .code],
      matches: { $0.isList(with: "eventID") },
      reader: { (window, latest) throws(FeedFailure) in
        try GeoJSONParser(window, latest: latest, dialect: .afad)
      }),
    FormatRow(
      format: .geoJSON, title: "GeoJSON of the USGS, GeoNet and the EMSC", extensions: ["geojson", "json"],
      fields: allFields,
      matches: { if case .json = $0 { true } else { false } },
      reader: { (window, latest) throws(FeedFailure) in try GeoJSONParser(window, latest: latest) }),
  ]

  private static let markup = [
    FormatRow(
      format: .quakeML, title: "QuakeML 1.2", extensions: ["quakeml", "qml", "xml"],
      fields: quakeMLFields,
      matches: { $0 == .markup(root: "quakeml") },
      reader: { (window, latest) throws(FeedFailure) in MarkupParser(window, format: .quakeML, latest: latest) }),
    FormatRow(
      format: .sc3ml, title: "SC3ML of SeisComP", extensions: ["sc3ml", "scml", "xml"],
      fields: quakeMLFields,
      matches: { $0 == .markup(root: "seiscomp") },
      reader: { (window, latest) throws(FeedFailure) in MarkupParser(window, format: .sc3ml, latest: latest) }),
    FormatRow(
      format: .atom, title: "Atom of the USGS and the INGV", extensions: ["atom", "xml"],
      fields: [.magnitude, .magnitudeType, .place, .updated, .depth, .type, .network, .code, .url, .title],
      matches: { $0 == .markup(root: "feed") },
      reader: { (window, latest) throws(FeedFailure) in MarkupParser(window, format: .atom, latest: latest) }),
    FormatRow(
      format: .bmkgXML, title: "XML of the BMKG", extensions: ["xml"],
      fields: [.magnitude, .place, .depth, .network, .code],
      matches: { $0 == .markup(root: "infogempa") },
      reader: { (window, latest) throws(FeedFailure) in MarkupParser(window, format: .bmkgXML, latest: latest) }),
  ]

  private static let lines = [
    FormatRow(
      format: .csv, title: "CSV of the USGS", extensions: ["csv"],
      fields: fields(and: [.code]) { $0.usgs?.column != nil },
      matches: { $0.tableFormat == .csv },
      reader: { (window, latest) throws(FeedFailure) in try TableParser(window, latest: latest) }),
    FormatRow(
      format: .fdsnText, title: "text of FDSN event services", extensions: ["txt"],
      fields: [
        .magnitude, .magnitudeType, .place, .depth, .type, .network, .code, .locationSource, .magnitudeSource,
      ],
      matches: { $0.tableFormat == .fdsnText },
      reader: { (window, latest) throws(FeedFailure) in try TableParser(window, latest: latest) }),
    FormatRow(
      format: .ndk, title: "NDK of the Global CMT catalog", extensions: ["ndk"],
      fields: [.magnitude, .magnitudeType, .place, .updated, .depth, .status, .network, .code],
      matches: { $0.isNDK },
      reader: { (window, latest) throws(FeedFailure) in NDKParser(window, latest: latest) }),
    FormatRow(
      format: .isf, title: "ISF bulletins of the ISC and others", extensions: ["isf", "ims"],
      fields: fields(and: [.magnitude, .magnitudeType, .place, .depth, .type, .status, .network, .code]) {
        $0.quakeML?.names.first == "quality"
      },
      matches: { $0.firstLine.map { ISFParser.isFirstLine($0.text(1...200)) } ?? false },
      reader: { (window, latest) throws(FeedFailure) in ISFParser(window, latest: latest) }),
    FormatRow(
      format: .zmap, title: "ZMAP", extensions: ["zmap", "dat"],
      fields: [.magnitude, .depth, .network, .code],
      matches: { $0.isZMAP },
      reader: { (window, latest) throws(FeedFailure) in ZMAPParser(window, latest: latest) }),
  ]

  private static let allFields = fields { $0.usgs != nil }

  private static let quakeMLFields = fields(and: [.place, .updated, .type, .status, .network, .code, .title]) {
    $0.quakeML != nil
  }

  /// The fields that an event may lack, as the table of fields has them for a format.
  ///
  /// - Parameter others: those that do not depend on the table.
  private static func fields(
    and others: [QuakeField] = [], where isInFormat: (StoredField) -> Bool
  ) -> QuakeFieldSet {
    let named = StoredField.all.filter(isInFormat).map(\.field).filter { !QuakeField.ofEveryEvent.contains($0) }
    return QuakeFieldSet(named + others)
  }
}

extension BodyOpening {
  fileprivate var firstLine: TextLine? {
    guard case .lines(let lines) = self else { return nil }
    return lines.first.map { TextLine($0) }
  }

  /// Whether one of the lines is an event's: the first may be damaged, or a comment.
  fileprivate var isNDK: Bool {
    firstLine.map(NDKParser.isFirstLine) ?? false || hasLine { $0.hasPrefix("CENTROID:") }
  }

  fileprivate var isZMAP: Bool {
    hasLine { ZMAPRow.isEvent(ZMAPRow.values(of: Array($0.utf8))) }
  }

  private func hasLine(where isSuch: (String) -> Bool) -> Bool {
    guard case .lines(let lines) = self else { return false }
    return lines.contains(where: isSuch)
  }

  fileprivate func isList(with name: String) -> Bool {
    guard case .json(let names, true) = self else { return false }
    return names.contains(name)
  }

  /// The format of the table whose columns the line names.
  fileprivate var tableFormat: EventFormat? {
    guard case .lines(let lines) = self, let first = lines.first else { return nil }
    return TableHeader(first)?.format
  }
}
