import Foundation

// Parsing of what precedes and follows the features.

extension GeoJSONParser {
  enum Member: Sendable {
    case type, metadata, features, properties, geometry, data, eventID, title, url, generated, status, error, count

    static let ofBody = JSONKeyTable<Member>([
      ("type", .type), ("metadata", .metadata), ("features", .features), ("properties", .properties),
      ("geometry", .geometry), ("data", .data), ("unid", .eventID), ("publicID", .eventID),
    ])
    static let ofMetadata = JSONKeyTable<Member>([
      ("title", .title), ("url", .url), ("generated", .generated), ("status", .status), ("error", .error),
      ("count", .count),
    ])
  }

  /// Parses up to the first feature.
  ///
  /// - Returns: why the body is not a feed; nil if it is.
  mutating func readHead() throws(JSONFailure) -> FeedFailure? {
    metadata = FeedMetadata()
    scanner.skipBlanks()
    let start = scanner.position
    guard try scanner.peek() == UInt8(ascii: "{") else {
      try scanner.skipValue()
      return .notAFeed("it is JSON, but not an object")
    }
    guard try scanner.enterObject() else { return .notAFeed("it is an empty object") }
    repeat {
      let member = Member.ofBody[try scanner.key()]
      switch member {
      case .features:
        guard try scanner.pass(UInt8(ascii: "[")) else { break }
        state = .firstFeature
        return serviceError
      case .properties, .geometry, .data:
        guard try scanner.peek() == UInt8(ascii: "{") else { break }
        return readEvents(from: start)
      case .eventID:
        guard try scanner.peek() == UInt8(ascii: "\"") else { break }
        return readEvents(from: start)
      case .type:
        guard try scanner.peek() == UInt8(ascii: "\"") else { break }
        let type = try scanner.string()
        guard type == "FeatureCollection" || type == "Feature" else {
          return .notAFeed("its type is \"\(type.prefix(40))\"")
        }
        continue
      case .metadata:
        try readMetadata()
        continue
      default: break
      }
      try scanner.skipValue()
    } while try scanner.nextMember()
    return serviceError ?? .notAFeed("it has neither a list named \"features\" nor an event's \"properties\"")
  }

  /// Parses up to the first record of a list that is not GeoJSON: a list alone, or a list or a single record in objects.
  ///
  /// - Returns: why the body is not such a list; nil if it is.
  mutating func readHead(of dialect: RecordDialect) throws(JSONFailure) -> FeedFailure? {
    metadata = FeedMetadata(service: dialect.service)
    enclosingObjects = dialect.path.count
    for name in dialect.path {
      guard try scanner.peek() == UInt8(ascii: "{"), try enter(name) else {
        return .notAFeed("it does not have \"\(name)\"")
      }
    }
    switch try scanner.peek() {
    case UInt8(ascii: "["):
      scanner.position += 1
      state = .firstFeature
    case UInt8(ascii: "{"):
      (state, isList) = (.firstFeature, false)
    default: return .notAFeed("it does not have a list of earthquakes")
    }
    return nil
  }

  /// Moves to the value of a member.
  ///
  /// - Returns: false if the object does not have it.
  private mutating func enter(_ name: String) throws(JSONFailure) -> Bool {
    guard try scanner.enterObject() else { return false }
    repeat {
      if try scanner.key() == JSONKey(name) { return true }
      try scanner.skipValue()
    } while try scanner.nextMember()
    return false
  }

  /// Parses documents of one event each, from the start of the first.
  private mutating func readEvents(from start: Int) -> FeedFailure? {
    scanner.position = start
    (state, isList) = (.firstFeature, false)
    return nil
  }

  private var serviceError: FeedFailure? {
    guard let status = metadata.status, status != 200 else { return nil }
    return .serviceError(status: status, message: metadata.error)
  }

  private mutating func readMetadata() throws(JSONFailure) {
    guard try scanner.peek() == UInt8(ascii: "{") else { return try scanner.skipValue() }
    guard try scanner.enterObject() else { return }
    repeat {
      switch Member.ofMetadata[try scanner.key()] {
      case .title:
        metadata.title = try text()
        metadata.recognizeFeed(title: metadata.title)
      case .url: metadata.recognizeFeed(url: try text())
      case .error: metadata.error = try text()
      case .generated: metadata.takeGenerated(try number().map { .number($0) }, until: reader.latest)
      case .status: metadata.status = try number().flatMap { Int32(exactly: $0) }
      case .count: metadata.count = try number().flatMap { Int32(exactly: $0) }
      default: try scanner.skipValue()
      }
    } while try scanner.nextMember()
  }

  private mutating func text() throws(JSONFailure) -> String? {
    guard try scanner.peek() == UInt8(ascii: "\"") else {
      try scanner.skipValue()
      return nil
    }
    let text = try scanner.string()
    return text.utf8.count <= FieldValue.maximumTextLength ? text : nil
  }

  private mutating func number() throws(JSONFailure) -> Double? {
    switch try scanner.peek() {
    case UInt8(ascii: "-"), 0x30...0x39: return try scanner.number()
    default:
      try scanner.skipValue()
      return nil
    }
  }

  /// Parses what follows the features: usually a bounding box.
  mutating func finish() throws(JSONFailure) -> EventDocument.Item? {
    state = .finished
    try whole { parser throws(JSONFailure) in
      // A single event of GeoJSON is in no object.
      for _ in 0..<(parser.isList || parser.reader.dialect != nil ? parser.enclosingObjects : 0) {
        try parser.passMembers()
      }
      parser.scanner.skipBlanks()
    }
    guard scanner.isAtEnd else { throw scanner.misfit() }
    return nil
  }

  /// Parses the rest of an object.
  private mutating func passMembers() throws(JSONFailure) {
    while try scanner.nextMember() {
      if Member.ofBody[try scanner.key()] == .metadata, reader.dialect == nil {
        try readMetadata()
      } else {
        try scanner.skipValue()
      }
    }
  }
}
