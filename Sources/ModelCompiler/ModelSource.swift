import Foundation
import StrataFormats
import StrataModelSource

/// A model of the target in Xcode's format, with all its versions.
struct ModelSource {
  /// The name that programs use: that of its folder.
  let name: String
  /// Whether the folder is the model's only version.
  let isSingle: Bool
  /// The current version.
  private(set) var current: Version
  /// The other versions, which older stores were written with.
  private(set) var older: [Version] = []

  struct Version {
    let name: String
    var document: ModelDocument
  }

  /// A model with one version.
  init(name: String, document: ModelDocument) {
    (self.name, isSingle, current) = (name, true, Version(name: name, document: document))
  }

  /// Reads a folder `Name.xcdatamodeld` or `Name.xcdatamodel`.
  init(at path: String) throws(FileFormatError) {
    let url = URL(fileURLWithPath: path)
    name = url.deletingPathExtension().lastPathComponent
    isSingle = url.pathExtension == "xcdatamodel"
    if isSingle {
      current = Version(name: name, document: try Self.document(at: url))
      return
    }
    let members = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let names = members.filter { $0.hasSuffix(".xcdatamodel") }.map { String($0.dropLast(".xcdatamodel".count)) }
      .sorted()
    guard !names.isEmpty else {
      throw FileFormatError(file: path, "expected a version of a model: an .xcdatamodel folder")
    }
    let file = FileManager.default.contents(atPath: "\(path)/.xccurrentversion")
    let currentName = file.flatMap { CurrentVersion.name(in: Array($0)) } ?? (names.count == 1 ? names[0] : nil)
    guard let currentName else {
      throw FileFormatError(
        file: path, "none of the versions \(names.joined(separator: ", ")) is marked as current")
    }
    var found: Version?
    for versionName in names {
      let folder = url.appendingPathComponent("\(versionName).xcdatamodel")
      let version = Version(name: versionName, document: try Self.document(at: folder))
      if versionName == currentName { found = version } else { older.append(version) }
    }
    guard let found else { throw FileFormatError(file: path, "the current version \(currentName) does not exist") }
    current = found
  }

  private static func document(at version: URL) throws(FileFormatError) -> ModelDocument {
    let file = version.appendingPathComponent("contents").path
    guard let data = FileManager.default.contents(atPath: file) else {
      throw FileFormatError(
        file: file, "cannot read the file; if this is a model from Xcode 3, open it once in a newer version of Xcode")
    }
    return try ModelDocument(contents: Array(data), file: file)
  }

  /// Qualifies class names that have no module.
  /// - Parameter module: returns the module that declares an entity's class.
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
  /// The class's Swift name, without its module.
  var className: String {
    guard let name = representedClassName, let last = name.split(separator: ".").last else { return "NSManagedObject" }
    return String(last)
  }

  /// Whether the entity has a custom class.
  var hasClass: Bool { className != "NSManagedObject" }
}
