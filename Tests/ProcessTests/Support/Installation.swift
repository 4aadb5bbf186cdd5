import CoreData
import Foundation
import StrataManagedModel
import StrataQuakes
import Testing

/// A folder with programs of an earlier release, which a newer one can replace.
///
/// The earlier programs are the real ones with another model embedded, of the same size: an attribute may be empty, and an index
/// has another name. So they create stores that the real programs migrate, and that they cannot read afterwards.
struct Installation {
  private let home: Home
  private var folder: URL { home.url.appendingPathComponent("bin") }

  init(_ names: String..., in home: Home) throws {
    self.home = home
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let models = try Self.models()
    for name in names {
      var program = try Data(contentsOf: Program.file(name))
      let range = try #require(program.range(of: models.new))
      program.replaceSubrange(range, with: models.old)
      try program.write(to: file(name))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file(name).path)
    }
  }

  func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

  /// Puts the real programs in the place of the earlier ones, as an installation does.
  func upgrade(_ names: String...) throws {
    for name in names { try replace(name, with: "cp '\(Program.file(name).path)'") }
  }

  /// Puts a script in a program's place.
  func replace(_ name: String, withScript text: String, mode: String = "755") throws {
    try replace(name, with: "cp '\(try home.write("script", "#!/bin/sh\n\(text)\n"))'", mode: mode)
  }

  /// In a process of its own: a file that this process has open for writing would be open in those that it starts.
  private func replace(_ name: String, with copy: String, mode: String = "755") throws {
    let path = file(name).path
    let shell = try Program(
      "sh", ["-c", "\(copy) '\(path).new' && chmod \(mode) '\(path).new' && mv '\(path).new' '\(path)'"],
      home: home.url,
      file: URL(fileURLWithPath: "/bin/sh"))
    #expect(shell.status() == 0, "\(shell.errorText)")
  }

  /// Starts an earlier program.
  func start(_ name: String, _ arguments: String..., input: Data? = nil) throws -> Program {
    try Program(name, arguments, home: home.url, input: input, file: file(name))
  }

  /// Imports a feed, with an earlier program or a real one.
  func fetch(_ feed: String, isEarlier: Bool) throws {
    let program = try Program(
      "quakes-fetch", ["--once", feed], home: home.url, file: isEarlier ? file("quakes-fetch") : nil)
    #expect(program.status() == 0, "\(program.errorText)")
  }

  /// Whether a process runs the file that is installed now.
  func isCurrent(_ name: String, in process: Int32) -> Bool {
    FileIdentity("/proc/\(process)/exe") == FileIdentity(file(name).path)
  }

  /// As the programs carry them.
  private static func models() throws -> (new: Data, old: Data) {
    let new = QuakesContainer(name: StoreLocation.storeName).managedObjectModel
    let old = try #require(new.copy() as? NSManagedObjectModel)
    let quake = try #require(old.entitiesByName["Quake"])
    try #require(quake.attributesByName["standing"]).isOptional = true
    quake.indexes = quake.indexes.map { index in
      index.name == "byLearnt" ? NSFetchIndexDescription(name: "byLearnx", elements: index.elements) : index
    }
    let archives = try [new, old].map { Data(try ModelArchive.bytes(of: $0)).base64EncodedData() }
    try #require(archives[0].count == archives[1].count)
    return (archives[0], archives[1])
  }
}
