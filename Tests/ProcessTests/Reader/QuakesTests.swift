import Foundation
import StrataTestSupport
import Testing

/// The reader, the fetch worker and the summary as users run them.
@Suite(.waitsForProcesses, .serialized) struct QuakesTests {
  private func feed(_ events: [(id: String, magnitude: String, place: String, age: Int)]) -> String {
    let now = Int(Date().timeIntervalSince1970)
    let features = events.map { event in
      """
      {"type":"Feature","properties":{"mag":\(event.magnitude),"place":"\(event.place)",
      "time":\((now - event.age * 60) * 1_000),"updated":\(now * 1_000),"status":"automatic","type":"earthquake",
      "net":"us","code":"\(event.id.dropFirst(2))","title":"M \(event.magnitude) - \(event.place)"},
      "geometry":{"type":"Point","coordinates":[-174.5,-21.2,35.0]},"id":"\(event.id)"}
      """
    }
    return #"{"type":"FeatureCollection","metadata":{"generated":1,"count":1},"features":["#
      + features.joined(separator: ",") + "]}"
  }

  private func run(_ home: Home, _ name: String, _ arguments: [String]) throws -> (status: Int32?, program: Program) {
    let program = try Program(name, arguments, home: home.url)
    return (program.status(), program)
  }

  @Test func `new earthquakes appear in the watch and the summary`() throws {
    let home = try Home()
    let first = try home.write("first.geojson", feed([("us1", "4.5", "Somewhere", 90)]))
    #expect(try run(home, "quakes-fetch", ["--once", first]).status == 0)
    let watch = try Program("quakes", ["watch"], home: home.url)
    let summary = try Program("quakes-summary", ["--follow"], home: home.url)
    #expect(watch.wait { $0.contains { $0.contains("Somewhere") } }, "\(watch.lines) \(watch.errorText)")
    #expect(summary.wait { $0.contains { $0.contains("Somewhere") } }, "\(summary.lines) \(summary.errorText)")
    let second = try home.write("second.geojson", feed([("us2", "6.1", "Tonga", 12), ("us3", "null", "Vanuatu", 5)]))
    #expect(try run(home, "quakes-fetch", ["--once", second]).status == 0)
    #expect(watch.wait { $0.contains { $0.contains("Tonga") } }, "\(watch.lines) \(watch.errorText)")
    #expect(summary.wait { $0.last?.contains("Somewhere") == false }, "\(summary.lines) \(summary.errorText)")
    watch.signal(SIGTERM)
    summary.signal(SIGTERM)
    #expect(watch.status() != nil && summary.status() != nil)
  }

  @Test func `a second import of a body changes nothing`() throws {
    let home = try Home()
    let file = try home.write("feed.geojson", feed([("us1", "4.5", "Chile", 90), ("us2", "null", "Peru", 80)]))
    let first = try run(home, "quakes-fetch", ["--once", file]).program
    #expect(first.lines.contains { $0.contains("2 new, 0 changed, 0 unchanged, 0 bad") }, "\(first.lines)")
    let second = try run(home, "quakes-fetch", ["--once", file]).program
    #expect(second.lines.contains { $0.contains("0 new, 0 changed, 2 unchanged, 0 bad") }, "\(second.lines)")
    let list = try run(home, "quakes", ["list", "--json"]).program
    #expect(list.lines.joined().contains("\"us2\""), "\(list.lines)")
  }

  @Test func `an invalid feed ends with status 6 and changes nothing`() throws {
    let home = try Home()
    let good = try home.write("good.geojson", feed([("us1", "4.5", "Chile", 90)]))
    #expect(try run(home, "quakes-fetch", ["--once", good]).status == 0)
    let before = try run(home, "quakes", ["list", "--json"]).program.lines
    for (name, text) in [("page.html", "<html>no</html>"), ("empty", ""), ("cut.geojson", #"{"type":"Feat"#)] {
      let file = try home.write(name, text)
      let (status, program) = try run(home, "quakes-fetch", ["--once", file])
      #expect(status == 6, "\(name): \(program.errorText)")
      #expect(!program.errorText.isEmpty)
    }
    #expect(try run(home, "quakes", ["list", "--json"]).program.lines == before)
  }

  @Test func `the worker ends after SIGTERM`() throws {
    let home = try Home()
    let file = try home.write("feed.geojson", feed([("us1", "4.5", "Chile", 90)]))
    let worker = try Program("quakes-fetch", ["--interval", "1", file], home: home.url)
    #expect(worker.wait { $0.contains { $0.contains("1 new") } }, "\(worker.lines) \(worker.errorText)")
    worker.signal(SIGTERM)
    #expect(worker.status() == 0, "\(worker.errorText)")
  }

  @Test func `a group folder that others can write to is refused`() throws {
    let home = try Home()
    let file = try home.write("feed.geojson", feed([("us1", "4.5", "Chile", 90)]))
    let group = home.url.appendingPathComponent("group.quakes")
    try FileManager.default.createDirectory(at: group, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: group.path)
    let (status, program) = try run(home, "quakes-fetch", ["--once", file])
    #expect(status == 4)
    #expect(program.errorText.contains(group.path), "\(program.errorText)")
  }
}
