import Foundation
import StrataFileFormats
import StrataManagedModel
import StrataModelFiles

/// A compiled model of the target: the bytes of each version.
struct CompiledModel {
  let name: String
  /// Whether it is a single, unversioned model, compiled to one file.
  let isSingle: Bool
  private(set) var versions: [Version] = []
  /// What in the model was ignored.
  private(set) var warnings: [ModelWarning] = []

  struct Version {
    var name: String
    var isCurrent: Bool
    var bytes: [UInt8]
    var hashes: [String: Data]
    var checksum: String
  }

  init(_ source: ModelSource, module: String) throws {
    name = source.name
    isSingle = source.isSingle
    for version in [source.current] + source.older {
      let (model, found) = try version.document.makeModel(module: module)
      warnings += found
      let hashes = model.entityVersionHashesByName
      versions.append(
        Version(
          name: version.name, isCurrent: version.name == source.current.name, bytes: try ModelArchive.bytes(of: model),
          hashes: hashes, checksum: NSManagedObjectModel.checksum(of: hashes)))
    }
  }

  /// The files of the model in a bundle by relative path, named as Apple's compiler names them.
  var files: [String: Data] {
    if isSingle { return ["\(name).mom": Data(versions[0].bytes)] }
    var files: [String: Data] = [:]
    for version in versions { files["\(name).momd/\(version.name).mom"] = Data(version.bytes) }
    files["\(name).momd/VersionInfo.plist"] = Data(versionInfo.utf8)
    return files
  }

  // Formatted here, because Foundation's key order differs between runs, and the build compares files.
  private var versionInfo: String {
    let sorted = versions.sorted { $0.name < $1.name }
    func dictionary(_ pairs: [(key: String, value: String)]) -> String {
      "<dict>\(pairs.map { "<key>\(Self.escaped($0.key))</key>\($0.value)" }.joined(separator: "\n"))</dict>"
    }
    func text(_ text: String) -> String { "<string>\(Self.escaped(text))</string>" }
    let hashes = sorted.map { version in
      let data = version.hashes.sorted { $0.key < $1.key }.map { name, hash in
        (key: name, value: "<data>\(hash.base64EncodedString())</data>")
      }
      return (key: version.name, value: dictionary(data))
    }
    let list = dictionary([
      ("NSManagedObjectModel_CurrentVersionName", text(versions[0].name)),
      ("NSManagedObjectModel_VersionChecksums", dictionary(sorted.map { ($0.name, text($0.checksum)) })),
      ("NSManagedObjectModel_VersionHashes", dictionary(hashes)),
    ])
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(list)</plist>\n"
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { $0 += $1 == "&" ? "&amp;" : $1 == "<" ? "&lt;" : String($1) }
  }
}

/// A mapping model of the target in Xcode's own format, which programs read directly.
struct CompiledMapping {
  let name: String
  let bytes: Data

  /// Reads a folder `Name.xcmappingmodel`.
  init(at path: String) throws(CompilerError) {
    let url = URL(fileURLWithPath: path)
    name = url.deletingPathExtension().lastPathComponent
    guard let data = FileManager.default.contents(atPath: url.appendingPathComponent("xcmapping.xml").path) else {
      throw CompilerError("cannot read \(path)/xcmapping.xml.")
    }
    bytes = data
  }
}
