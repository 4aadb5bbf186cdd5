import StrataSystemChecks
import Testing

/// The JSON of both doctors.
@Suite struct DoctorReportTests {
  @Test func `every check has all keys`() throws {
    let report = DoctorReport([Finding("folder", .warn, "'/a' is full", advice: "free it"), Finding("space", .ok, "")])
    #expect(
      try report.json() == """
        {"checks":[{"advice":"free it","finding":"'/a' is full","name":"folder","state":"warn"},\
        {"advice":null,"finding":"","name":"space","state":"ok"}],"format_version":1,"ok":true}
        """)
    #expect(try report.json(isPretty: true).hasPrefix("{\n"))
  }

  @Test func `a failed check fails the report`() throws {
    let report = DoctorReport([Finding("space", .ok, ""), Finding("store", .fail, "")])
    #expect(try !report.isSound && report.json().hasSuffix(#""ok":false}"#))
  }

  @Test func `characters that a terminal interprets or hides are written as numbers`() throws {
    let report = DoctorReport([Finding("folder", .ok, "é\u{1B}\u{7F}\u{9B}\u{202E}\u{200B}\u{2028}\u{E0041}")])
    #expect(try report.json().contains(#""é\u001b\u007f\u009b\u202e\u200b\u2028\udb40\udc41""#))
  }
}
