import Foundation
import StrataFileFormats
import StrataManagedModel
import StrataManagedSources
import StrataModelFiles

/// A model of the target, as Xcode edits it, with all its versions.
struct ModelSource {
  /// What programs call the model: the name of its folder.
  let name: String
  /// Whether the folder is the model's only version.
  let isSingle: Bool
  /// The one that is in use.
  private(set) var current: Version
  /// Those that older stores were written with.
  private(set) var older: [Version] = []

  struct Version {
    let name: String
    var document: ModelDocument
  }

  /// A model of one version.
  init(name: String, document: ModelDocument) {
    (self.name, isSingle, current) = (name, true, Version(name: name, document: document))
  }

  /// Reads a folder `Name.xcdatamodeld` or `Name.xcdatamodel`.
  init(at path: String) throws(FileFormatError) {
    let url = URL(fileURLWithPath: path)
    let folder = try ModelFolder(at: url)
    guard let currentName = folder.currentName else {
      throw FileFormatError(
        file: path, "none of the versions \(folder.versions.map(\.name).joined(separator: ", ")) is said to be current")
    }
    name = url.deletingPathExtension().lastPathComponent
    isSingle = url.pathExtension == "xcdatamodel"
    var found: Version?
    for (versionName, place) in folder.versions {
      let version = Version(name: versionName, document: try Self.document(at: place))
      if versionName == currentName { found = version } else { older.append(version) }
    }
    guard let found else { throw FileFormatError(file: path, "the current version \(currentName) is not there") }
    current = found
  }

  private static func document(at version: URL) throws(FileFormatError) -> ModelDocument {
    let file = version.appendingPathComponent("contents").path
    guard let data = FileManager.default.contents(atPath: file) else {
      throw FileFormatError(
        file: file, "the file cannot be read: a model of Xcode 3 has none, open it in a newer Xcode once")
    }
    return try ModelDocument(contents: Array(data), file: file)
  }

  /// Gives classes that are named without a module the one in which they are declared.
  /// - Parameter module: answers the module of a class.
  mutating func nameClasses(_ module: (ModelDocument.Entity) -> String?) {
    Self.nameClasses(in: &current.document, module)
    for index in older.indices { Self.nameClasses(in: &older[index].document, module) }
  }

  private static func nameClasses(in document: inout ModelDocument, _ module: (ModelDocument.Entity) -> String?) {
    for index in document.entities.indices {
      let entity = document.entities[index]
      guard let name = entity.representedClassName, !name.contains("."), let module = module(entity) else { continue }
      document.entities[index].representedClassName = "\(module).\(name)"
    }
  }
}

extension ModelDocument.Entity {
  /// The class in Swift, without its module.
  var className: String {
    guard let name = representedClassName, let last = name.split(separator: ".").last else { return "NSManagedObject" }
    return String(last)
  }

  /// Whether the entity has a class of its own.
  var hasClass: Bool { className != "NSManagedObject" }
}
