import Foundation
import Testing

@testable import StrataQuakesFeeds

@Suite("Fingerprints of bodies") struct BodyFingerprintTests {
  private func fingerprint(_ text: String, parts: Int = 1 << 20) -> BodyFingerprint {
    var fingerprint = BodyFingerprint()
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: parts) {
      bytes[start..<min(start + parts, bytes.count)].withUnsafeBytes { fingerprint.take($0) }
    }
    return fingerprint
  }

  @Test func `the generation date in the metadata does not change the fingerprint`() {
    let rest = String(repeating: "x", count: 10_000)
    func text(_ generated: String) -> String {
      #"{"metadata":{"generated":\#(generated),"count":1},"features":"# + rest
    }
    #expect(fingerprint(text("1397520000000")) == fingerprint(text("13975200")))
    #expect(fingerprint(text("1")) == fingerprint(text("2"), parts: 1))
    #expect(fingerprint(text("1")) != fingerprint(text("1") + "y"))
    #expect(fingerprint(text("1")) != fingerprint(text("1").replacing("count", with: "Count")))
    #expect(fingerprint("short") != fingerprint("shorT"))
  }

  @Test func `a generation date outside the metadata changes the fingerprint`() {
    #expect(fingerprint(#"{"features":[{"generated":1}]}"#) != fingerprint(#"{"features":[{"generated":2}]}"#))
    let far = String(repeating: " ", count: 5000)
    #expect(fingerprint(#"{\#(far)"generated":1}"#) != fingerprint(#"{\#(far)"generated":2}"#))
  }
}
