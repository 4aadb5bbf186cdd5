import Foundation

// Parsing of what precedes and follows the features.

extension GeoJSONParser {
  enum Member: Sendable {
    case type, metadata, features, title, generated, status, error, count

    static let ofBody = JSONKeyTable<Member>([("type", .type), ("metadata", .metadata), ("features", .features)])
    static let ofMetadata = JSONKeyTable<Member>([
      ("title", .title), ("generated", .generated), ("status", .status), ("error", .error), ("count", .count),
    ])
  }

  mutating func readHead() throws {
    guard try scanner.peek() == UInt8(ascii: "{") else {
      let isValue = (try? scanner.skipValue()) != nil
      throw isValue ? FeedFailure.notAFeed("it is JSON, but not an object") : scanner.misfit()
    }
    guard try scanner.enterObject() else { throw FeedFailure.notAFeed("it is an empty object") }
    repeat {
      let member = Member.ofBody[try scanner.key()]
      if member == .features, try scanner.pass(UInt8(ascii: "[")) {
        state = .firstFeature
        return try refuseServiceError()
      }
      try readMember(member)
    } while try scanner.nextMember()
    try refuseServiceError()
    throw FeedFailure.notAFeed("it has no list named \"features\"")
  }

  private func refuseServiceError() throws(FeedFailure) {
    if let status = metadata.status, status != 200 {
      throw .serviceError(status: status, message: metadata.error)
    }
  }

  private mutating func readMember(_ member: Member?) throws {
    switch member {
    case .type:
      guard try scanner.peek() == UInt8(ascii: "\"") else { return try scanner.skipValue() }
      let type = try scanner.string()
      if type == "Feature" {
        throw FeedFailure.notAFeed("it is one event's document (type \"Feature\"), not a list of events")
      }
      if type != "FeatureCollection" { throw FeedFailure.notAFeed("its type is \"\(type.prefix(40))\"") }
    case .metadata: try readMetadata()
    default: try scanner.skipValue()
    }
  }

  private mutating func readMetadata() throws(JSONFailure) {
    guard try scanner.peek() == UInt8(ascii: "{") else { return try scanner.skipValue() }
    guard try scanner.enterObject() else { return }
    repeat {
      switch Member.ofMetadata[try scanner.key()] {
      case .title: metadata.title = try text()
      case .error: metadata.error = try text()
      case .generated: metadata.generated = try number().map { Date(timeIntervalSince1970: $0 / 1000) }
      case .status: metadata.status = try number().flatMap { Int32(exactly: $0) }
      case .count: metadata.count = try number().flatMap { Int32(exactly: $0) }
      default: try scanner.skipValue()
      }
    } while try scanner.nextMember()
  }

  private mutating func text() throws(JSONFailure) -> String? {
    if try scanner.peek() == UInt8(ascii: "\"") { return try scanner.string() }
    try scanner.skipValue()
    return nil
  }

  private mutating func number() throws(JSONFailure) -> Double? {
    if case UInt8(ascii: "-") = try scanner.peek() { return try scanner.number() }
    if case 0x30...0x39 = try scanner.peek() { return try scanner.number() }
    try scanner.skipValue()
    return nil
  }

  /// Parses what follows the features: usually a bounding box.
  mutating func finish() throws(JSONFailure) -> Item? {
    state = .finished
    while try scanner.nextMember() {
      if Member.ofBody[try scanner.key()] == .metadata { try readMetadata() } else { try scanner.skipValue() }
    }
    scanner.skipBlanks()
    guard scanner.isAtEnd else { throw scanner.misfit() }
    return nil
  }
}
