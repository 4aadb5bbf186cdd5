import Foundation
import StrataTestSupport
import Testing

/// `coredata model lint` and `coredata doctor`.
@Suite(.waitsForProcesses) struct ToolLintTests {
  @Test func `lint reports the warnings of Xcode`() throws {
    let tool = try ToolHome()
    let path = try tool.model(
      "Rough",
      [
        (
          "Rough",
          """

          <entity name="Album" isAbstract="YES">
            <attribute name="description" attributeType="String"/>
            <attribute name="count" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>
            <attribute name="fine" optional="YES" attributeType="Integer 16" usesScalarValueType="YES" defaultValueString="0"/>
            <attribute name="cover" optional="YES" attributeType="Transformable"/>
            <attribute name="art" optional="YES" attributeType="Transformable"
              valueTransformerName="NSSecureUnarchiveFromDataTransformer"/>
            <relationship name="next" optional="YES" maxCount="1" deletionRule="No Action" destinationEntity="Album"/>
            <unknown/>
          </entity>
          """
        )
      ])
    let (status, lines, errors) = try tool.run("model", "lint", path)
    #expect(status == 1, "\(errors)")
    let file = "\(path)/Rough.xcdatamodel/contents"
    let texts = lines.map { $0.replacingOccurrences(of: "\(file):", with: "") }
    for (line, text) in [
      (3, "Album is abstract and has no children"), (4, "Album.description has the name of a method"),
      (5, "Album.count is an optional scalar"), (7, "Album.cover has no secure transformer"),
      (10, "Album.next should have an inverse"), (10, "Album.next has the delete rule No Action"), (11, "unknown"),
    ] {
      #expect(texts.contains { $0.hasPrefix("\(line): warning: ") && $0.contains(text) }, "\(line) \(text) in \(texts)")
    }
    #expect(lines.count == 7, "\(lines)")
    let report = try tool.json("model", "lint", path)
    #expect((report["warnings"] as? [[String: Any]])?.compactMap { $0["line"] as? Int } == [3, 4, 5, 7, 10, 10, 11])
    let clean = try tool.run("model", "lint", try tool.library())
    #expect(clean.status == 0 && clean.lines.isEmpty, "\(clean)")
  }

  @Test func `doctor finds no problem in an intact store`() throws {
    let everything = try EverythingStore()
    let report = try everything.tool.json("doctor", everything.store.path)
    let checks = try #require(report["checks"] as? [[String: Any]])
    #expect(report["ok"] as? Bool == true && checks.allSatisfy { $0["finding"] is String }, "\(checks)")
    let names = Set(checks.compactMap { $0["name"] as? String })
    for name in ["sqlite", "inotify instances", "inotify watches", "file system", "folder", "space", "store", "file"] {
      #expect(names.contains(name), "\(names)")
    }
    #expect(try everything.tool.run("doctor").lines.contains { $0.contains("SQLite 3.") })
  }

  @Test func `doctor reports a linked lock file and files that are not stores`() throws {
    let everything = try EverythingStore()
    let tool = everything.tool
    let lock = everything.store.path + "-turn"
    try FileManager.default.removeItem(atPath: lock)
    try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: "/dev/null")
    let (status, lines, errors) = try tool.run("doctor", everything.store.path)
    #expect(
      status == 1 && lines.contains { $0.hasPrefix("fail") && $0.contains("symbolic link") }, "\(lines) \(errors)")
    #expect(try tool.run("doctor", tool.path("none.sqlite")).status == 3)
    let text = try tool.home.write("notes.txt", "no store")
    #expect(try tool.run("doctor", text).lines.contains { $0.contains("is not an SQLite database") })
  }
}
