import Foundation
import StrataTestSupport
import Testing

/// Processes that may read a store but not write next to it.
@Suite(.waitsForProcesses) struct ReadOnlyAccessTests {
  private let home: Home

  init() throws {
    home = try Home()
    // The other user needs access through the parent folder.
    let parent = home.url.deletingLastPathComponent().path
    var found = stat()
    try #require(stat(parent, &found) == 0)
    if geteuid() == 0 { try #require(chmod(parent, found.st_mode & 0o7777 | 0o011) == 0) }
  }

  /// Lets other users read the folder and the store. If the reader is the owner, the owner can write only while `body`
  /// runs.
  private func writing<T>(_ body: () throws -> T) throws -> T {
    let isOther = geteuid() == 0
    let path = home.url.path
    let files = { try FileManager.default.contentsOfDirectory(atPath: path).map { "\(path)/\($0)" } }
    if !isOther {
      try #require(chmod(path, 0o755) == 0)
      for file in try files() { try #require(chmod(file, 0o644) == 0) }
    }
    let result = try body()
    for file in try files() { try #require(chmod(file, isOther ? 0o644 : 0o444) == 0) }
    try #require(chmod(path, isOther ? 0o755 : 0o555) == 0)
    return result
  }

  /// Runs a process that opens the store, saves events one by one and closes it, which creates and deletes its log.
  private func write(_ count: Int) throws {
    try writing {
      let writer = try Program("strata-store-probe", ["write", home.url.path, "\(count)"], home: home.url)
      #expect(writer.status() == 0, "\(writer.errorText)")
    }
  }

  @Test func `a read-only process sees commits of processes that have closed the store`() throws {
    let writers = 12
    let each = 5
    try write(each)
    let reader = try Program(
      "strata-store-probe", ["guest", home.url.path, "\((writers + 1) * each)"], home: home.url)
    #expect(reader.wait { $0.first == "\(each)" }, "\(reader.errorText)")
    for _ in 0..<writers { try write(each) }
    #expect(reader.status() == 0, "\(reader.lines) \(reader.errorText)")
    // Each fetch reads one snapshot, which is not older than that of the previous fetch.
    let counts = reader.lines.compactMap { Int($0) }
    #expect(counts == counts.sorted())
    #expect(counts.last == (writers + 1) * each)
    _ = try writing {}
  }
}
