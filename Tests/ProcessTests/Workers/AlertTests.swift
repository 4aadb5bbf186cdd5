import CoreData
import Foundation
import StrataQuakes
import StrataTestSupport
import Testing

/// Which earthquakes are told, and how.
@Suite(.waitsForProcesses) struct AlertTests {
  typealias Event = AlertWorld.Event

  @Test func anEarthquakeIsToldOnceWhateverBecomesOfIt() throws {
    let world = try AlertWorld()
    try world.addAlert(["big", "--min-magnitude", "6"])
    var event = Event(id: "us1")
    try world.fetch([event])
    #expect(world.told == ["big|new|us1|6.1|"])
    // The same body again, a revision, another id, and the first id as part of the second.
    try world.fetch([event])
    event.magnitude = 7.5
    try world.fetch([event])
    (event.id, event.ids) = ("at2", ["at2", "us1"])
    try world.fetch([event])
    #expect(try world.run("quakes", ["show", "us1"]).lines.joined().contains("at2"))
    (event.id, event.ids) = ("ci3", ["ci3", "at2"])
    try world.fetch([event, Event(id: "us4", magnitude: 5.9)])
    #expect(world.told == ["big|new|us1|6.1|"])
    let log = try world.log()
    #expect(log.count == 1 && log.first?.contains("big  M 6.1  Tonga (us1): ok") == true, "\(log)")
  }

  @Test func aRiseByTheStepIsToldAgain() throws {
    let world = try AlertWorld()
    try world.addAlert(["big", "--min-magnitude", "6", "--step", "0.5"])
    var event = Event(id: "us1")
    for magnitude in [6.1, 6.5, 6.6, 6.2, 6.6, 7.0, 7.1] {
      event.magnitude = magnitude
      if magnitude == 7.0 { (event.id, event.ids) = ("at2", ["at2", "us1"]) }
      try world.fetch([event])
    }
    #expect(world.told == ["big|new|us1|6.1|", "big|rise|us1|6.6|", "big|rise|at2|7.1|"])
  }

  @Test func onlyRecentLiveEarthquakesThatFitAreTold() throws {
    let world = try AlertWorld()
    let before = Date()
    try world.addAlert(["deep", "--min-magnitude", "6", "--near=-21,-174", "--within", "300km", "--max-depth", "70"])
    try world.fetch([
      Event(id: "us1", time: before), Event(id: "us2", time: Date() - 90_000), Event(id: "us3", magnitude: nil),
      Event(id: "us4", position: (35, 139)), Event(id: "us5", depth: 71), Event(id: "us6", depth: nil),
      Event(id: "us7", type: "quarry blast"), Event(id: "us8", status: "deleted"), Event(id: "us9", depth: 70),
    ])
    #expect(world.told == ["deep|new|us9|6.1|"])
    let path = try world.feed([Event(id: "us10")])
    try world.run("quakes-fetch", ["--once", path, path])
    #expect(world.told.dropFirst() == ["deep|new|us10|6.1|"])
  }

  @Test func aPlaceTakesItsAlertsAlong() throws {
    let world = try AlertWorld()
    try world.fetch([Event(id: "us1")])
    try world.changePersonal { context in
      let place = Place(context: context)
      (place.name, place.latitude, place.longitude) = ("home", -21, -174)
    }
    try world.addAlert(["near", "--near", "home"])
    #expect(try world.alert(["list"]).lines.first?.hasPrefix("near: within 500 km of home; runs ") == true)
    try world.fetch([Event(id: "us2")])
    try world.changePersonal { context in
      let place = try #require(try context.fetch(Place.named("home")).first)
      (place.latitude, place.longitude) = (35, 139)
    }
    try world.fetch([Event(id: "us3"), Event(id: "us4", position: (35.5, 139))])
    #expect(world.told == ["near|new|us2|6.1|", "near|new|us4|6.1|"])
  }

