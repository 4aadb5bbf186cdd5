import Foundation
import StrataTestSupport
import Testing

/// A store that is deleted, moved or replaced while programs have it open.
@Suite(.waitsForProcesses, .serialized) struct StoreLossTests {
  private let home: Home
  private let feed: String
  private var store: String { home.url.appendingPathComponent("outer/store").path }

  init() throws {
    home = try Home()
    feed = try home.write(
      "feed.geojson",
      """
      {"type":"FeatureCollection","metadata":{"generated":1},"features":[
      {"type":"Feature","properties":{"mag":5,"place":"Chile","time":1397520000000,"updated":1397520000000},
      "geometry":{"type":"Point","coordinates":[-70,-20,10]},"id":"us1"}]}
      """)
  }

  /// A worker that has imported the feed, and imports again in an hour.
  private func startWorker() throws -> Program {
    let worker = try Program("quakes-fetch", ["--store", store, "--interval", "3600", feed], home: home.url)
    #expect(worker.wait { $0.contains { $0.contains("1 new") } }, "\(worker.errorText)")
    return worker
  }

  private func quakes(_ words: String...) throws -> (status: Int32?, text: String) {
    let program = try Program("quakes", words + ["--store", store], home: home.url)
    return (program.status(), (program.lines + [program.errorText]).joined(separator: "\n"))
  }

  private func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

  private func imports(_ lines: [String]) -> Int { lines.filter { $0.contains("1 new") }.count }

  enum Loss: String, CaseIterable {
    case folder, parentFolder, files, movedFolder, movedParent, replacedFiles
  }

  private func cause(_ loss: Loss) throws {
    let manager = FileManager.default
    let outer = home.url.appendingPathComponent("outer").path
    switch loss {
    case .folder: try remove(store)
    case .parentFolder: try remove(outer)
    case .files: try removeFiles()
    case .movedFolder: try manager.moveItem(atPath: store, toPath: store + ".old")
    case .movedParent: try manager.moveItem(atPath: outer, toPath: outer + ".old")
    case .replacedFiles:
      let other = home.url.appendingPathComponent("other").path
      let fetch = try Program("quakes-fetch", ["--once", "sample", "--store", other], home: home.url)
      #expect(fetch.status() == 0, "\(fetch.errorText)")
      try removeFiles()
      #expect(rename("\(other)/Quakes.sqlite", "\(store)/Quakes.sqlite") == 0)
    }
  }

  private func removeFiles() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: store) where name.hasPrefix("Quakes.sqlite") {
      try remove("\(store)/\(name)")
    }
  }

  @Test(arguments: Loss.allCases)
  func `a worker opens its store again after a loss and fetches`(loss: Loss) throws {
    let worker = try startWorker()
    try cause(loss)
    #expect(worker.wait { imports($0) == 2 }, "\(worker.lines) \(worker.errorText)")
    #expect(worker.errorText.contains("was deleted, moved or replaced"), "\(worker.errorText)")
    let list = try quakes("list", "--limit", "0", "--template", "{id}")
    #expect(list.status == 0 && list.text.contains("us1"), "\(list)")
    #expect(try quakes("workers", "status").text.contains("running (process \(worker.identifier))"))
    let second = try Program("quakes-fetch", ["--store", store, feed], home: home.url)
    #expect(second.status() == 75, "\(second.errorText)")
    #expect(try quakes("workers", "stop").status == 0)
    #expect(worker.status() == 0, "\(worker.errorText)")
    #expect(try quakes("workers", "status").status == 3)
  }

  @Test func `a worker whose file was deleted is still the only one`() throws {
    let worker = try startWorker()
    let file = "\(store)/quakes-fetch.pid"
    try remove(file)
    #expect(worker.wait { _ in access(file, F_OK) == 0 }, "\(worker.errorText)")
    #expect(try quakes("workers", "status").text.contains("running (process \(worker.identifier))"))
    #expect(imports(worker.lines) == 1)
    #expect(try quakes("workers", "stop").status == 0)
    #expect(worker.status() == 0, "\(worker.errorText)")
  }

  /// A worker that is stopped, or busy, cannot react yet.
  @Test func `a worker that cannot react yet is found without its folder`() throws {
    let worker = try startWorker()
    worker.signal(SIGSTOP)
    defer { worker.signal(SIGKILL) }
    try remove(store)
    #expect(try quakes("workers", "status").text.contains("running (process \(worker.identifier))"))
    let second = try Program("quakes-fetch", ["--store", store, feed], home: home.url)
    #expect(second.status() == 75 && second.errorText.contains("process \(worker.identifier)"), "\(second.errorText)")
    let stop = try Program("quakes", ["workers", "stop", "--store", store], home: home.url)
    #expect(!worker.wait(seconds: 0.2) { _ in stop.status(seconds: 0) != nil })
    worker.signal(SIGCONT)
    #expect(stop.status() == 0 && stop.lines == ["quakes-fetch has stopped (process \(worker.identifier))"])
    #expect(worker.status() == 0, "\(worker.errorText)")
  }

  @Test func `a worker ends if its store cannot be created again`() throws {
    let worker = try startWorker()
    try remove(home.url.appendingPathComponent("outer").path)
    _ = try home.write("outer", "a file instead of the folder")
    #expect(worker.status() == 4, "\(worker.errorText)")
    #expect(worker.errorText.contains("cannot create the folder \(store)"), "\(worker.errorText)")
  }

  @Test func `a follower notices a lost store and a new one`() throws {
    _ = try startWorker().signal(SIGKILL)
    let follower = try Program(
      "quakes-summary", ["--follow", "--template", "{place}", "--store", store], home: home.url)
    #expect(follower.wait { $0 == ["Chile"] || $0 == ["Chile · stale"] }, "\(follower.lines) \(follower.errorText)")
    // The follower also looks at every full minute, so a longer wait would not prove that it watches.
    try remove(store)
    #expect(follower.wait(seconds: 30) { $0.last == "no store" }, "\(follower.lines) \(follower.errorText)")
    let fetch = try Program("quakes-fetch", ["--once", feed, "--store", store], home: home.url)
    #expect(fetch.status() == 0, "\(fetch.errorText)")
    #expect(follower.wait(seconds: 30) { $0.last?.hasPrefix("Chile") == true }, "\(follower.lines)")
    follower.signal(SIGTERM)
    #expect(follower.status() == -SIGTERM)
  }
}

