extension QuakeFacts {
  /// The address of the event's page, if a bar may open it: only http and https, with everything percent-encoded that
  /// a shell, a markup language or a bar could interpret. nil without such an address.
  public var page: String? {
    guard let url, url.utf8.count <= 2000, let host = Self.hostStart(of: url), host < url.endIndex else { return nil }
    let bytes = Array(url.utf8)
    var result = ""
    for (index, byte) in bytes.enumerated() {
      let isEscape =
        byte == UInt8(ascii: "%") && index + 2 < bytes.count && bytes[index + 1...index + 2].allSatisfy(Self.isHex)
      if isEscape || Self.isPlain(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }

  private static func hostStart(of url: String) -> String.Index? {
    for scheme in ["https://", "http://"] where url.lowercased().hasPrefix(scheme) {
      let start = url.utf8.index(url.startIndex, offsetBy: scheme.utf8.count)
      return url[start...].first.map { $0 != "/" } == true ? start : nil
    }
    return nil
  }

  private static func isHex(_ byte: UInt8) -> Bool { Character(Unicode.Scalar(byte)).isHexDigit }

  /// Letters, digits, and the punctuation that addresses need and no shell or bar interprets.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~:/?#@&=+,".utf8.contains(byte)
    }
  }
}
