import Foundation

extension JSONScanner {
  /// Scans a number in strict JSON syntax: no `+`, no leading zero, no `.5`, no `NaN`, no `Infinity`.
  ///
  /// Returns the nearest Double. Up to 19 digits and a power of ten up to 22 take one exact multiplication or division
  /// (Clinger 1990); all others go through `strtod`.
  mutating func number() throws(JSONFailure) -> Double {
    skipBlanks()
    let start = position
    let negative = passIf(UInt8(ascii: "-"))
    var mantissa: UInt64 = 0
    let whole = try digits(into: &mantissa)
    if whole > 1, bytes[position - whole] == UInt8(ascii: "0") {
      position -= whole
      throw failure(.badNumber)
    }
    let fraction = passIf(UInt8(ascii: ".")) ? try digits(into: &mantissa) : 0
    let exponent = try exponentPart()
    let power = exponent - fraction
    guard whole + fraction <= 19, mantissa < 1 << 53, -22...22 ~= power else {
      return try slowNumber(in: start..<position)
    }
    let size = power < 0 ? Double(mantissa) / Self.powersOfTen[-power] : Double(mantissa) * Self.powersOfTen[power]
    return negative ? -size : size
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  private mutating func passIf(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Scans one or more digits and returns their number; the mantissa may wrap, which the caller sees from the count.
  private mutating func digits(into mantissa: inout UInt64) throws(JSONFailure) -> Int {
    let start = position
    while position < bytes.count, 0x30...0x39 ~= bytes[position] {
      mantissa = mantissa &* 10 &+ UInt64(bytes[position] &- 0x30)
      position += 1
    }
    guard position > start else { throw isAtEnd ? failure(.endOfBody) : failure(.badNumber) }
    return position - start
  }

  private mutating func exponentPart() throws(JSONFailure) -> Int {
    guard passIf(UInt8(ascii: "e")) || passIf(UInt8(ascii: "E")) else { return 0 }
    let negative = passIf(UInt8(ascii: "-"))
    if !negative { _ = passIf(UInt8(ascii: "+")) }
    var size: UInt64 = 0
    let count = try digits(into: &size)
    // More than six digits exceed any Double; strtod then returns zero or infinity.
    let exponent = count > 6 ? 1_000_000 : Int(size)
    return negative ? -exponent : exponent
  }

  private func slowNumber(in range: Range<Int>) throws(JSONFailure) -> Double {
    let value = strtod(String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self), nil)
    guard value.isFinite else { throw JSONFailure(kind: .numberOutOfRange, position: base + range.lowerBound) }
    return value
  }
}
