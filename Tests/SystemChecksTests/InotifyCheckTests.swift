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

  @Test func `the check counts the instances and watches of this process`() throws {
    let folder = try TemporaryFolder()
    let descriptor = inotify_init1(Int32(IN_CLOEXEC))
    try #require(descriptor >= 0 && inotify_add_watch(descriptor, folder.path, UInt32(IN_MODIFY)) > 0)
    defer { close(descriptor) }
    for finding in InotifyCheck(folder: folder.path).findings {
      #expect(!finding.text.hasPrefix("0 ") && finding.text.contains(" used by this user's processes, of "))
    }
  }

  @Test func `a folder that cannot be watched is a warning without advice about limits`() throws {
    let finding = try watches(try TemporaryFolder().file("none"))
    #expect(finding.state == .warn && finding.text.hasSuffix("; cannot watch the folder: No such file or directory"))
    #expect(finding.advice == nil)
  }
}
