/// The rule that a JSON text violates, and where.
struct JSONFailure: Error, Equatable {
  /// Violations of RFC 8259, and our own two limits.
  enum Kind: Equatable {
    case endOfBody
    case unexpected(UInt8)
    case controlCharacterInString
    case badEscape
    case badNumber
    case numberOutOfRange
    case tooDeep
  }

  var kind: Kind
  /// The byte offset in the body.
  var position: Int

  /// The end of the body is not reached: what begins here would take in the values that follow it.
  static func notClosed(from start: Int) -> JSONFailure { JSONFailure(kind: .endOfBody, position: start) }
}

extension JSONFailure: CustomStringConvertible {
  var description: String {
    switch kind {
    case .endOfBody: "the body ends here"
    case .unexpected(let byte): "\(Self.name(of: byte)) does not belong here"
    case .controlCharacterInString: "a string contains an unescaped control character or line break"
    case .badEscape: "a string contains an invalid escape"
    case .badNumber: "this is not a valid JSON number"
    case .numberOutOfRange: "a number is too large"
    case .tooDeep: "values are nested more than \(JSONScanner.maximumNesting) deep"
    }
  }

  private static func name(of byte: UInt8) -> String {
    0x21...0x7E ~= byte ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x\(String(byte, radix: 16, uppercase: true))"
  }
}
