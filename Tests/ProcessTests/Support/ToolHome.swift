import Foundation

/// A home with model files, in which the developer tool runs.
final class ToolHome: Sendable {
  let home: Home

  init() throws { home = try Home() }

  /// Runs the tool to completion.
  func run(_ arguments: String...) throws -> (status: Int32?, lines: [String], errors: String) {
    try run(arguments: arguments)
  }

  /// Runs the tool to completion.
  func run(arguments: [String]) throws -> (status: Int32?, lines: [String], errors: String) {
    let program = try Program("coredata", arguments, home: home.url)
    let status = program.status()
    return (status, program.lines, program.errorText)
  }

  /// The tool's JSON output.
  func json(_ arguments: String..., variables: [String: String] = [:]) throws -> [String: Any] {
    let program = try Program("coredata", arguments + ["--json"], home: home.url, variables: variables)
    _ = program.status()
    let text = Data(program.lines.joined(separator: "\n").utf8)
    return try JSONSerialization.jsonObject(with: text) as? [String: Any] ?? [:]
  }

  /// Writes a model whose last version is the current one, and returns its path.
  func model(_ name: String, _ versions: [(name: String, entities: String)]) throws -> String {
    let folder = home.url.appendingPathComponent("\(name).xcdatamodeld")
    for version in versions {
      let versionFolder = folder.appendingPathComponent("\(version.name).xcdatamodel")
      try FileManager.default.createDirectory(at: versionFolder, withIntermediateDirectories: true)
      let text = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\(version.entities)</model>
        """
      try text.write(to: versionFolder.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
    }
    let current = """
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>\(versions.last?.name ?? "").xcdatamodel</string></dict></plist>
      """
    try current.write(to: folder.appendingPathComponent(".xccurrentversion"), atomically: true, encoding: .utf8)
    return folder.path
  }

  func path(_ name: String) -> String { home.url.appendingPathComponent(name).path }

  /// A library model with two versions: books get an author, lose their shelf, and their title is renamed to name.
  func library() throws -> String {
    try model(
      "Library",
      [
        (
          "Library 1",
          """
          <entity name="Book" representedClassName="Book" syncable="YES" codeGenerationType="class">
            <attribute name="shelf" optional="YES" attributeType="String"/>
            <attribute name="pages" attributeType="Integer 32" defaultValueString="0" usesScalarValueType="YES"/>
            <attribute name="title" attributeType="String"/>
          </entity>
          """
        ),
        (
          "Library 2",
          """
          <entity name="Author" representedClassName="Author" syncable="YES" codeGenerationType="class">
            <attribute name="name" attributeType="String"/>
            <relationship name="books" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Book"
              inverseName="author" inverseEntity="Book"/>
          </entity>
          <entity name="Book" representedClassName="Book" syncable="YES">
            <attribute name="name" attributeType="String" elementID="title"/>
            <attribute name="pages" attributeType="Integer 32" defaultValueString="0" usesScalarValueType="YES"/>
            <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Author"
              inverseName="books" inverseEntity="Author"/>
          </entity>
          """
        ),
      ])
  }
}
