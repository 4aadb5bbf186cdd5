/// A JSON value whose members keep their order and whose numbers keep all their digits.
enum JSONNode: Equatable {
  case null
  case flag(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
  case list([JSONNode])
  case members([Member])

  struct Member: Equatable {
    var name: String
    var value: JSONNode

    init(_ name: String, _ value: JSONNode) { (self.name, self.value) = (name, value) }
  }

  /// The value as JSON on one line, in ASCII where a character could control a terminal.
  var line: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value of a member; nil if it is missing, or if this is not an object.
  subscript(name: String) -> JSONNode? {
    if case .members(let members) = self { members.first { $0.name == name }?.value } else { nil }
  }

  /// The kind of value: "a number".
  var kind: String {
    switch self {
    case .null: "null"
    case .flag: "a Boolean"
    case .integer, .real: "a number"
    case .text: "a text"
    case .list: "an array"
    case .members: "an object"
    }
  }

  func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .flag(let flag): bytes += (flag ? "true" : "false").utf8
    case .integer(let integer): bytes += String(integer).utf8
    case .real(let real): bytes += real.isFinite ? Array(real.description.utf8) : Array("\"\(real)\"".utf8)
    case .text(let text): Self.write(text, to: &bytes)
    case .list(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .members(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(truncatingIfNeeded: scalar.value)]
      case "\n": bytes += "\\n".utf8
      case "\r": bytes += "\\r".utf8
      case "\t": bytes += "\\t".utf8
      case _ where scalar.value >= 0x20 && scalar.value < 0x7F: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      // All that a terminal obeys is in the basic plane, so that one escape will do.
      case _ where Console.isControl(scalar):
        let digits = String(scalar.value, radix: 16)
        bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
      default: bytes += Array(String(scalar).utf8)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
