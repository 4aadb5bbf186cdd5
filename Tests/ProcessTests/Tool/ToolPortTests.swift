import Foundation
import StrataTestSupport
import Testing

/// `coredata port`.
@Suite(.waitsForProcesses) struct ToolPortTests {
  private static let source = """
    import UIKit

    @objc(Writer) class Writer: NSManagedObject {
      static let key = #keyPath(Writer.name)
      static let action = #selector(Writer.write)
    }

    """
  private static let ported = """
    import CoreData
    #if canImport(UIKit)
    import UIKit
    #endif

    #if canImport(ObjectiveC)
    @objc(Writer)
    #endif
    class Writer: NSManagedObject {
      static let key = "name"
      static let action = #selector(Writer.write)
    }

    """

  private static let reason = #"warning: #selector needs Objective-C; pass a closure (see "Objective-C")"#

  private func write(_ text: String, _ name: String, in home: ToolHome) throws -> String {
    let url = home.home.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  @Test func `port prints the changes and the places that need manual changes`() throws {
    let home = try ToolHome()
    let path = try write(Self.source, "Sources/Library/Writer.swift", in: home)
    let (status, lines, errors) = try home.run("port", home.path("Sources"))
    #expect(status == 1)
    #expect(lines.starts(with: ["--- a\(path)", "+++ b\(path)", "@@ -1,6 +1,12 @@", "+import CoreData"]), "\(lines)")
    #expect(lines.last == "\(path):5: \(Self.reason)")
    #expect(errors.hasPrefix("coredata: 4 changes in 1 file proposed, 1 place needs manual changes; see "))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.source)
  }

  @Test func `port edits the files, once`() throws {
    let home = try ToolHome()
    let path = try write(Self.source, "Writer.swift", in: home)
    let link = home.path("Link.swift")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let first = try home.run("port", "--write", link)
    #expect(first.status == 1 && first.lines == ["\(link):11: \(Self.reason)"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.ported)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)

    let again = try home.run("port", "--write", path)
    #expect(again.lines == ["\(path):11: \(Self.reason)"])
    #expect(again.errors.hasPrefix("coredata: 0 changes in 0 files made"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.ported)
  }

  @Test func `port exits with 0 when nothing needs a change`() throws {
    let home = try ToolHome()
    let path = try write("import CoreData\nlet key = #keyPath(Book.isLent)\n", "Book.swift", in: home)
    _ = try home.model("Library", [("Library", "<entity name=\"Book\"><attribute name=\"isLent\"/></entity>")])
    #expect(try home.run("port", "--write", path).status == 0)
    #expect(try home.run("port", path).status == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "import CoreData\nlet key = \"isLent\"\n")
  }

  @Test func `port reports as JSON`() throws {
    let home = try ToolHome()
    let path = try write(Self.source, "Writer.swift", in: home)
    let report = try home.json("port", path)
    let remark = try #require((report["remarks"] as? [[String: Any]])?.first)
    #expect(remark["line"] as? Int == 5 && remark["section"] as? String == "Objective-C")
    let file = try #require((report["files"] as? [[String: Any]])?.first)
    #expect(file["path"] as? String == path)
    #expect((file["changes"] as? [String: Int])?.values.reduce(0, +) == 4)
  }

  @Test func `each folder in Sources is a module`() throws {
    let home = try ToolHome()
    let text = "import CoreData\nlet expression = NSExpression(forKeyPath: a)\n"
    for name in ["A/One.swift", "A/Two.swift", "B/Three.swift"] {
      _ = try write(text, "Package/Sources/" + name, in: home)
    }
    _ = try write(Self.source, "Package/.build/Other.swift", in: home)
    _ = try write("@objc class A {}", "Package/Package.swift", in: home)
    let report = try home.json("port", home.path("Package"))
    let paths = (report["files"] as? [[String: Any]])?.compactMap { $0["path"] as? String }
    #expect(paths == ["A/One.swift", "B/Three.swift"].map { home.path("Package/Sources/" + $0) })
  }

  @Test func `port refuses a missing path`() throws {
    let home = try ToolHome()
    #expect(try home.run("port", home.path("None")).status == 3)
    #expect(try home.run("port").status == 2)
  }

  @Test func `port refuses paths without Swift sources`() throws {
    let home = try ToolHome()
    let text = try write("import UIKit", "Empty/Notes.txt", in: home)
    _ = try write(Self.source, "Empty/Package.swift", in: home)
    for path in [text, home.path("Empty")] {
      let (status, lines, errors) = try home.run("port", path)
      #expect(status == 3 && lines.isEmpty)
      #expect(errors == "coredata: No Swift sources in '\(path)'\n")
    }
  }

  @Test func `the diff can be applied in the working directory`() throws {
    let home = try ToolHome()
    let path = try write(Self.source, "Package/My Writer.swift", in: home)
    let folder = home.path("Package")
    let tool = try Program(
      "env", ["-C", folder, Program.file("coredata").path, "port", "My Writer.swift"], home: home.home.url,
      file: URL(fileURLWithPath: "/usr/bin/env"))
    #expect(tool.status() == 1)
    try apply(tool.lines, in: folder, home)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.ported)
  }

  @Test func `the diff of files outside of the working directory can be applied in the root`() throws {
    let home = try ToolHome()
    let path = try write(Self.source, "Writer.swift", in: home)
    try apply(home.run("port", path).lines, in: "/", home)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.ported)
  }

  private func apply(_ lines: [String], in folder: String, _ home: ToolHome) throws {
    let patch = try write(lines.joined(separator: "\n") + "\n", "changes.patch", in: home)
    let git = Process()
    git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    git.arguments = ["git", "apply", patch]
    git.currentDirectoryURL = URL(fileURLWithPath: folder, isDirectory: true)
    try git.run()
    git.waitUntilExit()
    #expect(git.terminationStatus == 0)
  }
}
