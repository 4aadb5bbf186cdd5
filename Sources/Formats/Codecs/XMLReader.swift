/// Parses the XML of model files: elements, attributes, character data, comments, CDATA, the five predefined entities
/// and character references. Skips a document type; ignores namespaces.
///
/// Our own, because linking Foundation's `XMLParser` adds 6 ms to every program's start, and programs rarely read XML.
package struct XMLReader {
  private let bytes: [UInt8]
  private let file: String
  private var position = 0
  private var line = 1
  private var depth = 0

  private init(_ bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
  }

  /// Parses a UTF-8 document and returns its root element.
  /// - Parameter file: the file name for errors.
  package static func root(_ bytes: [UInt8], file: String) throws(FileFormatError) -> ParsedElement {
    var reader = XMLReader(bytes, file: file)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
    try reader.skipMiscellany()
    guard reader.peek == UInt8(ascii: "<") else { throw reader.unexpected("an element") }
    let root = try reader.element()
    try reader.skipMiscellany()
    guard reader.peek == nil else { throw reader.unexpected("the end of the file") }
    return root
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func starts(with text: StaticString) -> Bool {
    guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
  }

  private mutating func advance(_ count: Int = 1) {
    for byte in bytes[position..<min(position + count, bytes.count)] where byte == UInt8(ascii: "\n") { line += 1 }
    position += count
  }

  private mutating func consume(_ text: StaticString) -> Bool {
    guard starts(with: text) else { return false }
    advance(text.utf8CodeUnitCount)
    return true
  }

  private mutating func skip(past end: StaticString) throws(FileFormatError) {
    while !starts(with: end) {
      guard peek != nil else { throw unexpected("\"\(end)\"") }
      advance()
    }
    advance(end.utf8CodeUnitCount)
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 32 || (9...13).contains(byte) { advance() }
  }

  /// Skips white space, comments, processing instructions and the document type.
  private mutating func skipMiscellany() throws(FileFormatError) {
    while true {
      skipSpace()
      if consume("<?") {
        try skip(past: "?>")
      } else if consume("<!--") {
        try skip(past: "-->")
      } else if consume("<!") {
        try skip(past: ">")
      } else {
        return
      }
    }
  }

  private func error(_ problem: String) -> FileFormatError { FileFormatError(file: file, line: line, problem) }

  private func unexpected(_ expectation: String) -> FileFormatError {
    let found = peek.map { "\"\(Character(Unicode.Scalar($0)))\"" } ?? "the end of the file"
    return error("expected \(expectation), found \(found)")
  }
}

/// Elements.
extension XMLReader {
  private mutating func element() throws(FileFormatError) -> ParsedElement {
    let start = line
    depth += 1
    defer { depth -= 1 }
    guard depth <= 100 else { throw error("more than 100 elements are in each other") }
    advance()
    var element = ParsedElement(name: try name(), line: start)
    while true {
      skipSpace()
      if consume("/>") { return element }
      if consume(">") { break }
      let attribute = try attribute()
      guard element[attribute.name] == nil else { throw error("the attribute \(attribute.name) occurs twice") }
      element.attributes.append(attribute)
    }
    try content(of: &element)
    return element
  }

  private mutating func content(of element: inout ParsedElement) throws(FileFormatError) {
    while true {
      if consume("</") {
        let closing = try name()
        guard closing == element.name else {
          throw error("expected </\(element.name)> for the element of line \(element.line), found </\(closing)>")
        }
        skipSpace()
        guard consume(">") else { throw unexpected("\">\"") }
        return
      }
      if consume("<!--") {
        try skip(past: "-->")
      } else if consume("<![CDATA[") {
        let start = position
        try skip(past: "]]>")
        element.text += String(decoding: bytes[start..<position - 3], as: UTF8.self)
      } else if consume("<?") {
        try skip(past: "?>")
      } else if peek == UInt8(ascii: "<") {
        element.children.append(try self.element())
      } else if peek == nil {
        throw error("expected </\(element.name)> for the element of line \(element.line), found the end of the file")
      } else {
        element.text += try characters(until: [UInt8(ascii: "<")])
      }
    }
  }

  private mutating func name() throws(FileFormatError) -> String {
    let start = position
    while let byte = peek, byte >= 128 || Self.isNameByte(byte) { advance() }
    guard position > start else { throw unexpected("a name") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    case UInt8(ascii: ":"): true
    default: false
    }
  }

  private mutating func attribute() throws(FileFormatError) -> ParsedElement.Attribute {
    let line = line
    let name = try name()
    skipSpace()
    guard consume("=") else { throw unexpected("\"=\" after \(name)") }
    skipSpace()
    guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw unexpected("the quoted value of \(name)")
    }
    advance()
    let value = try characters(until: [quote, UInt8(ascii: "<")])
    guard peek == quote else { throw unexpected("the end of the value of \(name)") }
    advance()
    return ParsedElement.Attribute(name: name, value: value, line: line)
  }

  /// The text up to one of the given bytes, with references resolved.
  private mutating func characters(until ends: [UInt8]) throws(FileFormatError) -> String {
    var text: [UInt8] = []
    while let byte = peek, !ends.contains(byte) {
      if byte == UInt8(ascii: "&") {
        text += Array(try reference().utf8)
      } else {
        text.append(byte)
        advance()
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func reference() throws(FileFormatError) -> String {
    let start = position + 1
    while let byte = peek, byte != UInt8(ascii: ";"), position - start < 12 { advance() }
    guard peek == UInt8(ascii: ";") else { throw unexpected("\";\" after a reference") }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    advance()
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let digits = name.dropFirst(2)
      let code = name.hasPrefix("#x") ? UInt32(digits, radix: 16) : UInt32(name.dropFirst())
      guard name.hasPrefix("#"), let scalar = code.flatMap(Unicode.Scalar.init) else {
        throw error("expected a character reference, found &\(name);")
      }
      return String(Character(scalar))
    }
  }
}
