import Foundation
import StrataTestSupport
import Testing

/// Alerts of several workers, and of workers that are stopped and killed.
@Suite(.waitsForProcesses) struct AlertProcessTests {
  typealias Event = AlertHome.Event

  @Test func `two concurrent workers alert once`() throws {
    let alerts = try AlertHome()
    try alerts.addAlert(["big", "--min-magnitude", "6"])
    let rounds = 5
    for round in 0..<rounds {
      // The workers know the earthquake under different IDs.
      let (first, second) = ("us\(round)", "at\(round)")
      let bodies = [
        try alerts.feed([Event(id: first)]), try alerts.feed([Event(id: second, ids: [second, first])]),
      ]
      let workers = try bodies.map { try Program("quakes-fetch", ["--once", $0], home: alerts.home.url) }
      for worker in workers { #expect(worker.status() == 0, "\(worker.errorText)") }
      #expect(alerts.recorded.count == round + 1, "\(alerts.recorded)")
    }
  }

  @Test func `alerts of killed workers are neither missed nor repeated`() throws {
    let alerts = try AlertHome()
    try alerts.addAlert(["all"])
    // Creates the store first, so that the kills interrupt an import.
    try alerts.fetch([])
    var events: [Event] = []
    for round in 0..<8 {
      events.append(Event(id: "us\(round)"))
      let worker = try Program("quakes-fetch", ["--once", try alerts.feed(events)], home: alerts.home.url)
      usleep(.random(in: 0...300_000))
      worker.signal(SIGKILL)
      _ = worker.status()
    }
    try alerts.fetch(events)
    // Alert processes outlive the killed workers that started them.
    let ids = { alerts.recorded.map { $0.components(separatedBy: "|")[2] } }
    let end = Date() + 60
    while Set(ids()).count < events.count, Date() < end { usleep(20_000) }
    #expect(ids().sorted() == events.map(\.id).sorted())
    let log = try alerts.log()
    #expect(log.count == events.count, "\(log)")
  }

  /// Waits for a condition, and returns whether it became true in time.
  private func wait(seconds: Double = Program.defaultTimeout, until condition: () throws -> Bool) rethrows -> Bool {
    let end = Date() + seconds
    while Date() < end {
      if try condition() { return true }
      usleep(20_000)
    }
    return try condition()
  }

  @Test func `a running alert program outlives the worker`() throws {
    let alerts = try AlertHome()
    let folder = alerts.home.url.path
    let slow = try alerts.script(
      "slow", "touch '\(folder)/begun'; while [ ! -e '\(folder)/gate' ]; do sleep 0.05; done")
    _ = try alerts.alert(["add", "slow", "--exec", slow])
    let worker = try Program(
      "quakes-fetch", ["--interval", "1", try alerts.feed([Event(id: "us1")])], home: alerts.home.url)
    #expect(wait { FileManager.default.fileExists(atPath: folder + "/begun") }, "\(worker.errorText)")
    // The worker continues while the program runs.
    let count = worker.lines.count
    #expect(worker.wait { $0.count > count }, "\(worker.errorText)")
    #expect(try alerts.log().first?.hasSuffix(": running") == true)
    worker.signal(SIGTERM)
    #expect(wait { kill(worker.identifier, 0) == -1 })
    _ = try alerts.home.write("gate", "")
    #expect(try wait { try alerts.log().first?.hasSuffix("Tonga (us1): ok") == true })
    #expect(worker.status() == 0, "\(worker.errorText)")
  }

  @Test func `a rise during an alert runs after it`() throws {
    let alerts = try AlertHome()
    let slow = try alerts.script("slow", "[ $QUAKES_REASON = rise ] || sleep 2; exec '\(alerts.recorder)'")
    _ = try alerts.alert(["add", "slow", "--step", "0.5", "--exec", slow])
    var event = Event(id: "us1")
    let first = try alerts.feed([event])
    event.magnitude = 6.8
    usleep(10_000)
    try alerts.run("quakes-fetch", ["--once", first, try alerts.feed([event])])
    // The second feed may be imported first. The first one is then outdated.
    #expect(alerts.recorded == ["slow|new|us1|6.1|", "slow|rise|us1|6.8|"] || alerts.recorded == ["slow|new|us1|6.8|"])
  }

  @Test func `missed alerts run at the next start`() throws {
    let alerts = try AlertHome()
    try alerts.addAlert(["all"])
    let personal = alerts.home.url.appendingPathComponent("group.quakes/Personal.sqlite").path
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: personal)
    let fetch = try alerts.fetch([Event(id: "us1")])
    #expect(fetch.errorText.contains("alerts do not run") && alerts.recorded.isEmpty, "\(fetch.errorText)")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: personal)
    // The worker does not need an import for that.
    let worker = try Program("quakes-fetch", ["/no/such/feed"], home: alerts.home.url)
    #expect(wait { !alerts.recorded.isEmpty }, "\(worker.errorText)")
    #expect(alerts.recorded == ["all|new|us1|6.1|"])
    worker.signal(SIGTERM)
    #expect(worker.status() == 0, "\(worker.errorText)")
  }

  @Test func `an alert program has no input, files or blocked signals of the worker`() throws {
    let alerts = try AlertHome()
    let folder = alerts.home.url.path
    let probe = try alerts.script(
      "probe",
      "cat >> '\(folder)/told'; ls -l /proc/self/fd | wc -l >> '\(folder)/told'; grep SigBlk /proc/self/status >> '\(folder)/told'; echo seen; echo wrong >&2"
    )
    _ = try alerts.alert(["add", "--exec", probe])
    let fetch = try alerts.fetch([Event(id: "us1")])
    // The three streams, the folder that ls reads, and the line with the sum.
    #expect(alerts.recorded == ["5", "SigBlk:\t0000000000000000"])
    #expect(fetch.lines.contains("seen") && fetch.errorText.contains("wrong"))
  }
}