  @Test func aPlaceArrivesAsTextWhateverItSays() throws {
    let world = try AlertWorld()
    let printer = try world.script(
      "print", "printf '[%s]\\n' \"$@\" \"$QUAKES_PLACE\" >> '\(world.home.url.path)/told'")
    _ = try world.alert(["add", "--exec", printer, "{place}", "--title={place}", "{\"text\":\"{place}\"}", "{url}"])
    let mark = world.home.url.appendingPathComponent("mark").path
    let places = [
      "$(touch \(mark))", "`touch \(mark)`; touch \(mark) #", "\"'\\ \u{1B}]0;x\u{7} \n{magnitude} *", "--help",
      "-\u{301}x",
    ]
    let shown = [places[0], places[1], "\"'\\  ]0;x   {magnitude} *", "--help", places[4]]
    for (index, (place, shown)) in zip(places, shown).enumerated() {
      let count = world.told.count
      try world.fetch([Event(id: "us\(index)", place: place, url: "file:///etc/passwd")])
      let first = shown.utf8.first == UInt8(ascii: "-") ? " \(shown)" : shown
      let expected = ["[\(first)]", "[--title=\(shown)]", "[{\"text\":\"\(shown)\"}]", "[]", "[\(shown)]"]
      #expect(world.told.dropFirst(count) == expected[...], "\(place)")
    }
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  @Test func aPlaceThatIsTooLongForAnArgumentIsTold() throws {
    let world = try AlertWorld()
    let printer = try world.script("print", "printf '%s' \"$QUAKES_PLACE\" | wc -c >> '\(world.home.url.path)/told'")
    // 200 places of 1000 characters are more than the system takes as one argument.
    let argument = String(repeating: "{place}", count: 200)
    _ = try world.alert(["add", "long", "--exec", printer, argument])
    _ = try world.alert(["add", "short", "--exec", printer, "{place}"])
    try world.fetch([Event(id: "us1", place: "a\0b" + String(repeating: "$", count: 3000))])
    #expect(world.told.map { $0.filter(\.isNumber) } == ["1000"], "a NUL ends nothing")
    let log = try world.log().joined(separator: "\n")
    #expect(log.contains("cannot start: \(printer): Argument list too long"), "\(log)")
    // It holds up nobody.
    try world.fetch([Event(id: "us2")])
    #expect(world.told.count == 3)
  }

  @Test func whatAProgramFloodsIsItsOwn() throws {
    let world = try AlertWorld()
    _ = try world.alert(["add", "--exec", try world.script("flood", "head -c 9000000 /dev/zero >&2; exit 3")])
    let fetch = try world.fetch([Event(id: "us1")])
    #expect(fetch.lines.count == 1)
    #expect(try world.log().first?.hasSuffix("exit 3") == true)
  }

  @Test func aNotificationIsShownAsText() throws {
    let world = try AlertWorld()
    _ = try world.alert(["add", "--near=-21,-174", "--notify"])
    // Without the program nothing is shown, and the log says why.
    let missing = try world.fetch([Event(id: "us1")], variables: ["PATH": world.home.url.path])
    #expect(missing.errorText.contains("there is no notify-send on PATH"), "\(missing.errorText)")
    #expect(try world.log().first?.contains("cannot start: notify-send: No such file") == true)
    let folder = world.home.url.appendingPathComponent("bin")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try world.script("bin/notify-send", "printf '%s\\n' \"$@\" >> '\(world.home.url.path)/told'")
    let settings = world.home.url.appendingPathComponent("config.toml")
    try Data("[display]\nunits = \"mi\"\ntime = \"Asia/Tokyo\"".utf8).write(to: settings)
    let variables = ["PATH": "\(folder.path):/usr/bin:/bin", "QUAKES_CONFIG": settings.path]
    try world.fetch([Event(id: "us2", magnitude: 7.2, place: "--icon=x <b>A & B</b>")], variables: variables)
    #expect(world.told.prefix(4) == ["--app-name=Quakes", "--urgency=critical", "--", "M 7.2 --icon=x <b>A & B</b>"])
    let body = world.told.last ?? ""
    #expect(body.hasPrefix("0 mi from -21,-174, 22 mi deep, ") && body.hasSuffix(" JST"), "\(body)")
    #expect(world.told.count == 5)
  }

  @Test func theLogSaysHowTellingEnded() throws {
    let world = try AlertWorld()
    for (name, text) in [("status", "exit 3"), ("death", "kill -9 $$"), ("gone", "exit 0")] {
      _ = try world.alert(["add", name, "--exec", try world.script(name, text)])
    }
    try FileManager.default.removeItem(at: world.home.url.appendingPathComponent("gone"))
    try world.fetch([Event(id: "us1")])
    let log = try world.log().joined(separator: "\n")
    #expect(log.contains("status  M 6.1  Tonga (us1): exit 3\n") || log.hasSuffix("(us1): exit 3"), "\(log)")
    #expect(log.contains("death  M 6.1  Tonga (us1): signal 9"), "\(log)")
    #expect(log.contains("(us1): cannot start: \(world.home.url.path)/gone: No such file or directory"), "\(log)")
    _ = try world.alert(["remove", "death"])
    #expect(try world.log().count == 2)
    _ = try world.alert(["remove", "death"], status: 3)
  }

  @Test func whatNobodyWaitsForIsNotSaidToRun() throws {
    let world = try AlertWorld()
    try world.addAlert(["all"])
    try world.changePersonal { context in
      let rule = try #require(try context.fetch(AlertRule.named("all")).first)
      for (id, age) in [("us1", 400.0), ("us2", 1)] {
        let firing = AlertFiring(context: context)
        (firing.ruleName, firing.quakeIdentifier, firing.rule) = ("all", id, rule)
        firing.fired = Date() - age
      }
    }
    let log = try world.log()
    #expect(log.first?.hasSuffix("(us2): running") == true, "\(log)")
    #expect(log.last?.hasSuffix("(us1): not known: the process that told it was killed") == true, "\(log)")
  }

  @Test func theListIsJSONToo() throws {
    let world = try AlertWorld()
    try world.addAlert(["big", "--min-magnitude", "6", "--near=-21,-174", "--step", "0.5"])
    let text = try world.alert(["list", "--json"]).lines.joined()
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let alert = try #require((object["alerts"] as? [[String: Any]])?.first)
    #expect(alert["name"] as? String == "big" && alert["arguments"] as? [String] == [world.teller])
    #expect(alert["minimum_magnitude"] as? Double == 6 && alert["within_km"] as? Double == 500)
    #expect(alert["latitude"] as? Double == -21 && alert["magnitude_step"] as? Double == 0.5)
    #expect(alert["notifies"] as? Bool == false && object["refusal"] is NSNull)
  }

  @Test func aTestTellsAndIsNotRecorded() throws {
    let world = try AlertWorld()
    try world.addAlert(["big", "--min-magnitude", "6"])
    try world.fetch([Event(id: "us1", time: Date() - 200_000), Event(id: "us2", magnitude: 4, time: Date() - 100_000)])
    _ = try world.alert(["test", "big"])
    _ = try world.alert(["test", "big", "us2"])
    _ = try world.alert(["test", "big", "us3"], status: 3)
    #expect(world.told == ["big|test|us1|6.1|", "big|test|us2|4.0|"])
    #expect(try world.log().isEmpty)
    _ = try world.alert(["add", "bad", "--exec", try world.script("bad", "exit 1")])
    #expect(try world.alert(["test", "bad"], status: 8).errorText.contains("exit 1"))
  }

  @Test func aWrongAlertIsRefused() throws {
    let world = try AlertWorld()
    for arguments in [
      ["a"], ["a", "--within", "5km", "--notify"], ["a", "--step", "0", "--notify"], ["a\u{1B}", "--notify"],
      ["a", "--exec", world.teller, "{magnitud}"], ["a", "--min-magnitude", "nan", "--notify"],
    ] {
      _ = try world.alert(["add"] + arguments, status: 2)
    }
    _ = try world.alert(["add", "a", "--exec", "./no-such-program"], status: 3)
    try world.addAlert(["a"])
    _ = try world.alert(["add", "a", "--notify"], status: 2)
    #expect(try world.alert(["list"]).lines.count == 1)
  }

  @Test func aStoreThatOthersCanWriteRunsNothing() throws {
    let world = try AlertWorld()
    let store = world.home.url.appendingPathComponent("store").path
    _ = try world.alert(["add", "a", "--store", store, "--exec", world.teller])
    let personal = store + "/Personal.sqlite"
    try FileManager.default.setAttributes([.posixPermissions: 0o646], ofItemAtPath: personal)
    let feed = try world.feed([Event(id: "us1")])
    let fetch = try world.run("quakes-fetch", ["--once", "--store", store, feed])
    #expect(fetch.errorText.contains("alerts do not run: others can write \(personal);"), "\(fetch.errorText)")
    let list = try world.alert(["list", "--store", store])
    #expect(list.errorText.contains("alerts do not run"), "\(list.errorText)")
    _ = try world.alert(["test", "a", "us1", "--store", store], status: 4)
    #expect(world.told == [])
    // Files that the readers made have the store's mode.
    for name in try FileManager.default.contentsOfDirectory(atPath: store) {
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store + "/" + name)
    }
    try world.run("quakes-fetch", ["--once", "--store", store, try world.feed([Event(id: "us2")])])
    #expect(Set(world.told) == ["a|new|us1|6.1|", "a|new|us2|6.1|"])
  }
}
