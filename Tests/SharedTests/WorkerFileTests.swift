import Foundation
import Testing

@testable import StrataQuakes

@Suite("The worker's file") struct WorkerFileTests {
  private let home = FileManager.default.temporaryDirectory.appendingPathComponent("home-\(UUID().uuidString)")

  private func file(_ store: String) -> WorkerFile {
    let location = StoreLocation(folder: home.appendingPathComponent(store), isChosen: true)
    return WorkerFile(for: location, environment: { ["HOME": home.path][$0] })
  }

  @Test func `a dead worker's process ID does not count as running`() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let file = file("a")
    #expect(try file.runningProcess() == nil)
    try FileManager.default.createDirectory(at: home.appendingPathComponent("a"), withIntermediateDirectories: true)
    try Data("1234567\n".utf8).write(to: file.url)
    #expect(try file.runningProcess() == nil)
    #expect(try file.deadProcess() == 1_234_567)
    let lock = try file.lock()
    #expect(try String(contentsOf: file.url, encoding: .utf8) == "\(getpid())\n")
    lock.end()
    #expect(try file.deadProcess() == nil)
    for text in ["", "\n", "x", "0\n", "-1\n", "99999999999999999999\n"] {
      try Data(text.utf8).write(to: file.url)
      #expect(try file.deadProcess() == nil, "\(text)")
    }
    try Data("7\n".utf8).write(to: file.url)
    try file.forgetDeadProcess()
    #expect(try file.deadProcess() == nil)
  }

  @Test func `a lock is renewed after its folder was deleted or moved`() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let (file, folder) = (file("a"), home.appendingPathComponent("a"))
    let lock = try file.lock()
    #expect(lock.isCurrent)
    try FileManager.default.moveItem(at: folder, to: home.appendingPathComponent("b"))
    #expect(!lock.isCurrent)
    try lock.renew()
    #expect(lock.isCurrent)
    #expect(try String(contentsOf: file.url, encoding: .utf8) == "\(getpid())\n")
    // The moved file does not report a dead worker.
    #expect(try Data(contentsOf: home.appendingPathComponent("b/quakes-fetch.pid")).isEmpty)
    try FileManager.default.removeItem(at: folder)
    try Data("a".utf8).write(to: folder)
    #expect(throws: Failure.self) { try lock.renew() }
  }

  @Test func `all paths to a store have the same log`() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let folder = home.appendingPathComponent("a")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: home.appendingPathComponent("link"), withDestinationURL: folder)
    #expect(file("a").url != file("b").url && file("a").logURL != file("b").logURL)
    for path in ["x/../a", "link", "./a"] { #expect(file("a").logURL == file(path).logURL) }
    #expect(file("a").logURL.path.hasPrefix(home.path + "/.local/state/quakes/quakes-fetch-"))
    // A deleted folder has the same log, also by a link that leads nowhere.
    let log = file("a").logURL
    try FileManager.default.removeItem(at: folder)
    for path in ["a", "x/../a", "link", "./a"] { #expect(file(path).logURL == log, "\(path)") }
  }
}

@Suite("The store location") struct StoreLocationTests {
  @Test func `the option overrides the environment`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let (a, b) = (folder.appendingPathComponent("a").path, folder.appendingPathComponent("b").path)
    let environment = ["QUAKES_STORE": b]
    #expect(try StoreLocation(option: a, environment: { environment[$0] }).folder.path == a)
    #expect(try StoreLocation(option: nil, environment: { environment[$0] }).folder.path == b)
    #expect(try StoreLocation(option: "", environment: { environment[$0] }).storeURL.path == "\(b)/Quakes.sqlite")
  }

  @Test func `a folder that cannot be created is reported`() {
    let location = StoreLocation(folder: URL(fileURLWithPath: "/proc/nowhere"), isChosen: true)
    let failure = #expect(throws: Failure.self) { try location.createFolder() }
    #expect(failure?.status == .storeUnavailable)
    #expect(failure?.message.contains("/proc/nowhere") == true)
    #expect(!location.hasStore)
  }
}
