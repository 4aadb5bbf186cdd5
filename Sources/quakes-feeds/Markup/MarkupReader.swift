/// Reads one element of a document into a tree.
///
/// Replaces Foundation's `XMLParser`, which leaks its error messages: a few megabytes full of errors would take hundreds
/// of megabytes for as long as the worker runs. Malformed text, such as an unescaped `&`, is skipped and reported as long
/// as the ends of tags are clear. Prefixes need no declaration, and entities are not resolved.
struct MarkupReader {
  let bytes: [UInt8]
  var position = 0
  /// The first skipped error.
  private var failure: MarkupFailure?
  private let ignored: Set<String>
  /// The elements around the position, outermost first; those that are ignored are nil.
  private var open: [(name: String, element: MarkupElement?)] = []
  private var root: MarkupElement?
  private var elementCount = 0

  private init(_ bytes: [UInt8], ignored: Set<String>) {
    (self.bytes, self.ignored) = (bytes, ignored)
  }

  /// More than an event has, without what is ignored.
  private static let maximumElements = 10_000
  /// How many elements may be in each other.
  private static let maximumDepth = 100

  /// - Parameter text: the element from its start tag on. What follows its end tag does not matter.
  /// - Parameter ignored: the names of elements that are passed over with all that they hold.
  /// - Returns: the element, and the error that was passed over if there is one.
  /// - Throws: `MarkupFailure` if the element has no end, or too much in it.
  static func element(
    in text: String, ignoring ignored: Set<String> = []
  ) throws(MarkupFailure) -> (element: MarkupElement, failure: MarkupFailure?) {
    var reader = MarkupReader(Array(text.utf8), ignored: ignored)
    repeat {
      guard reader.position < reader.bytes.count else { throw reader.failure ?? .unmatchedTags }
      try reader.readPart()
    } while !reader.open.isEmpty
    guard let root = reader.root else { throw .unmatchedTags }
    return (root, reader.failure)
  }

  /// A run of text, or what a `<` begins.
  private mutating func readPart() throws(MarkupFailure) {
    if consume("<![CDATA[") {
      let start = position
      try pass("]]>")
      open.last?.element?.add(String(decoding: shortened(start..<position - 3), as: UTF8.self))
    } else if consume("<!--") {
      try pass("-->")
    } else if consume("<?") {
      try pass("?>")
    } else if consume("</") {
      try readEndTag()
    } else if consume("<") {
      try readStartTag()
    } else {
      let start = position
      passBytes { $0 != UInt8(ascii: "<") }
      if let element = open.last?.element { element.add(text(of: shortened(start..<position))) }
    }
  }

  private func shortened(_ range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[range].prefix(MarkupElement.maximumTextLength)
  }

  mutating func note(_ failure: MarkupFailure) {
    self.failure = self.failure ?? failure
  }
}

// MARK: - Tags

extension MarkupReader {
  private mutating func readStartTag() throws(MarkupFailure) {
    let name = name()
    var attributes: [String: String] = [:]
    var isEmpty = false
    while true {
      passBytes(while: Self.isBlank)
      isEmpty = consume("/>")
      if isEmpty || consume(">") { break }
      if let (name, value) = try attribute(), attributes[name] == nil { attributes[name] = value }
    }
    let isIgnored = ignored.contains(name) || !open.isEmpty && open.last?.element == nil
    if !isIgnored { elementCount += 1 }
    guard elementCount <= Self.maximumElements, open.count < Self.maximumDepth else { throw .tooMuch }
    let element = isIgnored ? nil : MarkupElement(name: name, attributes: attributes)
    if let element {
      open.last?.element?.add(element)
      root = root ?? element
    }
    if !isEmpty { open.append((name, element)) }
  }

  /// - Returns: nil if it is not a tag.
  private mutating func attribute() throws(MarkupFailure) -> (name: String, value: String)? {
    let name = name()
    passBytes(while: Self.isBlank)
    let isNamed = !name.isEmpty && consume("=")
    passBytes(while: Self.isBlank)
    guard position < bytes.count, bytes[position] != UInt8(ascii: "<") else { throw .endlessTag }
    let quote = bytes[position]
    guard isNamed, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      note(.attribute)
      // Whatever this is, the search continues.
      if name.isEmpty { position += 1 }
      return nil
    }
    position += 1
    let start = position
    passBytes { $0 != quote && $0 != UInt8(ascii: "<") }
    guard position < bytes.count, bytes[position] == quote else { throw .endlessTag }
    position += 1
    return (name, text(of: bytes[start..<position - 1]))
  }

  /// An end tag that matches no start tag is taken for that of the innermost element.
  private mutating func readEndTag() throws(MarkupFailure) {
    let name = name()
    passBytes { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
    guard consume(">") else { throw .endlessTag }
    if open.last?.name != name { note(.unmatchedTags) }
    if let index = open.lastIndex(where: { $0.name == name }) {
      open.removeSubrange(index...)
    } else if open.count > 1 {
      open.removeLast()
    }
  }

  /// A name without its prefix; empty without a name.
  private mutating func name() -> String {
    let start = position
    passBytes { $0 > 0x20 && !Self.delimiters.contains($0) }
    return String(decoding: bytes[start..<position], as: UTF8.self).withoutPrefix
  }

  private static let delimiters = Array("=/<>\"'".utf8)

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
