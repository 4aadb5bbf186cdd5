import Foundation

/// Writes JSON on one line, in the order of the calls.
public struct JSONText: Sendable {
  public private(set) var text = ""
  private var needsComma = false

  public init() {}

  public mutating func object(_ key: String? = nil, _ members: (inout JSONText) -> Void) {
    nest(key, "{", "}", members)
  }

  public mutating func array(_ key: String? = nil, _ elements: (inout JSONText) -> Void) {
    nest(key, "[", "]", elements)
  }

  public mutating func string(_ key: String, _ value: String?) {
    begin(key)
    if let value { quote(value) } else { text += "null" }
  }

  public mutating func string(_ value: String) {
    begin(nil)
    quote(value)
  }

  public mutating func integer(_ key: String, _ value: Int?) {
    begin(key)
    text += value.map { String($0) } ?? "null"
  }

  public mutating func number(_ value: Double?) {
    begin(nil)
    write(value)
  }

  public mutating func number(_ key: String, _ value: Double?) {
    begin(key)
    write(value)
  }

  /// Writes null for a number that JSON cannot represent.
  private mutating func write(_ value: Double?) {
    guard let value, value.isFinite else {
      text += "null"
      return
    }
    text += DecimalText.shortest(value)
  }

  public mutating func bool(_ key: String, _ value: Bool) {
    begin(key)
    text += value ? "true" : "false"
  }

  public mutating func date(_ key: String, _ value: Date?) {
    string(key, value.map { ISO8601.text($0) })
  }

  private mutating func nest(_ key: String?, _ open: String, _ close: String, _ body: (inout JSONText) -> Void) {
    begin(key)
    text += open
    needsComma = false
    body(&self)
    text += close
    needsComma = true
  }

  private mutating func begin(_ key: String?) {
    if needsComma { text += "," }
    needsComma = true
    guard let key else { return }
    quote(key)
    text += ":"
  }

  private mutating func quote(_ value: String) {
    text += "\""
    defer { text += "\"" }
    if value.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      text += value
      return
    }
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where Terminal.isControl(scalar) || Terminal.isInvisible(scalar): escape(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// Characters that a terminal interprets or hides are written as numbers, so that nothing is lost.
  private mutating func escape(_ scalar: Unicode.Scalar) {
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
  }
}
