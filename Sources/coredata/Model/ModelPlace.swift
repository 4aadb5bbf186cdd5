import ArgumentParser
import CoreData
import Foundation
import StrataFileFormats
import StrataManagedModel
import StrataModelFiles
import StrataRowStore
import StrataSQLStore

/// Which model a command is about.
struct ModelOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The model, or a store that keeps one.", valueName: "path"))
  var path: String

  @Option(help: "The version of a model that has several; the current one if none is named.")
  var version: String?

  /// - Throws: `Failure`, `FileFormatError` or `StoreError` for what is no model.
  func place() throws -> ModelPlace { try ModelPlace(path, version: version) }
}

/// A model that a command was given: where it lies and which version of it is meant.
struct ModelPlace {
  /// The name of the file or folder, without its extension.
  let name: String
  let version: String
  /// The names of all versions; one of a file or folder that holds one version, none of a store.
  let versions: [String]
  let model: NSManagedObjectModel

  /// Reads the model at a place; what in it could not be used is said on standard error.
  init(_ path: String, version: String? = nil) throws {
    let url = try Self.url(path)
    name = url.deletingPathExtension().lastPathComponent
    if Self.isStore(url) {
      (model, self.version, versions) = (try Self.model(keptBy: url), "", [])
      return
    }
    let folder = try ModelFolder(at: url)
    let place = try Self.version(version, of: folder, url)
    let model = NSManagedObjectModel()
    for warning in try model.read(place.url) { Console.complain("\(warning)") }
    (self.model, self.version, versions) = (model, place.name, folder.versions.map(\.name))
  }

  /// - Throws: status 3 for a place where nothing is.
  static func url(_ path: String) throws -> URL {
    guard FileManager.default.fileExists(atPath: path) else {
      throw Failure(.missing, "there is no file or folder '\(path)'")
    }
    return URL(fileURLWithPath: path)
  }

  /// Whether a file is an SQLite database. See https://sqlite.org/fileformat.html#magic_header_string
  static func isStore(_ url: URL) -> Bool {
    guard let file = try? FileHandle(forReadingFrom: url) else { return false }
    defer { try? file.close() }
    return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
  }

  private static func version(
    _ name: String?, of folder: ModelFolder, _ url: URL
  ) throws -> (name: String, url: URL) {
    let names = folder.versions.map(\.name).joined(separator: ", ")
    guard let name = name ?? folder.currentName else {
      throw Failure(.usage, "'\(url.path)' does not say which version is current: name one of \(names) with --version")
    }
    guard let version = folder.versions.first(where: { $0.name == name }) else {
      throw Failure(.missing, "'\(url.path)' has no version '\(name)', only \(names)")
    }
    return version
  }

  private static func model(keptBy url: URL) throws -> NSManagedObjectModel {
    guard let (model, warnings) = try StoreInspector.keptModel(at: url) else {
      throw Failure(.unusable, "the store '\(url.path)' keeps no copy of its model: name the model's file")
    }
    for warning in warnings { Console.complain("\(warning)") }
    return model
  }
}
