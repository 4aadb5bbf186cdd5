import Foundation

/// The Swift sources and the names in the models below a folder.
struct SourceFolder {
  /// The paths of the sources, sorted.
  private(set) var sources: [String] = []
  private(set) var modelNames: Set<String> = []

  init(_ path: String) {
    let paths = FileManager.default.enumerator(atPath: path)
    let prefix = path == "." ? "" : path.hasSuffix("/") ? path : path + "/"
    while let name = paths?.nextObject() as? String {
      let last = name.split(separator: "/").last.map(String.init) ?? ""
      if Self.isSkipped(last) {
        paths?.skipDescendants()
      } else if last.hasSuffix(".swift"), !Self.isManifest(last) {
        sources.append(prefix + name)
      } else if name.hasSuffix(".xcdatamodel/contents") {
        modelNames.formUnion(Self.names(inModel: prefix + name))
      }
    }
    sources.sort()
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
    guard let place = parts.lastIndex(where: { $0 == "Sources" || $0 == "Tests" }), place + 2 < parts.count else {
      return folder
    }
    return parts[...(place + 1)].joined(separator: "/")
  }
}
