import Foundation
import StrataTestSupport
import Testing

/// The macro program under the toolchain's compiler.
@Suite struct CompilerErrorTests {
  /// The errors of a source, each with its line and column.
  private func errors(in source: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let (file, pipe) = (folder.url.appendingPathComponent("Source.swift"), Pipe())
    let declarations = """
      @attached(member, names: arbitrary) macro Model() =
        #externalMacro(module: "StrataSwiftDataMacros", type: "PersistentModelMacro")
      @freestanding(declaration) macro Index(_ names: [String]...) =
        #externalMacro(module: "StrataSwiftDataMacros", type: "IndexMacro")
      @attached(peer) macro Query() =
        #externalMacro(module: "StrataSwiftDataMacros", type: "QueryMacro")

      """
    try Data((declarations + source).utf8).write(to: file)
    let program = Bundle.main.bundleURL.appendingPathComponent("StrataSwiftDataMacros-tool").path
    let process = try SpawnedProcess(
      "/usr/bin/env",
      ["swiftc", "-typecheck", "-load-plugin-executable", "\(program)#StrataSwiftDataMacros", file.path], output: nil,
      errors: pipe.fileHandleForWriting)
    try pipe.fileHandleForWriting.close()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.status()
    let errors = String(decoding: output, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix(file.path) && $0.contains(": error: ") }
    let lines = declarations.count { $0 == "\n" }
    return Set(errors).sorted().map { error in
      let parts = error.dropFirst(file.path.utf8.count + 1).split(separator: ":", maxSplits: 2)
      let message = parts[2].dropFirst(" error: ".count).replacing(#/ \(from macro .*/#, with: "")
      return "\((Int(parts[0]) ?? 0) - lines):\(parts[1]): \(message)"
    }
  }

  @Test func `shows errors where they are`() throws {
    let errors = try errors(
      in: """
        @Model enum Genre { case novel }
        enum Größe {
          /// A structure.
          @Model public struct Shelf {}
        }
        @Model extension Genre {}
        """)
    #expect(
      errors == [
        "4:3: '@Model' cannot be applied to struct type 'Shelf'",
        "6:1: '@Model' cannot be applied to extension type 'Genre'",
      ])
  }

  @Test func `accepts macros that expand to nothing`() throws {
    #expect(try errors(in: #"enum Shelf { #Index(["title"]) }"#) == [])
  }

  @Test func `shows an error for a macro that does not exist`() throws {
    let errors = try errors(in: "@Query class Shelf {}")
    #expect(errors == ["1:1: SwiftData's macros do not include QueryMacro as peer"])
  }
}
