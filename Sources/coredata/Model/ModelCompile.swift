#if DeveloperTool
import ArgumentParser
import CoreData
import Foundation
import StrataManagedModel

/// `coredata model compile`: compiles a model to the format of Apple's compiler.
struct ModelCompile: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile", abstract: "Compile a model: .xcdatamodeld to .momd, .xcdatamodel to .mom.",
    discussion: """
      Writes keyed archives as Apple's compiler does. Their format is unknown for composite attributes, indexes of \
      expressions, and some predicate operators: a version that contains one is written in Strata's own format, which \
      only Strata reads, and its path is printed.
      """)

  @Argument(help: ArgumentHelp("The model's folder.", valueName: "in"))
  var input: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The .momd or .mom to write; by default in the current folder.", valueName: "out"))
  var output: String?

  @Option(help: "The module that a leading dot in a class name stands for; by default the dot is dropped.")
  var module: String?

  func run() throws {
    let url = try ModelLocation.url(input)
    let folder = try ModelFolder(at: url)
    let isSingle = folder.versions.first?.url == url
    let name = url.deletingPathExtension().lastPathComponent
    let target = URL(fileURLWithPath: output ?? "\(name).\(isSingle ? "mom" : "momd")")
    let versions = try folder.versions.map { try CompiledVersion($0.name, url: $0.url, module: module) }
    guard let current = folder.currentName else {
      throw ToolFailure(.unusable, "'\(input)' has no current version: name one in .xccurrentversion")
    }
    do {
      if isSingle, let version = versions.first {
        try version.bytes.write(to: target, options: .atomic)
      } else {
        try Self.write(versions, current: current, to: target)
      }
    } catch {
      throw ToolFailure(.unusable, "cannot write '\(target.path)': \(error)")
    }
  }

  /// Writes the folder atomically.
  private static func write(_ versions: [CompiledVersion], current: String, to target: URL) throws {
    let manager = FileManager.default
    let new = target.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).momd")
    defer { try? manager.removeItem(at: new) }
    try manager.createDirectory(at: new, withIntermediateDirectories: false)
    for version in versions { try version.bytes.write(to: new.appendingPathComponent("\(version.name).mom")) }
    let info: [String: Any] = [
      "NSManagedObjectModel_CurrentVersionName": current,
      "NSManagedObjectModel_VersionHashes": Dictionary(uniqueKeysWithValues: versions.map { ($0.name, $0.hashes) }),
      "NSManagedObjectModel_VersionChecksums": Dictionary(
        uniqueKeysWithValues: versions.map { ($0.name, $0.checksum) }),
    ]
    let list = try PropertyListSerialization.data(fromPropertyList: info, format: .binary, options: 0)
    try list.write(to: new.appendingPathComponent("VersionInfo.plist"))
    if manager.fileExists(atPath: target.path) { try manager.removeItem(at: target) }
    try manager.moveItem(at: new, to: target)
  }
}

/// A model version in Apple's compiled format, or in Strata's own if Apple's cannot represent it.
private struct CompiledVersion {
  let name: String
  let bytes: Data
  let hashes: [String: Data]
  let checksum: String

  /// - Throws: `ToolFailure` for a model that cannot be archived at all.
  init(_ name: String, url: URL, module: String?) throws {
    self.name = name
    let model = NSManagedObjectModel()
    for warning in try model.read(url, module: module) { Console.printError("\(warning)") }
    do throws(ModelArchiveError) {
      bytes = Data(try Self.bytes(of: model, name))
    } catch {
      throw ToolFailure(.unusable, "cannot compile the version '\(name)': \(error)")
    }
    hashes = model.entityVersionHashesByName
    checksum = model.versionChecksum
  }

  private static func bytes(of model: NSManagedObjectModel, _ name: String) throws(ModelArchiveError) -> [UInt8] {
    do throws(ModelArchiveError) { return try model.mom() } catch {
      let bytes = try ModelArchive.bytes(of: model)
      Console.printError("coredata: the version '\(name)' is written in Strata's own format, not Apple's: \(error)")
      return bytes
    }
  }
}
#endif
