import Foundation
import StrataTestSupport
import Testing

/// The default store location of programs. Each has a folder of its own.
@Suite(.waitsForProcesses) struct DefaultLocationTests {
  private let home: Home
  private var data: URL { home.url.appendingPathComponent(".local/share") }

  init() throws { home = try Home() }

  /// The probe under another name.
  private func program(_ name: String) throws -> URL {
    let file = home.url.appendingPathComponent(name)
    if !FileManager.default.fileExists(atPath: file.path) {
      try FileManager.default.copyItem(at: Program.file("strata-store-probe"), to: file)
    }
    return file
  }

  /// The program's output and errors.
  private func run(
    _ name: String, _ entity: String, _ count: Int = 2, file: URL? = nil, variables: [String: String] = [:]
  ) throws -> (lines: [String], errors: String) {
    let program = try Program(
      name, ["place", home.url.path, "\(count)", entity], home: home.url, file: file ?? program(name),
      variables: variables)
    #expect(program.status() == 0, "\(program.errorText)")
    return (program.lines, program.errorText)
  }

  private func lines(_ folder: URL, _ count: Int) -> [String] {
    [folder.path, folder.appendingPathComponent("Model.sqlite").path, "\(count)"]
  }

  /// Moves the files of a store.
  private func move(from folder: URL, to other: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try FileManager.default.moveItem(at: folder.appendingPathComponent(name), to: other.appendingPathComponent(name))
    }
  }

  @Test func `programs with containers of the same name have separate stores`() throws {
    #expect(try run("first", "Person").lines == lines(data.appendingPathComponent("first"), 2))
    #expect(try run("odd \"näme\"", "City").lines == lines(data.appendingPathComponent("odd \"näme\""), 2))
    #expect(try run("first", "Person").lines == lines(data.appendingPathComponent("first"), 4))
    let mode = try FileManager.default.attributesOfItem(atPath: data.appendingPathComponent("first").path)
    #expect(mode[.posixPermissions] as? Int == 0o700)
  }

  @Test func `the folder follows the environment`() throws {
    let other = home.url.appendingPathComponent("data")
    let found = try run("first", "Person", variables: ["XDG_DATA_HOME": other.path])
    #expect(found.lines == lines(other.appendingPathComponent("first"), 2))
    #expect(
      try run("first", "Person", variables: ["XDG_DATA_HOME": "relative"]).lines
        == lines(data.appendingPathComponent("first"), 2))
    let elsewhere = home.url.appendingPathComponent("elsewhere")
    #expect(
      try run("first", "Person", variables: ["HOME": elsewhere.path + "/"]).lines
        == lines(elsewhere.appendingPathComponent(".local/share/first"), 2))
  }

  @Test func `a program started through a link has the same folder`() throws {
    _ = try run("first", "Person")
    let link = home.url.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: try program("first"))
    #expect(try run("link", "Person", file: link).lines == lines(data.appendingPathComponent("first"), 4))
  }

  @Test func `a store in the old location is used only by a program with its model`() throws {
    _ = try run("first", "Person")
    try move(from: data.appendingPathComponent("first"), to: data)
    let first = data.appendingPathComponent("first")
    let old = data.appendingPathComponent("Model.sqlite")
    let before = try Data(contentsOf: old)
    let other = try run("second", "City")
    #expect(other.lines == lines(data.appendingPathComponent("second"), 2))
    #expect(other.errors.contains(old.path))
    #expect(try Data(contentsOf: old) == before)
    #expect(try run("second", "City").errors == "", "it is reported only when the new store is created")
    #expect(try run("first", "Person").lines == [first.path, old.path, "4"])
  }

  @Test func `a file that is not a store is left alone`() throws {
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    let old = data.appendingPathComponent("Model.sqlite")
    try Data("not a database, but of some length".utf8).write(to: old)
    let found = try run("first", "Person")
    #expect(found.lines == lines(data.appendingPathComponent("first"), 2))
    #expect(found.errors.contains(old.path))
    #expect(try Data(contentsOf: old).count == 34)
  }
}
