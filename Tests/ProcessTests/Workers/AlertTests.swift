import CoreData
import Foundation
import StrataQuakes
import StrataTestSupport
import Testing

/// The earthquakes that alert, and the programs that alerts run.
@Suite(.waitsForProcesses) struct AlertTests {
  typealias Event = AlertHome.Event

  @Test func `an earthquake alerts once despite its revisions`() throws {
    let alerts = try AlertHome()
    try alerts.addAlert(["big", "--min-magnitude", "6"])
    var event = Event(id: "us1")
    try alerts.fetch([event])
    #expect(alerts.recorded == ["big|new|us1|6.1|"])
    // The same body again, a revision, another id, and the first id as part of the second.
    try alerts.fetch([event])
    event.magnitude = 7.5
    try alerts.fetch([event])
    (event.id, event.ids) = ("at2", ["at2", "us1"])
    try alerts.fetch([event])
    #expect(try alerts.run("quakes", ["show", "us1"]).lines.joined().contains("at2"))
    (event.id, event.ids) = ("ci3", ["ci3", "at2"])
    try alerts.fetch([event, Event(id: "us4", magnitude: 5.9)])
    #expect(alerts.recorded == ["big|new|us1|6.1|"])
    let log = try alerts.log()
    #expect(log.count == 1 && log.first?.contains("big  M 6.1  Tonga (us1): ok") == true, "\(log)")
  }

  @Test func `a rise by the step alerts again`() throws {
    let alerts = try AlertHome()
    try alerts.addAlert(["big", "--min-magnitude", "6", "--step", "0.5"])
    var event = Event(id: "us1")
    for magnitude in [6.1, 6.5, 6.6, 6.2, 6.6, 7.0, 7.1] {
      event.magnitude = magnitude
      if magnitude == 7.0 { (event.id, event.ids) = ("at2", ["at2", "us1"]) }
      try alerts.fetch([event])
    }
    #expect(alerts.recorded == ["big|new|us1|6.1|", "big|rise|us1|6.6|", "big|rise|at2|7.1|"])
  }

  @Test func `only recent live matching earthquakes alert`() throws {
    let alerts = try AlertHome()
    let before = Date()
    try alerts.addAlert(["deep", "--min-magnitude", "6", "--near=-21,-174", "--within", "300km", "--max-depth", "70"])
    try alerts.fetch([
      Event(id: "us1", time: before), Event(id: "us2", time: Date() - 90_000), Event(id: "us3", magnitude: nil),
      Event(id: "us4", position: (35, 139)), Event(id: "us5", depth: 71), Event(id: "us6", depth: nil),
      Event(id: "us7", type: "quarry blast"), Event(id: "us8", status: "deleted"), Event(id: "us9", depth: 70),
    ])
    #expect(alerts.recorded == ["deep|new|us9|6.1|"])
    let path = try alerts.feed([Event(id: "us10")])
    try alerts.run("quakes-fetch", ["--once", path, path])
    #expect(alerts.recorded.dropFirst() == ["deep|new|us10|6.1|"])
  }

  @Test func `alerts follow their place`() throws {
    let alerts = try AlertHome()
    try alerts.fetch([Event(id: "us1")])
    try alerts.changePersonal { context in
      let place = Place(context: context)
      (place.name, place.latitude, place.longitude) = ("home", -21, -174)
    }
    try alerts.addAlert(["near", "--near", "home"])
    #expect(try alerts.alert(["list"]).lines.first?.hasPrefix("near: within 500 km of home; runs ") == true)
    try alerts.fetch([Event(id: "us2")])
    try alerts.changePersonal { context in
      let place = try #require(try context.fetch(Place.named("home")).first)
      (place.latitude, place.longitude) = (35, 139)
    }
    try alerts.fetch([Event(id: "us3"), Event(id: "us4", position: (35.5, 139))])
    #expect(alerts.recorded == ["near|new|us2|6.1|", "near|new|us4|6.1|"])
  }

