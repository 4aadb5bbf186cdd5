extension JSONScanner {
  /// The open brackets, one bit each: 1 for an object, 0 for an array.
  private struct OpenBrackets {
    var kinds: UInt64 = 0
    var depth = 0

    var isInObject: Bool { depth > 0 && kinds & 1 == 1 }
    var closing: UInt8 { kinds & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]") }

    mutating func open(_ byte: UInt8) {
      kinds = kinds << 1 | (byte == UInt8(ascii: "{") ? 1 : 0)
      depth += 1
    }

    mutating func close() {
      kinds >>= 1
      depth -= 1
    }
  }

  /// Skips a value, with full validation but no recursion.
  mutating func skipValue() throws(JSONFailure) {
    var brackets = OpenBrackets()
    repeat {
      try skipToLeaf(&brackets)
      try closeFinished(&brackets)
    } while brackets.depth > 0
  }

  /// Skips opening brackets and then a scalar or an empty bracket pair.
  private mutating func skipToLeaf(_ brackets: inout OpenBrackets) throws(JSONFailure) {
    while true {
      if brackets.isInObject {
        _ = try checkedString()
        try expect(UInt8(ascii: ":"))
      }
      let byte = try peek()
      guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else { return try skipScalar(byte) }
      guard brackets.depth < Self.maximumNesting else { throw failure(.tooDeep) }
      position += 1
      brackets.open(byte)
      if try pass(brackets.closing) {
        brackets.close()
        return
      }
    }
  }

  /// After a value: skips closing brackets up to the next `,` or until none is open.
  private mutating func closeFinished(_ brackets: inout OpenBrackets) throws(JSONFailure) {
    while brackets.depth > 0 {
      if try pass(UInt8(ascii: ",")) { return }
      try expect(brackets.closing)
      brackets.close()
    }
  }

  private mutating func skipScalar(_ first: UInt8) throws(JSONFailure) {
    switch first {
    case UInt8(ascii: "\""): try checkedString()
    case UInt8(ascii: "n"): try passWord("null")
    case UInt8(ascii: "t"): try passWord("true")
    case UInt8(ascii: "f"): try passWord("false")
    case UInt8(ascii: "-"), 0x30...0x39: _ = try number()
    default: throw misfit()
    }
  }

  private mutating func checkedString() throws(JSONFailure) {
    let bounds = try stringBounds()
    if bounds.hasEscapes { _ = try text(in: bounds) }
  }
}
