import Foundation
import Testing

@testable import StrataQuakes

@Suite("The worker's file") struct WorkerFileTests {
  private let home = FileManager.default.temporaryDirectory.appendingPathComponent("home-\(UUID().uuidString)")

  private func file(_ store: String = "/tmp/a") throws -> WorkerFile {
    let location = StoreLocation(folder: URL(fileURLWithPath: store), isChosen: true)
    return try WorkerFile(for: location, environment: { ["HOME": home.path][$0] })
  }

  @Test func aLivingWorkerIsFoundAndKeepsOthersOut() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let file = try file()
    #expect(try file.runningProcess() == nil)
    let lock = try file.lock()
    #expect(try file.runningProcess() == getpid())
    let failure = #expect(throws: Failure.self) { _ = try file.lock() }
    #expect(failure?.status == .busy)
    _ = consume lock
    #expect(try file.runningProcess() == nil)
  }

  @Test func theNumberOfADeadWorkerDeceivesNobody() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let file = try file()
    try Data("1234567\n".utf8).write(to: file.url)
    #expect(try file.runningProcess() == nil)
    let lock = try file.lock()
    #expect(try String(contentsOf: file.url, encoding: .utf8) == "\(getpid())\n")
    _ = consume lock
  }

  @Test func eachStoreHasItsOwn() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    #expect(try file("/tmp/a").url != file("/tmp/b").url)
    #expect(try file("/tmp/a").url == file("/tmp/x/../a").url)
    #expect(try file().url.path.hasPrefix(home.path + "/.local/state/quakes/quakes-fetch-"))
  }
}

@Suite("Where the store lies") struct StoreLocationTests {
  @Test func theOptionWinsOverTheEnvironment() throws {
    let environment = ["QUAKES_STORE": "/tmp/b"]
    #expect(try StoreLocation(option: "/tmp/a", environment: { environment[$0] }).folder.path == "/tmp/a")
    #expect(try StoreLocation(option: nil, environment: { environment[$0] }).folder.path == "/tmp/b")
    #expect(try StoreLocation(option: "", environment: { environment[$0] }).storeURL.path == "/tmp/b/Quakes.sqlite")
  }

  @Test func aFolderThatCannotBeMadeIsTold() {
    let location = StoreLocation(folder: URL(fileURLWithPath: "/proc/nowhere"), isChosen: true)
    let failure = #expect(throws: Failure.self) { try location.createFolder() }
    #expect(failure?.status == .storeUnavailable)
    #expect(failure?.message.contains("/proc/nowhere") == true)
    #expect(!location.hasStore)
  }
}
