import Foundation
import StrataTestSupport
import Testing

/// IDs as users type them.
@Suite(.waitsForProcesses) struct TypedIDTests {
  private typealias Event = PersonalHome.Event

  @Test func `a part of an ID names an event`() throws {
    let home = try PersonalHome()
    try home.fetch(
      [Event("us7000abcd", magnitude: 6.1, place: "Tonga", ids: ["us7000abcd", "pt24111000"], updated: 1)], generated: 1
    )
    let parts = ["us7000abcd", "7000abcd", "us7000", "7000", "bcd", "ABCD", "pt24111000", "24111000", "111000"]
    for (index, typed) in parts.enumerated() {
      for command in ["show", "aftershocks", "star"].sampled(every: 3, from: index) {
        let result = try home.quakes(command, typed)
        #expect(result.status == 0 && result.lines.joined().contains("Tonga"), "\(command) \(typed): \(result)")
      }
    }
    #expect(try home.list("{id}", "--near", "us7000", "--within", "1km") == ["us7000abcd"])
  }

  @Test func `an ambiguous ID is refused with its candidates`() throws {
    let home = try PersonalHome()
    try home.fetch([
      Event("us7000abce", magnitude: 5.5, place: "Fi\u{1B}[2Jji"), Event("nn40123456", magnitude: 1.5, place: "Nevada"),
    ])
    let several = try home.quakes("show", "7000abc")
    #expect(several.status == 2 && several.lines.isEmpty)
    #expect(
      several.errorText.contains("us7000abcd (M 6.1 Tonga), us7000abce (M 5.5 Fiji); type more"), "\(several)")
    for words in [
      ["star", "40123456"], ["note", "40123456", "x"], ["near", "40123456"], ["ack", "7000abcd", "us7"],
    ] {
      let program = try Program("quakes", words, home: home.url)
      #expect(program.status() == 2, "\(words) \(program.errorText)")
    }
    #expect(try home.quakes("list", "--starred").lines.isEmpty)
    // A complete code takes precedence over a part of another one.
    #expect(try home.quakes("show", "7000abcd").status == 0)
    #expect(try home.quakes("show", "us").status == 3)
    #expect(try home.quakes("show", "bcx").status == 3)
  }

  @Test func `the address of a web page names its earthquake`() throws {
    let home = try PersonalHome()
    for address in [
      "https://earthquake.usgs.gov/earthquakes/eventpage/us7000abcd",
      "https://earthquake.usgs.gov/earthquakes/eventpage/us7000abcd/executive",
      "https://example.org/quake?lang=en&eventid=us7000abcd", "HTTPS://example.org/7000abcd/",
    ] {
      let result = try home.quakes("show", address)
      #expect(result.status == 0 && result.lines.joined().contains("Tonga"), "\(address): \(result)")
    }
    for address in ["https://earthquake.usgs.gov/", "https://example.org/us7000abc", "https://", "https://[::1"] {
      #expect(try home.quakes("show", address).status == 3, "\(address)")
    }
  }

  @Test func `latest names the newest earthquake`() throws {
    let home = try PersonalHome()
    let newest = try #require(home.list("{id}", "--limit", "1").first)
    let result = try home.quakes("show", "latest", "--json", "--fields", "id")
    #expect(result.lines.joined().contains("\"id\":\"\(newest)\""), "\(result)")
  }

  @Test func `the list shows whole IDs`() throws {
    let home = try PersonalHome()
    let narrow = try home.quakes("list", variables: ["COLUMNS": "80"])
    #expect(narrow.lines.last?.hasSuffix("  us7000abcd  Tonga") == true, "\(narrow)")
    #expect(try home.quakes("list").lines.last?.hasSuffix("  us7000abcd  Tonga") == true)
  }
}
