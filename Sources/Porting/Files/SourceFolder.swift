import Foundation

/// The Swift sources and the names in the models below a folder.
struct SourceFolder {
  /// The paths of the sources, sorted.
  private(set) var sources: [String] = []
  private(set) var modelNames: Set<String> = []

  /// The first folder whose contents cannot be listed.
  private(set) var unreadable: String?

  init(_ path: String) {
    add(path, prefix: path == "." ? "" : path.hasSuffix("/") ? path : path + "/")
    sources.sort()
  }

  private mutating func add(_ folder: String, prefix: String) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      unreadable = unreadable ?? folder
      return
    }
    for name in names where !Self.isSkipped(name) {
      let path = prefix + name
      if Self.isFolder(path) {
        add(path, prefix: path + "/")
      } else if name.hasSuffix(".swift"), !Self.isManifest(name) {
        sources.append(path)
      } else if path.hasSuffix(".xcdatamodel/contents") {
        modelNames.formUnion(Self.names(inModel: path))
      }
    }
  }

  /// Whether a path is a folder. Links to folders are not followed.
  private static func isFolder(_ path: String) -> Bool {
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type]
    return type as? FileAttributeType == .typeDirectory
  }

  /// Products and packages of others.
  private static func isSkipped(_ name: String) -> Bool {
    name.hasPrefix(".") || ["Pods", "Carthage", "DerivedData", "node_modules"].contains(name)
  }

  private static func isManifest(_ name: String) -> Bool {
    name == "Package.swift" || name.hasPrefix("Package@swift-")
  }

  /// The names of entities, classes and properties.
  private static func names(inModel path: String) -> [String] {
    let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return [" name=\"", " representedClassName=\""].flatMap { attribute in
      text.components(separatedBy: attribute).dropFirst().map { String($0.prefix { $0 != "\"" }) }
    }
  }

  /// The folder of the module that a source is in: the one in `Sources` or `Tests`, or else a given one.
  static func module(ofSource path: String, in folder: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let index = parts.lastIndex(where: { $0 == "Sources" || $0 == "Tests" }), index + 2 < parts.count else {
      return folder
    }
    return parts[...(index + 1)].joined(separator: "/")
  }
}
