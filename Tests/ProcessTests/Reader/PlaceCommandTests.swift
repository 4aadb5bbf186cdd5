import CoreData
import Foundation
import StrataQuakes
import StrataTestSupport
import Testing

/// `quakes place`, and commands that use the user's places.
@Suite(.waitsForProcesses) struct PlaceCommandTests {
  @Test func `distances are measured from a place`() throws {
    let home = try PersonalHome()
    #expect(try home.quakes("place", "add", "home", "42.0,21.4").lines == ["home is at 42.0,21.4"])
    let near = try home.quakes("near", "HOME", "--within", "20000km", "--fields", "id,distance_km", "--ndjson")
    #expect(near.lines.count == 2 && !near.lines[0].contains("null"), "\(near)")
    let list = try home.quakes("list", "--near", "home", "--within", "1km")
    #expect(list.errorText.contains("within 1 km of home"), "\(list)")

    // An earthquake can be a place too, and a place moves.
    let moved = try home.quakes("place", "add", "Home", "us7000abcd")
    #expect(moved.lines.first?.hasSuffix(", no longer at 42.0,21.4") == true, "\(moved)")
    #expect(try home.quakes("near", "home", "--template", "{id} {distance_km}").lines == ["us7000abcd 0"])
    #expect(try home.quakes("place", "add", "pole", "90,0").status == 0)
    let show = try home.quakes("show", "us7000abcd").lines.first { $0.hasPrefix("distance") }
    #expect(show?.contains("0 km N of home, 12") == true && show?.hasSuffix(" of pole") == true, "\(show ?? "")")
    let json = try home.quakes("show", "--json", "us7000abcd").lines.joined()
    #expect(json.contains(#""places":[{"name":"home","distance_km":0,"bearing":0},{"name":"pole","#), "\(json)")
  }

  @Test func `places can be kept without a store of earthquakes`() throws {
    let home = try Home()
    func place(_ words: String...) throws -> (Int32?, [String], String) {
      let program = try Program("quakes", ["place"] + words, home: home.url)
      return (program.status(), program.lines, program.errorText)
    }
    let none = try place("list")
    #expect(none.0 == 0 && none.2.contains("place add"))
    #expect(try place("add", "south", "--", "-33.4,-70.6").1 == ["south is at -33.4,-70.6"])
    #expect(try place("add", "south", "-33.4,-70.6").1 == ["south is at -33.4,-70.6, no longer at -33.4,-70.6"])
    #expect(try place("list").1 == ["NAME   POSITION", "south  -33.4,-70.6"])
    #expect(
      try place("list", "--json").1
        == [#"{"format_version":1,"places":[{"name":"south","latitude":-33.4,"longitude":-70.6,"alerts":[]}]}"#])
    #expect(try place("add", "nowhere", "us1").0 == 3)
    #expect(try place("add", "far", "91,0").0 == 2)
    #expect(try place("add", "1,2", "3,4").0 == 2)
    #expect(try place("add", "  ", "3,4").0 == 2)
    #expect(try place("remove", "north").0 == 3)
    #expect(try place("remove", "South").1 == ["south is removed"])
  }

  @Test func `place names are case-insensitive`() throws {
    let home = try PersonalHome()
    for round in 1...Thoroughness.repetitions(2, all: 5) {
      let names = ["Home", "home", "HOME", "hOme"]
      let programs = try names.map { try Program("quakes", ["place", "add", $0, "\(round),\(round)"], home: home.url) }
      for program in programs { #expect(program.status() == 0, "\(program.errorText)") }
      #expect(try home.quakes("place", "list").lines.count == 2)
      #expect(try home.quakes("place", "remove", "home").status == 0)
    }
    // Two existing places become one, with the alerts of both.
    try PersonalWriter(home.location).change(by: "test") { context in
      for name in ["home", "Home"] {
        let place = Place(context: context)
        place.name = name
        let rule = AlertRule(context: context)
        (rule.name, rule.created, rule.place) = ("of \(name)", Date(), place)
      }
    }
    #expect(try home.quakes("place", "add", "HOME", "3,4").status == 0)
    let list = try home.quakes("place", "list").lines
    #expect(list.count == 2 && list.last?.hasSuffix("3.0,4.0   of Home, of home") == true, "\(list)")
  }

  @Test func `a place with an alert cannot be removed`() throws {
    let home = try PersonalHome()
    #expect(try home.quakes("place", "add", "home", "42,21").status == 0)
    try PersonalWriter(home.location).change(by: "test") { context in
      let rule = AlertRule(context: context)
      (rule.name, rule.created) = ("big\u{1B}[2J", Date())
      rule.place = try context.fetch(Place.named("home")).first
    }
    let refused = try home.quakes("place", "remove", "home")
    #expect(refused.status == 2 && refused.errorText.contains("the alert big watches around it"), "\(refused)")
    #expect(try home.quakes("place", "list").lines.last?.hasSuffix("big") == true)
  }

  @Test func `places added simultaneously are all kept`() throws {
    let home = try Home()
    // The first process creates the store.
    let programs = try (0..<8).map { number in
      try Program("quakes", ["place", "add", "p\(number)", "\(number),0"], home: home.url)
    }
    for program in programs { #expect(program.status() == 0, "\(program.errorText)") }
    let list = try Program("quakes", ["place", "list"], home: home.url)
    #expect(list.status() == 0)
    #expect(list.lines.dropFirst().map { $0.prefix(2) } == (0..<8).map { "p\($0)" })
  }

  @Test func `place names are printed without control characters`() throws {
    let home = try PersonalHome()
    let name = "h\u{1B}[2J\u{202E}\nquakes: forged"
    #expect(try home.quakes("place", "add", name, "1,2").status == 0)
    for words in [
      ["place", "list"], ["place", "list", "--json"], ["show", "us7000abcd"], ["place", "remove", name],
    ] {
      let program = try Program("quakes", words, home: home.url)
      #expect(program.status() == 0)
      #expect(program.lines.contains { $0.contains("forged") })
      for line in program.lines {
        #expect(!line.contains("\u{1B}") && !line.contains("\u{202E}") && !line.hasPrefix("quakes: forged"), "\(line)")
      }
    }
  }
}
