import Foundation
import StrataTestSupport
import Testing

/// Tests that the compiler accepts a ported source on Linux and, with Objective-C's rules, on Apple's platforms.
///
/// The toolchain lacks Apple's SDK, but an option enables the rules of `@objc` in its type checker. An empty module
/// named ObjectiveC makes `canImport(ObjectiveC)` true.
struct BothPlatformsTests {
  private static let source = """
    @objc(Writer) public class Writer {
      @objc dynamic var name = 1
      @objc public private(set) var isRead = true
      @available(*, deprecated) @objc
      func old() {}
      /// Documented.
      @objc
      @discardableResult public func read() -> Int { 1 }
      @objc
      public static let all = 1
      @objc init() {}
      @objc subscript(index: Int) -> Int { index }
      @objc class Inner { @objc var a = 1; @objc(b:) func f(_ a: Int) {} }
      func keys() -> [String] { [#keyPath(Writer.name), "\\(#keyPath(name)) == 1", #keyPath(isRead)] }
    }
    @objcMembers @objc(Note) final class Note { var writer: Writer? }
    @objc extension Writer { func inExtension() {} }
    @objc public enum Kind: Int { case a }
    @objc protocol Reading { func read() -> Int }
    @objc(Other) private protocol Writing: Reading { var name: Int { get } }
    final class Holder { weak var reading: Reading? }
    """

  private static func errors(_ source: String, folder: TemporaryFolder, isApple: Bool) throws -> String {
    let file = folder.file("Source.swift")
    try source.write(toFile: file, atomically: true, encoding: .utf8)
    let options = isApple ? ["-I", folder.path] + interoperability : ["-disable-objc-interop"]
    return try run(["-typecheck", "-swift-version", "5", "-suppress-warnings"] + options + [file])
  }

  private static let interoperability = ["-enable-objc-interop", "-disable-objc-attr-requires-foundation-module"]

  private static func run(_ arguments: [String]) throws -> String {
    let pipe = Pipe()
    let process = try SpawnedProcess(
      "/usr/bin/env", ["swiftc", "-frontend"] + arguments, output: nil, errors: pipe.fileHandleForWriting)
    try pipe.fileHandleForWriting.close()
    let text = pipe.fileHandleForReading.readDataToEndOfFile()
    process.status()
    return String(decoding: text, as: UTF8.self)
  }

  @Test func `a ported source compiles with and without Objective-C`() throws {
    let folder = try TemporaryFolder()
    let empty = folder.file("ObjectiveC.swift")
    try "".write(toFile: empty, atomically: true, encoding: .utf8)
    let module = folder.file("ObjectiveC.swiftmodule")
    #expect(
      try Self.run(
        ["-emit-module", "-module-name", "ObjectiveC", "-o", module, empty] + Self.interoperability) == "")
    // The original source is refused on Linux, and accepted with Objective-C's rules.
    let (before, refused) = (
      try Self.errors(Self.source, folder: folder, isApple: true),
      try Self.errors(Self.source, folder: folder, isApple: false)
    )
    #expect(before.isEmpty, "\(before)")
    #expect(refused.contains("interoperability is disabled"))

    let ported = Ported(Self.source)
    #expect(ported.remarks.isEmpty)
    for isApple in [true, false] {
      let errors = try Self.errors(ported.text, folder: folder, isApple: isApple)
      #expect(errors.isEmpty, "\(errors)")
    }
  }
}
