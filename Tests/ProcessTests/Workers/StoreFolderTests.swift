import Foundation
import StrataTestSupport
import Testing

/// The files in the store's folder, their permissions, and unexpected files.
@Suite(.waitsForProcesses) struct StoreFolderTests {
  private func store(_ home: Home) -> String { home.url.appendingPathComponent("store").path }

  private func permissions(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0, "\(path)")
    return status.st_mode & 0o777
  }

  private func run(_ line: String, home: Home, status: Int32) throws -> Program {
    let words = line.split(separator: " ").map(String.init)
    let program = try Program(words[0], Array(words.dropFirst()), home: home.url)
    #expect(program.status() == status, "\(line): \(program.errorText)")
    return program
  }

  /// The folder is one that other users may enter.
  @Test func `only the owner can read the files`() throws {
    let home = try Home()
    let store = store(home)
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
    try #require(chmod(store, 0o755) == 0)
    _ = try run("quakes-fetch --once sample --store \(store)", home: home, status: 0)
    _ = try run("quakes place add home 10,10 --store \(store)", home: home, status: 0)
    for name in try FileManager.default.contentsOfDirectory(atPath: store) {
      #expect(try permissions("\(store)/\(name)") == 0o600, "\(name)")
    }
  }

  @Test func `a folder that others can write to is refused`() throws {
    let home = try Home()
    let store = store(home)
    _ = try run("quakes-fetch --once sample --store \(store)", home: home, status: 0)
    for mode: mode_t in [0o720, 0o702, 0o1777] {
      try #require(chmod(store, mode) == 0)
      for line in [
        "quakes list", "quakes place add home 10,10", "quakes-fetch --once sample", "quakes-summary",
        "quakes-summary --follow", "quakes workers status",
      ] {
        let program = try run("\(line) --store \(store)", home: home, status: 4)
        #expect(program.errorText.contains("cannot use the folder \(store): other users can write to it"), "\(line)")
        #expect(program.lines == [])
      }
      let doctor = try run("quakes doctor --store \(store)", home: home, status: 1)
      #expect(doctor.lines.contains { $0.hasPrefix("fail") && $0.contains("other users can write") }, "\(doctor.lines)")
    }
  }

  /// The owner of the folder could not use files that this user creates.
  @Test func `a folder of another user is only read`() throws {
    let home = try Home()
    var store = "/usr"
    if geteuid() == 0 {
      store = self.store(home)
      _ = try run("quakes-fetch --once sample --store \(store)", home: home, status: 0)
      try #require(chown(store, 65_534, 65_534) == 0)
      _ = try run("quakes list --store \(store)", home: home, status: 0)
    }
    let before = try FileManager.default.contentsOfDirectory(atPath: store).filter { !$0.hasPrefix("Quakes.sqlite-") }
    for line in ["quakes place add home 10,10", "quakes-fetch --once sample", "quakes-fetch"] {
      let program = try run("\(line) --store \(store)", home: home, status: 4)
      #expect(program.errorText.contains("it belongs to user"), "\(line): \(program.errorText)")
    }
    let after = try FileManager.default.contentsOfDirectory(atPath: store).filter { !$0.hasPrefix("Quakes.sqlite-") }
    #expect(Set(after) == Set(before))
  }

  @Test func `a file instead of a folder is refused`() throws {
    let home = try Home()
    let file = try home.write("file", "a")
    for line in ["quakes list", "quakes-fetch --once sample", "quakes-summary"] {
      let program = try run("\(line) --store \(file)", home: home, status: 4)
      #expect(program.errorText.contains("cannot use \(file) as the store's folder: it is not a folder"), "\(line)")
    }
  }

  /// Opening a FIFO would wait for its other end.
  @Test func `programs refuse a FIFO instead of a file of the store`() throws {
    let home = try Home()
    let store = store(home)
    _ = try run("quakes-fetch --once sample --store \(store)", home: home, status: 0)
    for (name, lines) in [
      ("Quakes.sqlite", ["quakes list", "quakes-summary", "quakes-fetch --once sample"]),
      ("Quakes.sqlite-wal", ["quakes list", "quakes-summary", "quakes-fetch --once sample"]),
      ("Quakes.sqlite-turn", ["quakes-fetch --once sample"]), ("quakes-import.lock", ["quakes-fetch --once sample"]),
      ("quakes-fetch.pid", ["quakes-fetch"]),
    ] {
      let path = "\(store)/\(name)"
      rename(path, path + ".away")
      try #require(mkfifo(path, 0o600) == 0)
      for line in lines {
        let program = try run("\(line) --store \(store)", home: home, status: 4)
        #expect(program.errorText.contains(path), "\(line): \(program.errorText)")
      }
      unlink(path)
      rename(path + ".away", path)
    }
    _ = try run("quakes list --store \(store)", home: home, status: 0)
  }

  @Test func `a feed may be a pipe and may not be a folder`() throws {
    let home = try Home()
    let feed = """
      {"type":"FeatureCollection","metadata":{"generated":1},"features":[{"type":"Feature","properties":{"mag":5,
      "place":"Chile","time":1397520000000,"updated":1397520000000},"geometry":{"type":"Point",
      "coordinates":[-70,-20,10]},"id":"us1"}]}
      """
    let fifo = home.url.appendingPathComponent("fifo").path
    try #require(mkfifo(fifo, 0o600) == 0)
    let reader = try Program("quakes-fetch", ["--once", fifo], home: home.url)
    let writer = Thread { try? Data(feed.utf8).write(to: URL(fileURLWithPath: fifo)) }
    writer.start()
    #expect(reader.status() == 0, "\(reader.errorText)")
    #expect(reader.lines == ["\(fifo): 1 event: 1 new, 0 changed, 0 unchanged, 0 bad"])
    let folder = try run("quakes-fetch --once \(home.url.path)", home: home, status: 6)
    #expect(folder.errorText.contains("cannot read \(home.url.path): it is a folder"), "\(folder.errorText)")
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal ends the wait for a pipe`(signal: Int32) throws {
    let home = try Home()
    let fifo = home.url.appendingPathComponent("fifo").path
    try #require(mkfifo(fifo, 0o600) == 0)
    let worker = try Program("quakes-fetch", ["--once", fifo], home: home.url)
    // The worker waits while it has the FIFO open.
    let files = "/proc/\(worker.identifier)/fd"
    let end = Date(timeIntervalSinceNow: 120)
    while Date() < end, !open(files, has: fifo) { usleep(5_000) }
    worker.signal(signal)
    #expect(worker.status() == (signal == SIGINT ? 130 : 0), "\(worker.errorText)")
  }

  private func open(_ files: String, has path: String) -> Bool {
    let manager = FileManager.default
    return (try? manager.contentsOfDirectory(atPath: files))?.contains {
      (try? manager.destinationOfSymbolicLink(atPath: "\(files)/\($0)")) == path
    } ?? false
  }
}