  @Test func `a place arrives as plain text`() throws {
    let alerts = try AlertHome()
    let printer = try alerts.script(
      "print", "printf '[%s]\\n' \"$@\" \"$QUAKES_PLACE\" >> '\(alerts.home.url.path)/told'")
    _ = try alerts.alert(["add", "--exec", printer, "{place}", "--title={place}", "{\"text\":\"{place}\"}", "{url}"])
    let mark = alerts.home.url.appendingPathComponent("mark").path
    let places = [
      "$(touch \(mark))", "`touch \(mark)`; touch \(mark) #", "\"'\\ \u{1B}]0;x\u{7} \n{magnitude} *", "--help",
      "-\u{301}x",
    ]
    let shown = [places[0], places[1], "\"'\\  ]0;x   {magnitude} *", "--help", places[4]]
    for (index, (place, shown)) in zip(places, shown).enumerated() {
      let count = alerts.recorded.count
      try alerts.fetch([Event(id: "us\(index)", place: place, url: "file:///etc/passwd")])
      let first = shown.utf8.first == UInt8(ascii: "-") ? " \(shown)" : shown
      let expected = ["[\(first)]", "[--title=\(shown)]", "[{\"text\":\"\(shown)\"}]", "[]", "[\(shown)]"]
      #expect(alerts.recorded.dropFirst(count) == expected[...], "\(place)")
    }
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  @Test func `an overlong argument is reported and does not block other alerts`() throws {
    let alerts = try AlertHome()
    let printer = try alerts.script("print", "printf '%s' \"$QUAKES_PLACE\" | wc -c >> '\(alerts.home.url.path)/told'")
    // 200 places of 1000 characters are more than the system takes as one argument.
    let argument = String(repeating: "{place}", count: 200)
    _ = try alerts.alert(["add", "long", "--exec", printer, argument])
    _ = try alerts.alert(["add", "short", "--exec", printer, "{place}"])
    try alerts.fetch([Event(id: "us1", place: "a\0b" + String(repeating: "$", count: 3000))])
    #expect(alerts.recorded.map { $0.filter(\.isNumber) } == ["1000"], "a NUL does not end the text")
    let log = try alerts.log().joined(separator: "\n")
    #expect(log.contains("cannot start: \(printer): Argument list too long"), "\(log)")
    // Later alerts still run.
    try alerts.fetch([Event(id: "us2")])
    #expect(alerts.recorded.count == 3)
  }

  @Test func `a flood of output of an alert program does not disturb the worker`() throws {
    let alerts = try AlertHome()
    _ = try alerts.alert(["add", "--exec", try alerts.script("flood", "head -c 9000000 /dev/zero >&2; exit 3")])
    let fetch = try alerts.fetch([Event(id: "us1")])
    #expect(fetch.lines.count == 1)
    #expect(try alerts.log().first?.hasSuffix("exit 3") == true)
  }

  @Test func `a notification shows plain text`() throws {
    let alerts = try AlertHome()
    _ = try alerts.alert(["add", "--near=-21,-174", "--notify"])
    // Without the program nothing is shown, and the log says why.
    let missing = try alerts.fetch([Event(id: "us1")], variables: ["PATH": alerts.home.url.path])
    #expect(missing.errorText.contains("notify-send is not on PATH"), "\(missing.errorText)")
    #expect(try alerts.log().first?.contains("cannot start: notify-send: No such file") == true)
    let folder = alerts.home.url.appendingPathComponent("bin")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try alerts.script("bin/notify-send", "printf '%s\\n' \"$@\" >> '\(alerts.home.url.path)/told'")
    let settings = alerts.home.url.appendingPathComponent("config.toml")
    try Data("[display]\nunits = \"mi\"\ntime = \"Asia/Tokyo\"".utf8).write(to: settings)
    let variables = ["PATH": "\(folder.path):/usr/bin:/bin", "QUAKES_CONFIG": settings.path]
    try alerts.fetch([Event(id: "us2", magnitude: 7.2, place: "--icon=x <b>A & B</b>")], variables: variables)
    #expect(
      alerts.recorded.prefix(4) == ["--app-name=Quakes", "--urgency=critical", "--", "M 7.2 --icon=x <b>A & B</b>"])
    let body = alerts.recorded.last ?? ""
    #expect(body.hasPrefix("0 mi from -21,-174, 22 mi deep, ") && body.hasSuffix(" JST"), "\(body)")
    #expect(alerts.recorded.count == 5)
  }

  @Test func `the log shows how alert programs ended`() throws {
    let alerts = try AlertHome()
    for (name, text) in [("status", "exit 3"), ("death", "kill -9 $$"), ("gone", "exit 0")] {
      _ = try alerts.alert(["add", name, "--exec", try alerts.script(name, text)])
    }
    try FileManager.default.removeItem(at: alerts.home.url.appendingPathComponent("gone"))
    try alerts.fetch([Event(id: "us1")])
    let log = try alerts.log().joined(separator: "\n")
    #expect(log.contains("status  M 6.1  Tonga (us1): exit 3\n") || log.hasSuffix("(us1): exit 3"), "\(log)")
    #expect(log.contains("death  M 6.1  Tonga (us1): signal 9"), "\(log)")
    #expect(log.contains("(us1): cannot start: \(alerts.home.url.path)/gone: No such file or directory"), "\(log)")
    _ = try alerts.alert(["remove", "death"])
    #expect(try alerts.log().count == 2)
    _ = try alerts.alert(["remove", "death"], status: 3)
  }

