import Foundation

/// The beginning of a body, which shows its format.
enum BodyOpening: Equatable {
  /// JSON: the name of the first member, or if it is a list, the names in its first object, none for an empty list.
  case json(names: Set<String>, isList: Bool)
  /// XML: the name of the root in lower case, without its prefix.
  case markup(root: String)
  /// The first five lines that are not blank, with the blanks before them: at least one.
  case lines([String])

  /// - Throws: `FeedFailure` if the body is empty or cannot be a feed in any format.
  init(_ window: BodyWindow) throws(FeedFailure) {
    let bytes = window.bytes
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw .notAFeed("it is UTF-16 text, but feeds must be UTF-8")
    }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let first = bytes[start...].first(where: { !Self.isBlank($0) }) else {
      throw window.failure.map { .unreadable($0) } ?? .empty
    }
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): self = Self.json(window, from: start)
    case UInt8(ascii: "<"): self = try Self.markup(window)
    default: self = .lines(Self.lines(in: bytes[start...]))
    }
  }

  /// Why a body is in no known format.
  var refusal: String {
    switch self {
    case .json: "it is JSON of an unknown kind"
    case .markup(let root): "it is XML, but its root is <\(root.prefix(40))>, which is not that of a known format"
    case .lines(let lines):
      "it is not in a format that \"quakes-fetch --help\" lists; it begins with "
        + "\"\((lines.first ?? "").drop { $0 == " " }.prefix(60))\""
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || 0x09...0x0D ~= byte
  }
}

// MARK: - Lines and XML

extension BodyOpening {
  private static func lines(in bytes: Slice<UnsafeRawBufferPointer>) -> [String] {
    let isEnd = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
    var rest = bytes
    var lines: [String] = []
    while lines.count < 5, !rest.isEmpty {
      let line = rest.prefix { !isEnd($0) }
      if line.contains(where: { !isBlank($0) }) { lines.append(String(decoding: line, as: UTF8.self)) }
      rest = rest[line.endIndex...].drop(while: isEnd)
    }
    return lines
  }

  private static func markup(_ window: BodyWindow) throws(FeedFailure) -> BodyOpening {
    var tags = MarkupTags(window)
    let root = (tags.next(keeping: 0)?.name ?? "").lowercased()
    if root == "html" { throw .notAFeed("it is a web page") }
    if root.isEmpty { throw .notAFeed("it begins like XML, but does not have an element") }
    return .markup(root: root)
  }
}

// MARK: - JSON

extension BodyOpening {
  /// Looks farther until the first object is whole. What is not JSON ends the search.
  private static func json(_ window: BodyWindow, from start: Int) -> BodyOpening {
    while true {
      var scanner = JSONScanner(window.bytes)
      scanner.position = start
      var names: Set<String> = []
      let isList = (try? scanner.peek()) == UInt8(ascii: "[")
      do {
        try readNames(&names, of: &scanner, isList: isList)
      } catch {
        if error.kind == .endOfBody, window.advance(to: window.offset) { continue }
      }
      return .json(names: names, isList: isList)
    }
  }

  private static func readNames(
    _ names: inout Set<String>, of scanner: inout JSONScanner, isList: Bool
  ) throws(JSONFailure) {
    if isList {
      guard try scanner.enterArray(), try scanner.peek() == UInt8(ascii: "{") else { return }
    }
    guard try scanner.enterObject() else { return }
    repeat {
      names.insert(try scanner.string())
      guard isList else { return }
      try scanner.expect(UInt8(ascii: ":"))
      try scanner.skipValue()
    } while try scanner.nextMember()
  }
}
