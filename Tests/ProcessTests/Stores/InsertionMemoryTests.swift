import Foundation
import StrataTestSupport
import Testing

/// The memory of a bulk insertion, measured in a process of its own.
@Suite(.waitsForProcesses) struct InsertionMemoryTests {
  /// An event has an object of 64 bytes, a row of 40, and entries in the lists of its context. During the save,
  /// there is also the page cache, with room for 4 MB.
  @Test func `a new object takes less than 180 bytes before its save and 320 during it`() throws {
    let home = try Home()
    let probe = try Program("strata-store-probe", ["memory", home.url.path, "30000"], home: home.url)
    #expect(probe.status() == 0, "\(probe.errorText)")
    let bytes = probe.lines.first?.split(separator: " ").compactMap { Int($0) } ?? []
    try #require(bytes.count == 2, "\(probe.lines)")
    #expect(bytes[0] < 180 && bytes[1] < 320, "\(bytes)")
  }
}
