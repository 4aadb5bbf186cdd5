import Foundation

/// A model or mapping model embedded in the program, as the file in the main bundle that it would be on Apple's
/// systems.
///
/// The build also copies it to the resources of its target, in the folder `Package_Target.resources` next to the
/// program. If that folder is missing, the file's location in the main bundle represents it: no file exists there, but
/// models and mapping models can be read from such a location.
package struct CarriedFile: Sendable {
  /// Its path in the bundle.
  package let path: String
  package let module: String
  let base64: StaticString

  package var bytes: [UInt8] { Self.bytes(base64) }

  static func bytes(_ base64: StaticString) -> [UInt8] {
    Data(base64Encoded: base64.withUTF8Buffer { Data(buffer: $0) }).map(Array.init) ?? []
  }

  private static var all: [CarriedFile] { EmbeddedModels.files + EmbeddedMappings.files }

  /// Returns the locations of files of a type, in a folder of the main bundle; by name, or all.
  static func urls(_ name: String?, type: String, in folder: String?) -> [URL] {
    let found = all.filter { file in
      let path = file.path as NSString
      return path.pathExtension == type && path.deletingLastPathComponent == folder ?? ""
        && (name == nil || (path.lastPathComponent as NSString).deletingPathExtension == name)
    }
    var urls: [URL] = []
    for url in found.map(\.url) where !urls.contains(url) { urls.append(url) }
    return urls
  }

  /// The file in the resources of its target, or its location in the main bundle.
  private var url: URL {
    let main = Self.folder
    let names = (try? FileManager.default.contentsOfDirectory(atPath: main.path)) ?? []
    let resources = names.sorted().filter { name in
      guard name.hasSuffix(".resources") else { return false }
      // A target's name is its module's, except for characters that Swift does not allow.
      let plain = String(name.dropLast(10).map { $0.isLetter || $0.isNumber ? $0 : "_" })
      return plain.hasSuffix("_\(module)")
    }
    let candidates = resources.map { main.appendingPathComponent($0).appendingPathComponent(path) }
    return candidates.first { FileManager.default.fileExists(atPath: $0.path) } ?? main.appendingPathComponent(path)
  }

  /// Returns the file that a location in the main bundle represents; nil if a file exists there, or nothing is embedded
  /// for it.
  package static func at(_ url: URL) -> CarriedFile? {
    let (path, main) = (url.standardizedFileURL.path, folder.standardizedFileURL.path)
    guard path.hasPrefix("\(main)/"), !FileManager.default.fileExists(atPath: path) else { return nil }
    return all.first { $0.path == path.dropFirst(main.count + 1) }
  }

  private static var folder: URL { Bundle.main.resourceURL ?? Bundle.main.bundleURL }
}

/// Queries Foundation first; then, for models and mapping models in the main bundle, the program. A bundle with models
/// in Xcode's format returns those, which can be read as well.
extension Bundle {
  /// Returns the URL of a resource, including a model or a mapping model that is embedded in the program: `Books` with
  /// extension `momd`.
  public func url(forResource name: String, withExtension ext: String) -> URL? {
    let (given, type): (String?, String?) = (name, ext)
    return url(forResource: given, withExtension: type) ?? model(name, type: ext, in: nil)
  }

  /// Returns the URL of a resource in a subdirectory, including a version of an embedded model: `Books 2` with
  /// extension `mom` in `Books.momd`.
  public func url(forResource name: String, withExtension ext: String, subdirectory subpath: String) -> URL? {
    let (given, type, folder): (String?, String?, String?) = (name, ext, subpath)
    return url(forResource: given, withExtension: type, subdirectory: folder) ?? model(name, type: ext, in: subpath)
  }

  /// Returns the URLs of all resources with an extension, including embedded models and mapping models.
  public func urls(forResourcesWithExtension ext: String, subdirectory subpath: String?) -> [URL]? {
    let type: String? = ext
    let found: [URL] = (urls(forResourcesWithExtension: type, subdirectory: subpath) ?? []).map { $0 as URL }
    let carried = self == .main ? CarriedFile.urls(nil, type: ext, in: subpath) : []
    return found + carried.filter { !found.contains($0) }
  }

  /// Returns the path of a resource, including an embedded model or mapping model.
  public func path(forResource name: String, ofType ext: String) -> String? {
    let (given, type): (String?, String?) = (name, ext)
    return path(forResource: given, ofType: type) ?? model(name, type: ext, in: nil)?.path
  }

  /// Returns the paths of all resources of a type, including embedded models and mapping models.
  public func paths(forResourcesOfType ext: String, inDirectory subpath: String?) -> [String] {
    let type: String? = ext
    let found = paths(forResourcesOfType: type, inDirectory: subpath)
    let carried = self == .main ? CarriedFile.urls(nil, type: ext, in: subpath).map(\.path) : []
    return found + carried.filter { !found.contains($0) }
  }

  private func model(_ name: String, type: String, in folder: String?) -> URL? {
    if self == .main, let carried = CarriedFile.urls(name, type: type, in: folder).first { return carried }
    let edited: [String: String] = ["momd": "xcdatamodeld", "mom": "xcdatamodel", "cdm": "xcmappingmodel"]
    guard let edited = edited[type] else { return nil }
    let subpath = folder.map { $0.hasSuffix(".momd") ? "\($0.dropLast(4))xcdatamodeld" : $0 }
    return url(forResource: name as String?, withExtension: edited, subdirectory: subpath)
  }
}