  @Test func `an abandoned firing is not shown as running`() throws {
    let alerts = try AlertHome()
    try alerts.addAlert(["all"])
    try alerts.changePersonal { context in
      let rule = try #require(try context.fetch(AlertRule.named("all")).first)
      for (id, age) in [("us1", 400.0), ("us2", 1)] {
        let firing = AlertFiring(context: context)
        (firing.ruleName, firing.quakeIdentifier, firing.rule) = ("all", id, rule)
        firing.fired = Date() - age
      }
    }
    let log = try alerts.log()
    #expect(log.first?.hasSuffix("(us2): running") == true, "\(log)")
    #expect(log.last?.hasSuffix("(us1): unknown: the process that fired it was killed") == true, "\(log)")
  }

  @Test func `the list of alerts is available as JSON`() throws {
    let alerts = try AlertHome()
    try alerts.addAlert(["big", "--min-magnitude", "6", "--near=-21,-174", "--step", "0.5"])
    let text = try alerts.alert(["list", "--json"]).lines.joined()
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let alert = try #require((object["alerts"] as? [[String: Any]])?.first)
    #expect(alert["name"] as? String == "big" && alert["arguments"] as? [String] == [alerts.recorder])
    #expect(alert["minimum_magnitude"] as? Double == 6 && alert["within_km"] as? Double == 500)
    #expect(alert["latitude"] as? Double == -21 && alert["magnitude_step"] as? Double == 0.5)
    #expect(alert["notifies"] as? Bool == false && object["refusal"] is NSNull)
  }

  @Test func `a test alert runs and is not recorded`() throws {
    let alerts = try AlertHome()
    try alerts.addAlert(["big", "--min-magnitude", "6"])
    try alerts.fetch([Event(id: "us1", time: Date() - 200_000), Event(id: "us2", magnitude: 4, time: Date() - 100_000)])
    _ = try alerts.alert(["test", "big"])
    _ = try alerts.alert(["test", "big", "us2"])
    _ = try alerts.alert(["test", "big", "us3"], status: 3)
    #expect(alerts.recorded == ["big|test|us1|6.1|", "big|test|us2|4.0|"])
    #expect(try alerts.log().isEmpty)
    _ = try alerts.alert(["add", "bad", "--exec", try alerts.script("bad", "exit 1")])
    #expect(try alerts.alert(["test", "bad"], status: 8).errorText.contains("exit 1"))
  }

  @Test func `an invalid alert is refused`() throws {
    let alerts = try AlertHome()
    for arguments in [
      ["a"], ["a", "--within", "5km", "--notify"], ["a", "--step", "0", "--notify"], ["a\u{1B}", "--notify"],
      ["a", "--exec", alerts.recorder, "{magnitud}"], ["a", "--min-magnitude", "nan", "--notify"],
    ] {
      _ = try alerts.alert(["add"] + arguments, status: 2)
    }
    _ = try alerts.alert(["add", "a", "--exec", "./no-such-program"], status: 3)
    try alerts.addAlert(["a"])
    _ = try alerts.alert(["add", "a", "--notify"], status: 2)
    #expect(try alerts.alert(["list"]).lines.count == 1)
  }

  @Test func `alerts of a store that others can write to do not run`() throws {
    let alerts = try AlertHome()
    let store = alerts.home.url.appendingPathComponent("store").path
    _ = try alerts.run("quakes-fetch", ["--once", "--store", store, "sample"])
    _ = try alerts.alert(["add", "a", "--store", store, "--exec", alerts.recorder])
    let personal = store + "/Personal.sqlite"
    try FileManager.default.setAttributes([.posixPermissions: 0o646], ofItemAtPath: personal)
    let feed = try alerts.feed([Event(id: "us1")])
    let fetch = try alerts.run("quakes-fetch", ["--once", "--store", store, feed])
    #expect(fetch.errorText.contains("alerts do not run: other users can write to \(personal);"), "\(fetch.errorText)")
    let list = try alerts.alert(["list", "--store", store])
    #expect(list.errorText.contains("alerts do not run"), "\(list.errorText)")
    _ = try alerts.alert(["test", "a", "us1", "--store", store], status: 4)
    #expect(alerts.recorded == [])
    // Files that the readers created have the store's mode.
    for name in try FileManager.default.contentsOfDirectory(atPath: store) {
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store + "/" + name)
    }
    try alerts.run("quakes-fetch", ["--once", "--store", store, try alerts.feed([Event(id: "us2")])])
    #expect(Set(alerts.recorded) == ["a|new|us1|6.1|", "a|new|us2|6.1|"])
  }
}
