import Foundation
import StrataTestSupport
import Testing

@testable import StrataQuakes

/// The file that takes the place of a running program's.
@Suite(.waitsForProcesses, .serialized) struct ProgramReplacementTests {
  private let folder: TemporaryFolder
  private var program: String { folder.file("program") }
  /// Leads to the file that runs, as /proc/self/exe does.
  private var running: String { folder.file("running") }

  init() throws {
    folder = try TemporaryFolder()
    try write("echo 1.0.0", to: running)
    try FileManager.default.linkItem(atPath: running, toPath: program)
  }

  private func write(_ script: String, to path: String, mode: Int = 0o755) throws {
    try? FileManager.default.removeItem(atPath: path)
    // In a process of its own, as other tests start programs that would inherit the file.
    let shell = try SpawnedProcess(
      "/bin/sh", ["-c", "printf '%s\\n' '#!/bin/sh' '\(script)' >'\(path)'; chmod \(String(mode, radix: 8)) '\(path)'"])
    #expect(shell.status() == 0)
  }

  @Test func `a program whose file is the same, or gone, is not replaced`() throws {
    let replacement = ProgramReplacement(program, executable: running)
    #expect(try replacement.check() == nil)
    try FileManager.default.removeItem(atPath: program)
    #expect(try replacement.check() == nil)
  }

  @Test func `a newer file prints its version`() throws {
    let replacement = ProgramReplacement(program, executable: running)
    try write("test \"$1\" = --version && echo 1.10.2", to: program)
    #expect(try replacement.check() == "1.10.2")
  }

  @Test(arguments: [
    ("exec sleep 1000 >/dev/null", 0o755, "version"), ("echo sleep (coreutils) 9.1", 0o755, "version"),
    ("echo 1.2.3; exit 3", 0o755, "version"), ("echo 1.2.3", 0o775, "other users can write"),
    ("echo 1.2.3", 0o600, "not a program"), ("echo 1.2.3", 0o4755, "rights of another user"),
  ])
  func `a file that is not a newer version is refused`(script: String, mode: Int, reason: String) throws {
    let replacement = ProgramReplacement(program, executable: running)
    try write(script, to: program, mode: mode)
    let failure = try #require(throws: Failure.self) { _ = try replacement.check() }
    #expect(failure.message.hasPrefix("cannot continue as the newer version of this program, \(program): "))
    #expect(failure.message.contains(reason), "\(failure.message)")
  }

  @Test func `a program that was started by another name is found by its link`() throws {
    try FileManager.default.removeItem(atPath: running)
    try FileManager.default.createSymbolicLink(atPath: running, withDestinationPath: program)
    let replacement = ProgramReplacement("-login-shell", executable: running)
    #expect(try replacement.check() == nil)
  }

  @Test func `a state counts for its own process alone`() throws {
    struct State: Codable { var number: Int }
    for (process, number) in [(getpid(), 7), (getpid() + 1, nil)] as [(pid_t, Int?)] {
      let text = #"{"process":\#(process),"executions":1,"state":{"number":7}}"#
      let replacement = ProgramReplacement(program, executable: running, handed: text)
      #expect(replacement.state(State.self)?.number == number)
    }
  }

  @Test(arguments: [5, Int.max])
  func `a program is not replaced more than five times in a row`(_ executions: Int) throws {
    let text = #"{"process":\#(getpid()),"executions":\#(executions),"state":{}}"#
    let replacement = ProgramReplacement(program, executable: running, handed: text)
    try write("echo 1.2.3", to: program)
    let failure = #expect(throws: Failure.self) { _ = try replacement.check() }
    #expect(failure?.message.contains("5 times in a row") == true)
  }
}
