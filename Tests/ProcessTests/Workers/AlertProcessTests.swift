import Foundation
import StrataTestSupport
import Testing

/// Alerts of several workers, and of workers that are stopped and killed.
@Suite(.waitsForProcesses) struct AlertProcessTests {
  typealias Event = AlertWorld.Event

  @Test func twoWorkersAtOnceTellOnce() throws {
    let world = try AlertWorld()
    try world.addAlert(["big", "--min-magnitude", "6"])
    let rounds = 5
    for round in 0..<rounds {
      // One calls the earthquake by its first id, the other by its second.
      let (first, second) = ("us\(round)", "at\(round)")
      let bodies = [
        try world.feed([Event(id: first)]), try world.feed([Event(id: second, ids: [second, first])]),
      ]
      let workers = try bodies.map { try Program("quakes-fetch", ["--once", $0], home: world.home.url) }
      for worker in workers { #expect(worker.status() == 0, "\(worker.errorText)") }
      #expect(world.told.count == round + 1, "\(world.told)")
    }
  }

  @Test func aKilledWorkerMissesAndRepeatsNothing() throws {
    let world = try AlertWorld()
    try world.addAlert(["all"])
    // The store exists, so that the kills find the worker at its work.
    try world.fetch([])
    var events: [Event] = []
    for round in 0..<8 {
      events.append(Event(id: "us\(round)"))
      let worker = try Program("quakes-fetch", ["--once", try world.feed(events)], home: world.home.url)
      usleep(.random(in: 0...300_000))
      worker.signal(SIGKILL)
      _ = worker.status()
    }
    try world.fetch(events)
    // What killed workers had begun is told by processes that live on.
    let ids = { world.told.map { $0.components(separatedBy: "|")[2] } }
    let end = Date() + 60
    while Set(ids()).count < events.count, Date() < end { usleep(20_000) }
    #expect(ids().sorted() == events.map(\.id).sorted())
    let log = try world.log()
    #expect(log.count == events.count, "\(log)")
  }

  /// Whether a condition holds in time.
  private func wait(seconds: Double = Program.patience, until condition: () throws -> Bool) rethrows -> Bool {
    let end = Date() + seconds
    while Date() < end {
      if try condition() { return true }
      usleep(20_000)
    }
    return try condition()
  }

  @Test func whatIsBeingToldOutlivesTheWorker() throws {
    let world = try AlertWorld()
    let folder = world.home.url.path
    let slow = try world.script("slow", "touch '\(folder)/begun'; while [ ! -e '\(folder)/gate' ]; do sleep 0.05; done")
    _ = try world.alert(["add", "slow", "--exec", slow])
    let worker = try Program(
      "quakes-fetch", ["--interval", "1", try world.feed([Event(id: "us1")])], home: world.home.url)
    #expect(wait { FileManager.default.fileExists(atPath: folder + "/begun") }, "\(worker.errorText)")
    // It goes on meanwhile.
    let count = worker.lines.count
    #expect(worker.wait { $0.count > count }, "\(worker.errorText)")
    #expect(try world.log().first?.hasSuffix(": running") == true)
    worker.signal(SIGTERM)
    #expect(wait { kill(worker.identifier, 0) == -1 })
    _ = try world.home.write("gate", "")
    #expect(try wait { try world.log().first?.hasSuffix("Tonga (us1): ok") == true })
    #expect(worker.status() == 0, "\(worker.errorText)")
  }

  @Test func aRiseWhileTheFirstIsToldIsToldAfterIt() throws {
    let world = try AlertWorld()
    let slow = try world.script("slow", "[ $QUAKES_REASON = rise ] || sleep 2; exec '\(world.teller)'")
    _ = try world.alert(["add", "slow", "--step", "0.5", "--exec", slow])
    var event = Event(id: "us1")
    let first = try world.feed([event])
    event.magnitude = 6.8
    usleep(10_000)
    try world.run("quakes-fetch", ["--once", first, try world.feed([event])])
    // The second may arrive first; the first is then the past.
    #expect(world.told == ["slow|new|us1|6.1|", "slow|rise|us1|6.8|"] || world.told == ["slow|new|us1|6.8|"])
  }

  @Test func whatWasImportedAndNotToldIsToldAtTheNextStart() throws {
    let world = try AlertWorld()
    try world.addAlert(["all"])
    let personal = world.home.url.appendingPathComponent("group.quakes/Personal.sqlite").path
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: personal)
    let fetch = try world.fetch([Event(id: "us1")])
    #expect(fetch.errorText.contains("alerts do not run") && world.told.isEmpty, "\(fetch.errorText)")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: personal)
    // It needs no import for that.
    let worker = try Program("quakes-fetch", ["/no/such/feed"], home: world.home.url)
    #expect(wait { !world.told.isEmpty }, "\(worker.errorText)")
    #expect(world.told == ["all|new|us1|6.1|"])
    worker.signal(SIGTERM)
    #expect(worker.status() == 0, "\(worker.errorText)")
  }

  @Test func aProgramHasNoInputAndNoFilesOfTheWorker() throws {
    let world = try AlertWorld()
    let folder = world.home.url.path
    let probe = try world.script(
      "probe",
      "cat >> '\(folder)/told'; ls -l /proc/self/fd | wc -l >> '\(folder)/told'; grep SigBlk /proc/self/status >> '\(folder)/told'; echo seen; echo wrong >&2"
    )
    _ = try world.alert(["add", "--exec", probe])
    let fetch = try world.fetch([Event(id: "us1")])
    // The three streams, the folder that ls reads, and the line with the sum.
    #expect(world.told == ["5", "SigBlk:\t0000000000000000"])
    #expect(fetch.lines.contains("seen") && fetch.errorText.contains("wrong"))
  }
}
