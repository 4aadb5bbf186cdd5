import Foundation
import StrataTestSupport
import Testing

/// Processes that may read a store and not write beside it.
@Suite(.waitsForProcesses) struct GuestTests {
  private let home: Home

  init() throws {
    home = try Home()
    // The other user has to pass through.
    let parent = home.url.deletingLastPathComponent().path
    var found = stat()
    try #require(stat(parent, &found) == 0)
    if geteuid() == 0 { try #require(chmod(parent, found.st_mode & 0o7777 | 0o011) == 0) }
  }

  /// Lets others read the folder and the store; their owner may write only while `body` runs, if it is the guest too.
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

  /// A process that opens the store, saves events one by one and closes it: its log comes and goes.
  private func write(_ count: Int) throws {
    try writing {
      let writer = try Program("strata-store-probe", ["write", home.url.path, "\(count)"], home: home.url)
      #expect(writer.status() == 0, "\(writer.errorText)")
    }
  }

  @Test func guestSeesWhatProcessesSavedThatOpenedAndClosedTheStore() throws {
    let writers = 12
    let each = 5
    try write(each)
    let guest = try Program(
      "strata-store-probe", ["guest", home.url.path, "\((writers + 1) * each)"], home: home.url)
    #expect(guest.wait { $0.first == "\(each)" }, "\(guest.errorText)")
    for _ in 0..<writers { try write(each) }
    #expect(guest.status(seconds: 30) == 0, "\(guest.lines) \(guest.errorText)")
    // Each fetch is of one moment, and none of an earlier one than the fetch before.
    let counts = guest.lines.compactMap { Int($0) }
    #expect(counts == counts.sorted())
    #expect(counts.last == (writers + 1) * each)
    _ = try writing {}
  }
}
