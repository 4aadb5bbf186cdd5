import CoreData
import Foundation
import StrataFormats
import StrataManagedModel
import StrataModelSource
import StrataRowStore
import StrataSQLStore
import StrataSupport

/// The location of a model and its selected version.
struct ModelLocation {
  /// The name of the file or folder, without extension.
  let name: String
  let version: String
  /// The names of all versions; one for an unversioned model, none for a store.
  let versions: [String]
  let model: NSManagedObjectModel
  /// Where the version is; nil for a store.
  let url: URL?
  /// The ignored contents.
  let warnings: [ModelWarning]

  /// Reads the model at a path.
  /// - Parameter warns: whether to print on standard error what it ignored.
  init(_ path: String, version: String? = nil, warns: Bool = true) throws {
    let url = try Self.url(path)
    name = url.deletingPathExtension().lastPathComponent
    if Self.isStore(url) {
      (model, warnings) = try Self.model(keptBy: url)
      (self.version, versions, self.url) = ("", [], nil)
      if warns { for warning in warnings { Console.printError("\(warning)") } }
      return
    }
    let folder = try ModelFolder(at: url)
    let location = try Self.version(version, of: folder, at: url)
    let model = NSManagedObjectModel()
    warnings = try model.read(location.url)
    if warns { for warning in warnings { Console.printError("\(warning)") } }
    (self.model, self.version, versions) = (model, location.name, folder.versions.map(\.name))
    self.url = location.url
  }

  /// - Throws: `ToolFailure` with status 3 if there is no such file.
  static func url(_ path: String) throws -> URL {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ToolFailure(.missing, "the file or folder '\(path)' does not exist")
    }
    return URL(fileURLWithPath: path)
  }

  /// Whether a file is an SQLite database. See https://sqlite.org/fileformat.html#magic_header_string
  static func isStore(_ url: URL) -> Bool {
    let magic = Data("SQLite format 3\0".utf8)
    return (try? FileContents.prefix(of: url.path, count: magic.count)) == magic
  }

  private static func version(
    _ name: String?, of folder: ModelFolder, at url: URL
  ) throws -> (name: String, url: URL) {
    let names = folder.versions.map(\.name).joined(separator: ", ")
    guard let name = name ?? folder.currentName else {
      throw ToolFailure(.usage, "'\(url.path)' has no current version: select one of \(names) with --model-version")
    }
    guard let version = folder.versions.first(where: { $0.name == name }) else {
      throw ToolFailure(.missing, "'\(url.path)' has no version '\(name)'; its versions are \(names)")
    }
    return version
  }

  private static func model(keptBy url: URL) throws -> (NSManagedObjectModel, [ModelWarning]) {
    guard let kept = try StoreInspector.keptModel(at: url) else {
      throw ToolFailure(
        .unusable, "the store '\(url.path)' contains no copy of its model: pass the model's file instead")
    }
    return (kept.model, kept.warnings)
  }
}