/// A store that does not exist, because the path is mistyped.
@Suite(.waitsForProcesses) struct MissingStoreTests {
  private static let commands = [
    "list", "top", "near 1,2", "aftershocks us1", "stats", "map", "show us1", "changes --since 1d",
    "export --format csv", "watch", "idle --timeout 0", "star us1", "ack us1", "note us1 x", "open us1",
    "place add home 1,2", "place list", "place remove home", "alert add --min-magnitude 6 --notify", "alert list",
    "alert log", "alert remove a", "alert test a us1",
  ]

  @Test(arguments: commands)
  func `a command at a mistyped path does not create a store`(line: String) throws {
    let home = try Home()
    let store = home.url.appendingPathComponent("mistyped").path
    let words = line.split(separator: " ").map(String.init)
    let program = try Program("quakes", words + ["--store", store], home: home.url)
    #expect(program.status() == 9, "\(program.lines) \(program.errorText)")
    #expect(program.errorText.hasPrefix("quakes: there is no store in \(store)"), "\(program.errorText)")
    #expect(program.lines == [] && !FileManager.default.fileExists(atPath: store))
  }

  private static let forms = [
    "waybar", "i3blocks", "i3bar", "i3status-rust", "polybar", "lemonbar", "xmobar", "tmux", "dwmblocks", "genmon",
    "swiftbar", "plain",
  ]

  @Test(arguments: ["", "--follow"] + forms.map { "--format \($0)" })
  func `a summary says that there is no store at a mistyped path`(options: String) throws {
    let home = try Home()
    let store = home.url.appendingPathComponent("mistyped").path
    let words = options.split(separator: " ").map(String.init)
    let program = try Program("quakes-summary", words + ["--when-none", "", "--store", store], home: home.url)
    #expect(program.wait { $0.joined().contains("no store") }, "\(program.lines) \(program.errorText)")
    if words == ["--follow"] { program.signal(SIGTERM) }
    #expect(program.status() == (words == ["--follow"] ? -SIGTERM : 9))
    #expect(program.errorText.hasPrefix("quakes-summary: there is no store in \(store)"), "\(program.errorText)")
    if let first = program.lines.first, first.hasPrefix("{") {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(first.utf8)) }
    }
  }

  @Test func `a summary before the first fetch into the default store is friendly`() throws {
    let home = try Home()
    for (words, line) in [([], "no quakes yet"), (["--when-none", ""], "")] {
      let program = try Program("quakes-summary", words, home: home.url)
      #expect(program.status() == 0 && program.lines == [line] && program.errorText == "", "\(program.errorText)")
    }
    let chosen = try Program(
      "quakes-summary", [], home: home.url, variables: ["QUAKES_STORE": home.url.path + "/mistyped"])
    #expect(chosen.status() == 9 && chosen.lines == ["no store"])
  }

  @Test func `a query of the service does not create a store`() throws {
    let home = try Home()
    let store = home.url.appendingPathComponent("mistyped").path
    for words in [["check", "us1", "--service", "http://127.0.0.1:1"], ["join"]] {
      let program = try Program("quakes-fetch", words + ["--store", store], home: home.url)
      #expect(program.status() == 9 && program.errorText.contains("there is no store in \(store)"))
      #expect(!FileManager.default.fileExists(atPath: store))
    }
  }
}
