/// What a JSON text broke, and the byte where it did.
struct JSONFailure: Error, Equatable {
  /// The rules of RFC 8259 that a text can break, and the two limits that are ours.
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
  /// Counted from the first byte of the body, which is 0.
  var position: Int
}

extension JSONFailure: CustomStringConvertible {
  var description: String {
    switch kind {
    case .endOfBody: "the body ends here"
    case .unexpected(let byte): "\(Self.name(of: byte)) does not belong here"
    case .controlCharacterInString: "a string holds a bare control character or line break"
    case .badEscape: "a string holds an escape that JSON does not have"
    case .badNumber: "this is not a number in JSON's form"
    case .numberOutOfRange: "a number is too large"
    case .tooDeep: "values are nested more than \(JSONScanner.deepestNesting) deep"
    }
  }

  private static func name(of byte: UInt8) -> String {
    0x21...0x7E ~= byte ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x\(String(byte, radix: 16, uppercase: true))"
  }
}
