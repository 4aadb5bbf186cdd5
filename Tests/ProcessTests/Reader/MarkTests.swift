import Foundation
import StrataQuakes
import StrataTestSupport
import Testing

/// Stars, acknowledgments and notes, as users make them.
@Suite(.waitsForProcesses) struct MarkTests {
  private typealias Event = PersonalHome.Event

  @Test func `marks are shown and filtered`() throws {
    let home = try PersonalHome()
    #expect(try home.quakes("list").lines.first?.hasPrefix(" MAG  WHEN") == true)
    #expect(try home.list("{id} {starred}|{acknowledged}|{note}") == ["ci40123456 false||", "us7000abcd false||"])
    #expect(try home.quakes("list", "--starred").errorText.contains("of these none starred"))
    let starred = try home.quakes("star", "us7000abcd")
    #expect(starred.lines == ["us7000abcd (M 6.1 Tonga) is starred"], "\(starred)")
    #expect(try home.list("{id}", "--starred") == ["us7000abcd"])
    #expect(try home.quakes("list").lines.map { $0.prefix(4) } == ["    ", "    ", "★   "])

    let all = try home.quakes("ack", "--all", "--min-magnitude", "3")
    #expect(all.lines == ["1 earthquake found, 1 of them newly acknowledged"], "\(all)")
    #expect(try home.quakes("list").lines.map { $0.prefix(2) } == ["  ", "  ", "★✓"])
    #expect(try home.list("{id}", "--unacknowledged") == ["ci40123456"])
    #expect(try home.quakes("ack", "ci40123456").status == 0)
    #expect(try home.quakes("list", "--unacknowledged").errorText.contains("of these none not acknowledged"))
    #expect(try home.quakes("ack", "ci40123456", "--remove").status == 0)
    #expect(try home.list("{id}", "--unacknowledged") == ["ci40123456"])

    #expect(try home.quakes("note", "us7000abcd").status == 3)
    #expect(try home.quakes("note", "us7000abcd", "felt", "it").status == 0)
    #expect(try home.quakes("note", "us7000abcd").lines == ["felt it"])
    #expect(try home.list("{id} {note}", "--noted") == ["us7000abcd felt it"])
    let show = try home.quakes("show", "us7000abcd").lines
    #expect(show.contains("note          felt it"), "\(show)")
    #expect(show.contains("marks         starred, acknowledged just now"), "\(show)")
    #expect(try home.quakes("show", "us7000abcd", "--json").lines[0].contains(#""starred":true,"acknowledged":"2"#))
    #expect(try home.quakes("stats", "--starred").lines.first?.hasPrefix("1 earthquake") == true)
    #expect(try home.quakes("export", "--format", "csv", "--noted").lines.count == 2)

    #expect(try home.quakes("star", "us7000abcd", "--remove").status == 0)
    #expect(try home.quakes("note", "us7000abcd", "--remove").status == 0)
    #expect(try home.quakes("ack", "us7000abcd", "--remove").status == 0)
    #expect(try home.quakes("list").lines.first?.hasPrefix(" MAG  WHEN") == true)
  }

  @Test func `invalid marks are refused`() throws {
    let home = try PersonalHome()
    for words in [
      ["ack"], ["ack", "--all", "us7000abcd"], ["star"], ["note", "us7000abcd", " "],
      ["list", "--starred", "--as-of", "1d"],
      ["watch", "--starred"],
    ] {
      #expect(try Program("quakes", words, home: home.url).status() == 2, "\(words)")
    }
    // An unknown ID leaves the other earthquakes unchanged.
    #expect(try home.quakes("star", "us7000abcd", "us77").status == 3)
    #expect(try home.list("{id}", "--starred").isEmpty)
    // An earthquake whose ID is given twice is marked once.
    #expect(try home.quakes("star", "us7000abcd", "us7000abcd").status == 0)
    #expect(try home.list("{id}", "--starred") == ["us7000abcd"])
    let empty = try Home()
    #expect(try Program("quakes", ["star", "us1"], home: empty.url).status() == 9)
  }

  @Test func `a mark follows its earthquake to another ID`() throws {
    let home = try PersonalHome()
    #expect(try home.quakes("star", "us7000abcd").status == 0)
    #expect(try home.quakes("note", "ci40123456", "one").status == 0)
    // The service gives the earthquake another ID.
    let renamed = Event("ak1234", magnitude: 6.1, place: "Tonga", ids: ["us7000abcd", "ak1234"], updated: 1)
    try home.fetch([renamed], generated: 1)
    #expect(try home.list("{id}", "--starred") == ["ak1234"])
    #expect(try home.list("{id} {starred}", "--min-magnitude", "6") == ["ak1234 true"])
    #expect(try home.quakes("note", "us7000abcd", "two").lines == ["ak1234 (M 6.1 Tonga) has the note: two"])
    #expect(try home.list("{id} {starred} {note}", "--starred", "--noted") == ["ak1234 true two"])
    // Then the service merges both earthquakes.
    let merged = Event(
      "ak1234", magnitude: 6.2, place: "Tonga", ids: ["us7000abcd", "ak1234", "ci40123456"], updated: 2)
    try home.fetch([merged], generated: 2)
    #expect(try home.list("{id} {starred} {note}") == ["ak1234 true one; two"])
    #expect(try home.quakes("note", "ci40123456", "three").status == 0)
    #expect(try home.quakes("star", "ci40123456", "--remove").status == 0)
    #expect(try home.list("{id} {starred} {note}") == ["ak1234 false three"])
  }

  @Test func `marks made simultaneously are all kept`() throws {
    let home = try PersonalHome()
    // The first processes create the store. Later ones change and delete the same mark.
    for round in 0..<Thoroughness.repetitions(2, all: 6) {
      let isOdd = round % 2 == 1
      let end = isOdd ? ["--remove"] : []
      let note = isOdd ? ["--remove"] : ["n\(round)"]
      let commands = [
        ["star", "us7000abcd"] + end, ["ack", "us7000abcd"] + end, ["note", "us7000abcd"] + note,
        ["star", "ci40123456"] + end, ["place", "add", "p\(round)", "1,\(round)"],
      ]
      let programs = try commands.map { try Program("quakes", $0, home: home.url) }
      for program in programs { #expect(program.status() == 0, "\(program.errorText)") }
      let list = try home.list("{id} {starred} {note}")
      #expect(
        list
          == (isOdd ? ["ci40123456 false ", "us7000abcd false "] : ["ci40123456 true ", "us7000abcd true n\(round)"]))
      #expect(try home.list("{id}", "--unacknowledged").count == (isOdd ? 2 : 1))
      #expect(try home.quakes("place", "list").lines.count == round + 2)
    }
  }

  @Test func `notes are printed without control characters`() throws {
    let home = try PersonalHome()
    let text = "a\u{1B}[2J\u{202E}\nquakes: forged"
    #expect(try home.quakes("note", "us7000abcd", text).status == 0)
    for words in [
      ["note", "us7000abcd"], ["show", "us7000abcd"], ["list", "--json"], ["list", "--template", "{note}"],
    ] {
      let program = try Program("quakes", words, home: home.url)
      #expect(program.status() == 0)
      #expect(program.lines.contains { $0.contains("forged") })
      for line in program.lines { #expect(!line.contains("\u{1B}") && !line.contains("\u{202E}"), "\(line)") }
    }
  }
}
