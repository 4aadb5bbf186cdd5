/// Encodes non-ASCII names as Swift symbols do: RFC 3492 with `_` before the encoded part and the digits `a…z` and
/// `A…J`. Characters that an identifier cannot contain, such as a space, are encoded too.
enum Punycode {
  private static let (base, tMin, tMax) = (36, 1, 26)

  static func encode(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { isPlain($0) ? Int($0.value) : encodedValue($0) }
    var output = scalars.filter { $0 < 128 }.map { UInt8($0) }
    let plainCount = output.count
    if plainCount > 0 { output.append(UInt8(ascii: "_")) }
    var (n, delta, bias, handled) = (128, 0, 72, plainCount)
    while handled < scalars.count {
      guard let next = scalars.filter({ $0 >= n }).min() else { break }
      delta += (next - n) * (handled + 1)
      n = next
      for scalar in scalars {
        if scalar < n { delta += 1 }
        guard scalar == n else { continue }
        output += digits(of: delta, bias: bias)
        bias = adapted(delta, count: handled + 1, isFirst: handled == plainCount)
        delta = 0
        handled += 1
      }
      delta += 1
      n += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
    default: false
    }
  }

  /// ASCII characters that identifiers cannot contain are moved to the surrogate range, which has no characters.
  private static func encodedValue(_ scalar: Unicode.Scalar) -> Int {
    scalar.value < 128 ? 0xD800 + Int(scalar.value) : Int(scalar.value)
  }

  private static func digits(of delta: Int, bias: Int) -> [UInt8] {
    var digits: [UInt8] = []
    var rest = delta
    for k in stride(from: base, through: .max, by: base) {
      let threshold = k <= bias ? tMin : min(tMax, k - bias)
      if rest < threshold { break }
      digits.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
    }
    return digits + [digit(rest)]
  }

  private static func digit(_ value: Int) -> UInt8 {
    value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "A") + UInt8(value - 26)
  }

  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var k = 0
    while delta > (base - tMin) * tMax / 2 {
      delta /= base - tMin
      k += base
    }
    return k + (base - tMin + 1) * delta / (delta + 38)
  }
}
