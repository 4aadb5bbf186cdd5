import Foundation
import StrataTestSupport
import Testing

@testable import StrataSystemChecks

/// The use and the limits of inotify(7).
@Suite struct InotifyCheckTests {
  private func watches(_ folder: String?) throws -> Finding {
    let findings = InotifyCheck(folder: folder).findings
    #expect(findings.map(\.name) == ["inotify instances", "inotify watches"])
    return try #require(findings.last)
  }

  private func counts() -> [Int?] {
    InotifyCheck(folder: nil).findings.map { finding in
      finding.text.wholeMatch(of: /(\d+) used by this user's processes, of \d+/).flatMap { Int($0.1) }
    }
  }

  @Test func `the check counts the instances and watches of this process`() throws {
    let folders = try (0..<3).map { _ in try TemporaryFolder() }
    // Other processes may start or stop watching at the same time, but not every time.
    var differences: [[Int]] = []
    for _ in 0..<50 where differences.last != [2, 6] {
      let before = try counts().map { try #require($0) }
      let instances = (0..<2).map { _ in inotify_init1(Int32(IN_CLOEXEC)) }
      defer { for instance in instances { close(instance) } }
      for instance in instances {
        for folder in folders { try #require(inotify_add_watch(instance, folder.path, UInt32(IN_MODIFY)) > 0) }
      }
      differences.append(zip(try counts().map { try #require($0) }, before).map { $0 - $1 })
    }
    #expect(differences.last == [2, 6], "\(differences)")
  }

  @Test func `a folder that cannot be watched is a warning without advice about limits`() throws {
    let finding = try watches(try TemporaryFolder().file("none"))
    #expect(finding.state == .warn && finding.text.hasSuffix("; cannot watch the folder: No such file or directory"))
    #expect(finding.advice == nil)
  }
}
