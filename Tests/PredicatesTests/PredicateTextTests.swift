import Foundation
import StrataPredicates
import Testing

@Suite struct PredicateTextTests {
  @Test(arguments: [
    ("Tonga", "== 'Tonga'", true), ("Tonga", "== 'tonga'", false), ("Tonga", "==[c] 'tONGA'", true),
    ("São Tomé", "==[d] 'Sao Tome'", true), ("São Tomé", "==[d] 'sao tome'", false),
    ("São Tomé", "==[cd] 'SAO TOME'", true), ("e\u{301}", "== 'é'", false), ("e\u{301}", "==[d] 'é'", true),
    ("ÅNGSTRÖM", "==[c] 'ångström'", true), ("ΣΊΣΥΦΟΣ", "==[c] 'σίσυφος'", false), ("b", "> 'B'", true),
    ("b", ">[c] 'B'", false), ("b", ">=[c] 'B'", true), ("B", "< 'a'", true), ("B", "<[c] 'a'", false),
    ("\u{FF5E}", "< '🌋'", true), ("é", "> 'z'", true), ("é", "<[d] 'z'", true), ("ab", "< 'abc'", true),
    ("x", "!=[c] 'X'", false), ("X", "IN[c] {'x', 'y'}", true), ("X", "IN {'x', 'y'}", false),
    ("m", "BETWEEN[c] {'A', 'Z'}", true), ("Tonga", "==[n] 'Tonga'", true),
  ])
  func `text is compared with options`(text: String, comparison: String, expected: Bool) throws {
    #expect(try holds("SELF \(comparison)", for: text) == expected)
  }

  @Test(arguments: [
    ("near Tonga Trench", "CONTAINS 'Tonga'", true), ("near Tonga", "CONTAINS 'tonga'", false),
    ("near Tonga", "CONTAINS[c] 'tONGA'", true), ("near Tonga", "CONTAINS[c] 'x'", false), ("a", "CONTAINS ''", true),
    ("", "CONTAINS ''", true), ("", "CONTAINS 'a'", false), ("a", "CONTAINS[c] 'ab'", false),
    ("in São Tomé", "CONTAINS[cd] 'TOME'", true), ("in Sao Tome", "CONTAINS[cd] 'tomé'", true),
    ("in Sao Tome", "CONTAINS[c] 'tomé'", false), ("aab", "CONTAINS 'ab'", true), ("Ünder", "CONTAINS[c] 'ü'", true),
    ("@[`{", "CONTAINS[c] '`['", false), ("Tonga", "BEGINSWITH 'To'", true), ("Tonga", "BEGINSWITH[c] 'tO'", true),
    ("Tonga", "BEGINSWITH 'onga'", false), ("Tonga", "ENDSWITH 'ga'", true), ("Tonga", "ENDSWITH[c] 'GA'", true),
    ("ga", "ENDSWITH 'Tonga'", false), ("Tonga", "ENDSWITH ''", true), ("Tomé", "ENDSWITH[d] 'e'", true),
  ])
  func `CONTAINS, BEGINSWITH and ENDSWITH match parts`(text: String, comparison: String, expected: Bool) throws {
    #expect(try holds("SELF \(comparison)", for: text) == expected)
  }

  @Test(arguments: [
    ("Tonga", "To*", true), ("Tonga", "T?nga", true), ("Tonga", "tonga", false), ("Tonga", "*", true), ("", "*", true),
    ("", "?", false), ("Tonga", "To", false), ("a*b", #"a\\*b"#, true), ("axb", #"a\\*b"#, false),
    ("aXbXc", "a*b*c", true), ("mississippi", "m*iss*pi", true), ("mississippi", "m*iss*px", false), ("🌋", "?", true),
    ("e\u{301}", "?", false), ("e\u{301}", "??", true), ("a\nb", "a?b", true), ("a.b", "a.b", true),
    ("axb", "a.b", false),
  ])
  func `LIKE matches wildcards`(text: String, pattern: String, expected: Bool) throws {
    #expect(try holds("SELF LIKE '\(pattern)'", for: text) == expected)
  }

  @Test func `LIKE has options`() throws {
    #expect(try holds("SELF LIKE[c] 'tO?ga'", for: "Tonga"))
    #expect(try holds("SELF LIKE[cd] '*TOME'", for: "São Tomé"))
  }

  @Test(arguments: [
    ("M5", #"M\\d"#, true), ("M55", #"M\\d"#, false), ("xM5", #"M\\d"#, false), ("ab", "a|ab", true),
    ("b", "a|b", true),
    ("M5\n", #"M\\d"#, false), ("🌋🌋", "🌋+", true), ("tonga", "TONGA", false),
  ])
  func `MATCHES compares the whole text`(text: String, pattern: String, expected: Bool) throws {
    #expect(try holds("SELF MATCHES '\(pattern)'", for: text) == expected)
  }

  @Test func `MATCHES has options and reports an invalid pattern`() throws {
    #expect(try holds(#"SELF MATCHES[c] 'TONGA\\W'"#, for: "tonga!"))
    #expect(try holds("SELF MATCHES[d] 'Tome'", for: "Tomé"))
    let error = #expect(throws: PredicateEvaluationError.self) { try holds("SELF MATCHES '(a'", for: "a") }
    #expect(error?.description.hasPrefix("MATCHES cannot use the pattern \"(a\": ") == true)
  }
}
