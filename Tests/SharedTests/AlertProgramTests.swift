import Foundation
import StrataQuakes
import StrataTestSupport
import Testing

/// The programs that alerts run.
@Suite struct AlertProgramTests {
  private func shell(_ text: String) -> AlertProgram {
    AlertProgram(path: "/bin/sh", arguments: ["-c", text], environment: [:])
  }

  @Test func `the outcome describes how the program ended`() {
    #expect(shell("exit 0").run() == .ok)
    #expect("\(shell("exit 3").run())" == "exit 3")
    #expect("\(shell("kill -9 $$").run())" == "signal 9")
    let missing = AlertProgram(path: "/no/such", arguments: [], environment: [:]).run()
    #expect("\(missing)" == "cannot start: /no/such: No such file or directory")
  }

  @Test func `a program that hangs is ended with its children`() async throws {
    try await onOwnThread {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("strata-alert-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appendingPathComponent("child").path
      // Both ignore SIGTERM.
      let outcome = shell("trap '' TERM; sleep 1000 & echo $! > '\(file)'; while :; do sleep 1000; done")
        .run(limit: .seconds(3))
      #expect("\(outcome)" == "timed out")
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let child = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
      // The child is killed, but perhaps not yet reaped by the process that adopted it.
      let end = Date() + 60
      while isRunning(child), Date() < end { usleep(20_000) }
      #expect(!isRunning(child))
    }
  }

  private func isRunning(_ process: pid_t) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return false }
    return !status.contains("State:\tZ")
  }

  @Test func `programs are found by name and by path`() {
    #expect(AlertProgram.find("sh", path: "/nowhere:bin:/bin") == "/bin/sh")
    #expect(AlertProgram.find("/bin/sh") == "/bin/sh")
    #expect(AlertProgram.find("/bin") == nil && AlertProgram.find("") == nil)
    #expect(AlertProgram.find("/etc/passwd") == nil)
    #expect(AlertProgram.find("sh", path: "bin") == nil)
  }

  @Test func `only field-like words in braces are checked as fields`() {
    #expect(AlertMessage.unknownField(in: "{magnitud}") == "magnitud")
    #expect(AlertMessage.unknownField(in: "a {id} {place}{colour_x}") == "colour_x")
    for argument in ["{id}", "{}", "{\"text\": \"{place}\"}", "{a b}", "}{", "{Id}", "{{id}}"] {
      #expect(AlertMessage.unknownField(in: argument) == nil, "\(argument)")
    }
  }
}
