import Foundation
import StrataTestSupport
import Testing

@testable import StrataQuakes

@Suite("Time zones of the system database") struct ZoneFileTests {
  /// Zones without daylight saving time, with rules of either hemisphere, and with unusual rules.
  static let names = [
    "Europe/Berlin", "America/New_York", "Australia/Sydney", "America/Santiago", "Asia/Tokyo", "Asia/Kathmandu",
    "America/Nuuk", "Asia/Jerusalem", "Africa/Casablanca", "Europe/Dublin", "Pacific/Kiritimati", "America/St_Johns",
    "Antarctica/Troll", "Africa/Cairo",
  ]

  /// The C library reads the same files. Its time zone belongs to the whole process, so the test runs `date`.
  @Test(arguments: names) func `times agree with the C library`(name: String) throws {
    let zone = try #require(DisplayZone(name: name))
    // From 1890 to 2100, and each hour around the changes of 2050, which only the rule at
    // the end of the file describes.
    let instants =
      stride(from: -2_524_521_600, to: 4_102_444_800, by: 5_000_011).map { $0 }
      + stride(from: 2_530_000_000, to: 2_540_000_000, by: 3600)
    let (input, output) = (Pipe(), Pipe())
    let process = try SpawnedProcess(
      "/bin/date", ["-f", "-", "+%s %Y-%m-%d %H:%M:%S %Z"], environment: ["TZ": name, "LC_ALL": "C"],
      input: input.fileHandleForReading, output: output.fileHandleForWriting)
    try output.fileHandleForWriting.close()
    let text = instants.map { "@\($0)\n" }.joined()
    Thread.detachNewThread {
      try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      try? input.fileHandleForWriting.close()
    }
    let lines = String(decoding: try #require(try output.fileHandleForReading.readToEnd()), as: UTF8.self)
      .split(separator: "\n")
    process.status()
    #expect(lines.count == instants.count)
    let style = DisplayStyle(zone: zone)
    let wrong = zip(instants, lines).filter { seconds, line in
      line != "\(seconds) \(style.time(Date(timeIntervalSince1970: Double(seconds))))"
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(3))")
  }

  @Test func `damaged zone files are refused or read without a trap`() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Berlin"))
    #expect(ZoneFile(data) != nil)
    for size in stride(from: 0, to: data.count - 40, by: 7) { #expect(ZoneFile(data.prefix(size)) == nil, "\(size)") }
    // No change of bytes causes a trap.
    var random = SeededRandom()
    for _ in 0..<300 {
      var broken = data
      for _ in 0..<8 { broken[.random(in: 0..<broken.count, using: &random)] = .random(in: 0...255, using: &random) }
      guard let zone = ZoneFile(broken) else { continue }
      for seconds in [-8_640_000_000_000, 0, 4_000_000_000, 8_640_000_000_000] { _ = zone.period(at: seconds) }
    }
  }

  @Test(arguments: ["", "CET", "CET-1CEST", "CET-1CEST,M13.1.0,M10.5.0", "CET-999", "<+03-3", "A-1B,J1,J2"])
  func `an invalid zone rule is refused`(text: String) { #expect(ZoneRule(text[...]) == nil) }
}
