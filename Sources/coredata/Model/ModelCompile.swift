import ArgumentParser
import CoreData
import Foundation
import StrataManagedModel
import StrataModelFiles

/// `coredata model compile`: a model in the form that Apple's compiler gives it.
struct ModelCompile: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile", abstract: "Compile a model: .xcdatamodeld to .momd, .xcdatamodel to .mom.",
    discussion: """
      Writes keyed archives as Apple's compiler does. Their form is not known for composite attributes, indexes of \
      expressions, and some operators of predicates: a version with one of those is written in the form of Strata, \
      which Strata alone reads, and its place is said.
      """)

  @Argument(help: ArgumentHelp("The model's folder.", valueName: "in"))
  var input: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The .momd or .mom to write; in the current folder if it is not named.", valueName: "out"))
  var output: String?

  @Option(help: "The module that a leading dot of a class name stands for; without it the dot is dropped.")
  var module: String?

  func run() throws {
    let url = try ModelPlace.url(input)
    let folder = try ModelFolder(at: url)
    let isSingle = folder.versions.first?.url == url
    let name = url.deletingPathExtension().lastPathComponent
    let target = URL(fileURLWithPath: output ?? "\(name).\(isSingle ? "mom" : "momd")")
    let versions = try folder.versions.map { try CompiledVersion($0.name, $0.url, module: module) }
    guard let current = folder.currentName else {
      throw Failure(.unusable, "'\(input)' does not say which version is current: name one in .xccurrentversion")
    }
    do {
      if isSingle, let version = versions.first {
        try version.bytes.write(to: target, options: .atomic)
      } else {
        try Self.write(versions, current, to: target)
      }
    } catch {
      throw Failure(.unusable, "cannot write '\(target.path)': \(error)")
    }
  }

  /// The folder is there whole or not at all.
  private static func write(_ versions: [CompiledVersion], _ current: String, to target: URL) throws {
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

/// A version of a model in Apple's compiled form, or in Strata's where that is not known.
private struct CompiledVersion {
  let name: String
  let bytes: Data
  let hashes: [String: Data]
  let checksum: String

  /// - Throws: `Failure` for what has no archive at all.
  init(_ name: String, _ url: URL, module: String?) throws {
    self.name = name
    let model = NSManagedObjectModel()
    for warning in try model.read(url, module: module) { Console.complain("\(warning)") }
    do throws(ModelArchiveError) {
      bytes = Data(try Self.bytes(of: model, name))
    } catch {
      throw Failure(.unusable, "cannot compile the version '\(name)': \(error)")
    }
    hashes = model.entityVersionHashesByName
    checksum = model.versionChecksum
  }

  private static func bytes(of model: NSManagedObjectModel, _ name: String) throws(ModelArchiveError) -> [UInt8] {
    do throws(ModelArchiveError) { return try model.mom() } catch {
      let bytes = try ModelArchive.bytes(of: model)
      Console.complain("coredata: the version '\(name)' is written in Strata's own form, not Apple's: \(error)")
      return bytes
    }
  }
}
