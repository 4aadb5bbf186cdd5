import Foundation
import Testing

struct NotesTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Runs the program to its end and returns its lines.
  private func notes(_ arguments: String...) async throws -> [String] {
    let program = try Program("notes", arguments, home: home)
    #expect(await program.status() == 0)
    #expect(program.errorLines == [])
    return program.lines
  }

  private func texts(of lines: [String]) -> [String] { lines.compactMap { $0.components(separatedBy: "  ").last } }

  @Test func `notes are listed in the order of their creation`() async throws {
    #expect(try await notes("list") == [])
    #expect(try await notes("add", "buy", "milk") == [])
    #expect(try await notes("add", "call Zoë") == [])
    let lines = try await notes("list")
    #expect(texts(of: lines) == ["buy milk", "call Zoë"])
    let date = try #require(lines.first?.components(separatedBy: "  ").first)
    #expect(abs(try Date(date, strategy: .iso8601).timeIntervalSinceNow) < 600)
  }

  @Test func `search ignores case and accents`() async throws {
    for text in ["buy milk", "call Zoë", "Milky Way"] { _ = try await notes("add", text) }
    #expect(texts(of: try await notes("search", "MILK")) == ["buy milk", "Milky Way"])
    #expect(texts(of: try await notes("search", "zoe")) == ["call Zoë"])
    #expect(try await notes("search", "tea") == [])
  }

  @Test func `a process shows notes that another adds`() async throws {
    _ = try await notes("add", "before")
    let watcher = try Program("notes", ["watch"], home: home)
    #expect(await eventually { watcher.lines.first == "Notes: 1. New ones appear here; Control-C ends it." })
    for text in ["first", "second", "third"] { _ = try await notes("add", text) }
    #expect(await eventually { watcher.lines.count == 4 })
    #expect(texts(of: Array(watcher.lines.dropFirst())) == ["first", "second", "third"])
    watcher.signal(SIGINT)
    #expect(await watcher.status() == -SIGINT)
    #expect(try await notes("list").count == 4)
  }

  @Test func `a wrong command line prints the usage`() async throws {
    for arguments in [[], ["add"], ["list", "all"], ["remove", "1"]] {
      let program = try Program("notes", arguments, home: home)
      #expect(await program.status() == 2)
      #expect(program.errorLines.first?.hasPrefix("usage: notes add TEXT") == true)
    }
  }

  @Test func `an error prints one line`() async throws {
    let folder = home.url.appendingPathComponent("group.notes")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data("no store".utf8).write(to: folder.appendingPathComponent("Notes.sqlite"))
    let program = try Program("notes", ["list"], home: home)
    #expect(await program.status() == 1)
    #expect(program.errorLines.count == 1 && program.errorLines.first?.hasPrefix("notes: ") == true)
  }
}
