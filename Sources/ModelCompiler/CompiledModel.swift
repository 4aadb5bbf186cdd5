import Foundation
import StrataFormats
import StrataModelSource

/// A compiled model of the target: the bytes of each version.
struct CompiledModel {
  let name: String
  /// Whether it is a single, unversioned model, compiled to one file.
  let isSingle: Bool
  private(set) var versions: [Version] = []
  /// Warnings about ignored parts of the model.
  private(set) var warnings: [ModelWarning] = []

  struct Version {
    var name: String
    var isCurrent: Bool
    var bytes: [UInt8]
    /// The version hashes of the entities; nil if one depends on how an expression is parsed.
    var hashes: [String: [UInt8]]?
  }

  init(_ source: ModelSource, module: String) throws {
    name = source.name
    isSingle = source.isSingle
    for version in [source.current] + source.older {
      var assembly = ModelAssembly(version.document, module: module)
      let hashes = version.document.hashes()
      let bytes = try assembly.archive(hashes: hashes)
      warnings += version.document.warnings + assembly.warnings
      let isComplete = version.document.composites.isEmpty && hashes.count == version.document.entities.count
      versions.append(
        Version(
          name: version.name, isCurrent: version.name == source.current.name, bytes: bytes,
          hashes: isComplete ? hashes : nil))
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
    func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
    func text(_ text: String) -> String { "<string>\(Self.escaped(text))</string>" }
    var entries = [(key: "NSManagedObjectModel_CurrentVersionName", value: text(versions[0].name))]
    let hashes = sorted.compactMap { version in version.hashes.map { (name: version.name, hashes: $0) } }
    // Without all of them, readers compute them.
    if hashes.count == sorted.count {
      let checksums = hashes.map { name, hashes in (key: name, value: text(base64(VersionHash.checksum(of: hashes)))) }
      entries.append((key: "NSManagedObjectModel_VersionChecksums", value: dictionary(checksums)))
      let lists = hashes.map { name, hashes in
        let sorted = hashes.sorted { $0.key < $1.key }
        return (key: name, value: dictionary(sorted.map { ($0.key, "<data>\(base64($0.value))</data>") }))
      }
      entries.append((key: "NSManagedObjectModel_VersionHashes", value: dictionary(lists)))
    }
    let list = dictionary(entries)
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
