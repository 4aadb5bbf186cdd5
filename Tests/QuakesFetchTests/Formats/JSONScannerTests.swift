import Foundation
import StrataTestSupport
import Testing

@testable import StrataQuakesFeeds

/// Scans a text's bytes.
func scan<Value>(_ text: String, _ body: (inout JSONScanner) throws -> Value) rethrows -> Value {
  try Array(text.utf8).withUnsafeBytes { bytes in
    var scanner = JSONScanner(bytes)
    return try body(&scanner)
  }
}

@Suite("JSON scanner") struct JSONScannerTests {
  static let stringCases: [(String, String)] = [
    (#""""#, ""), (#""Tonga""#, "Tonga"), (#""a\"b\\c\/d""#, "a\"b\\c/d"), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
    (#""P\u0101hala""#, "Pāhala"), (#""\uD83C\uDF0B""#, "🌋"), (#""宮城県沖, Japan""#, "宮城県沖, Japan"),
    (#""\uD83C""#, "\u{FFFD}"), (#""\uD83C\uD83C\uDF0B""#, "\u{FFFD}🌋"), (#""\uDF0Bx""#, "\u{FFFD}x"),
    (#""\uD83Cx""#, "\u{FFFD}x"), (#""0123456789abcdef\u0000""#, "0123456789abcdef\u{0}"),
  ]

  @Test(arguments: stringCases)
  func `strings are decoded`(json: String, text: String) throws {
    #expect(try scan(json) { try $0.string() } == text)
  }

  @Test func `invalid UTF-8 is replaced`() throws {
    let bytes: [UInt8] = [0x22, 0x41, 0xE9, 0x42, 0x22]
    let text = try bytes.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      return try scanner.string()
    }
    #expect(text == "A\u{FFFD}B")
  }

  static let brokenStringCases: [(String, JSONFailure.Kind, Int)] = [
    (#""abc"#, JSONFailure.Kind.endOfBody, 4), (#""ab\x""#, .badEscape, 4), (#""\u12G4""#, .badEscape, 6),
    ("\"a\nb\"", .controlCharacterInString, 2), (#""abcdefgh\"#, .endOfBody, 10), ("abc", .unexpected(0x61), 0),
  ]

  @Test(arguments: brokenStringCases)
  func `a malformed string is reported with its position`(json: String, kind: JSONFailure.Kind, position: Int) {
    let failure = #expect(throws: JSONFailure.self) { try scan(json) { try $0.string() } }
    #expect(failure?.kind == kind)
    #expect((failure?.position ?? -1) - position <= 1)
  }

  static let numbers: [(String, Double)] = [
    ("0", 0.0), ("-0", -0.0), ("6.1", 6.1), ("-1.39", -1.39), ("1397562567000", 1_397_562_567_000), ("1e3", 1000),
    ("1E+2", 100), ("25e-1", 2.5), ("0.1", 0.1), ("123456789012345678901234567890", 1.2345678901234568e29),
    ("9007199254740993", 9_007_199_254_740_992), ("2.2250738585072014e-308", 2.2250738585072014e-308),
    ("1e-400", 0), ("0.000000000000000000000000000001", 1e-30), ("-179.9313", -179.9313),
    ("1.7976931348623157e308", 1.7976931348623157e308),
    ("123456789.123456789123", 123456789.123456789123),
  ]

  @Test(arguments: numbers)
  func `a number is the nearest Double`(json: String, value: Double) throws {
    #expect(try scan(json) { try $0.number() } == value)
  }

  @Test func `random numbers equal those of the standard library`() throws {
    var generator = SeededRandom()
    for _ in 0..<20_000 {
      let digits = String(UInt64.random(in: 0...UInt64.max, using: &generator))
      let text =
        "\(digits.prefix(Int.random(in: 1...19, using: &generator)))".replacingLeadingZeros()
        + ".\(digits.suffix(6))e\(Int.random(in: -40...40, using: &generator))"
      #expect(try scan(text) { try $0.number() } == Double(text), "\(text)")
    }
  }

  @Test(arguments: ["NaN", "Infinity", "-Infinity", "+1", ".5", "-", "01", "1.", "1.e3", "1e", "1e+", "0x10", "1e999"])
  func `an invalid number is refused`(json: String) {
    #expect(throws: JSONFailure.self) {
      try scan(json) { scanner in
        _ = try scanner.number()
        scanner.skipBlanks()
        if !scanner.isAtEnd { throw scanner.misfit() }
      }
    }
  }

  @Test(arguments: [
    "null", "true", "false", "[]", "{}", "[[],{}]", #"{"a":{"b":[1,"]}",{"c":null}]}}"#, " [ 1 , 2 ] ",
    #"{"\u0061":1}"#,
  ])
  func `valid values are skipped`(json: String) throws {
    try scan(json) { scanner in
      try scanner.skipValue()
      scanner.skipBlanks()
      #expect(scanner.isAtEnd)
    }
  }

  @Test(arguments: [
    "[1,]", "[,1]", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "[1 2]", "{1:2}", "nul", "tru", "[", "{", "]", "[}", "",
    #"["\q"]"#, "'a'",
  ])
  func `malformed values are refused`(json: String) {
    #expect(throws: JSONFailure.self) { try scan(json) { try $0.skipValue() } }
  }

  @Test func `excessive nesting is refused at the limit`() throws {
    let deepest = JSONScanner.maximumNesting
    let allowed = String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest)
    try scan(allowed) { try $0.skipValue() }
    let failure = #expect(throws: JSONFailure.self) {
      try scan(String(repeating: "[", count: 1_000_000)) { try $0.skipValue() }
    }
    #expect(failure == JSONFailure(kind: .tooDeep, position: deepest))
    #expect(throws: JSONFailure.self) {
      try scan(String(repeating: #"{"a":"#, count: 1_000_000)) { try $0.skipValue() }
    }
  }

  @Test func `a key table distinguishes names`() {
    let names = ["mag", "place", "properties", "coordinates", "magType", "type", "types", "abcdefghijklmnop"]
    let table = JSONKeyTable(names.enumerated().map { ($1, $0) })
    for (number, name) in names.enumerated() { #expect(table[JSONKey(name)] == number) }
    for name in ["", "ma", "mags", "propertiez", "coordinateX", "abcdefghijklmnopq", "abcdefghijklmnoq"] {
      #expect(table[JSONKey(name)] == nil, "\(name)")
    }
  }
}

extension String {
  fileprivate func replacingLeadingZeros() -> String {
    let rest = drop { $0 == "0" }
    return rest.isEmpty ? "0" : String(rest)
  }
}
