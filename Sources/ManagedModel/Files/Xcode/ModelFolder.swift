import Foundation
import StrataFormats
import StrataModelSource
import StrataSupport

/// The location of a model: one version in a file or folder, or several in a folder with a current one.
///
///     Name.momd           VersionInfo.plist, <version>.mom …         compiled by Apple's tools
///     Name.mom            a single version, compiled
///     Name.xcdatamodeld   .xccurrentversion, <version>.xcdatamodel … as Xcode edits it
///     Name.xcdatamodel    contents                                   a single version, as Xcode edits it
package struct ModelFolder {
  /// The versions, sorted by name.
  package private(set) var versions: [(name: String, url: URL)] = []
  /// The name of the current version.
  package private(set) var currentName: String?

  /// Opens the folder, or the single version, at a location.
  /// - Throws: a `FileFormatError` for a location without a file, or a folder without a version.
  package init(at url: URL) throws(FileFormatError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw FileFormatError(file: url.path, "the file does not exist")
    }
    let members = isFolder.boolValue ? Self.members(of: url) : []
    let name = url.deletingPathExtension().lastPathComponent
    if !isFolder.boolValue || members.contains("contents") || members.contains("elements") {
      versions = [(name, url)]
      currentName = name
      return
    }
    for member in members where member.hasSuffix(".mom") || member.hasSuffix(".xcdatamodel") {
      let version = url.appendingPathComponent(member)
      versions.append((version.deletingPathExtension().lastPathComponent, version))
    }
    versions.sort { $0.name < $1.name }
    guard !versions.isEmpty else {
      throw FileFormatError(file: url.path, "expected a version of a model: a .mom file or an .xcdatamodel folder")
    }
    currentName = Self.currentName(of: url, members) ?? (versions.count == 1 ? versions[0].name : nil)
  }

  private static func members(of url: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  /// Returns the contents of `VersionInfo.plist` or `.xccurrentversion`.
  private static func currentName(of url: URL, _ members: [String]) -> String? {
    if members.contains(".xccurrentversion") {
      let file = url.appendingPathComponent(".xccurrentversion")
      let data = try? FileContents.read(file.path, limit: FileContents.sourceLimit)
      return data.flatMap { CurrentVersion.name(in: Array($0)) }
    }
    return versionInfo(of: url)?["NSManagedObjectModel_CurrentVersionName"] as? String
  }

  /// Returns a compiled folder's information about its versions.
  static func versionInfo(of url: URL) -> [String: Any]? {
    let file = url.appendingPathComponent("VersionInfo.plist").path
    guard let data = try? FileContents.read(file, limit: FileContents.sourceLimit) else { return nil }
    return try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
  }

  /// Returns the location of the current version.
  func current(in url: URL) throws(FileFormatError) -> URL {
    guard let name = currentName else {
      throw FileFormatError(
        file: url.path, "none of the versions \(versions.map(\.name).joined(separator: ", ")) is marked as current")
    }
    guard let version = versions.first(where: { $0.name == name }) else {
      throw FileFormatError(file: url.path, "the current version \(name) does not exist")
    }
    return version.url
  }
}

extension NSManagedObjectModel {
  /// Reads a file, or a folder of a single version, into an empty model.
  /// - Parameter module: the module that a leading dot in a class name stands for; if nil, the dot is dropped.
  package func read(_ url: URL, module: String? = nil) throws(FileFormatError) -> [ModelWarning] {
    let contents = url.appendingPathComponent("contents")
    let isSource = FileManager.default.fileExists(atPath: contents.path)
    let file = isSource ? contents : url
    if !isSource, FileManager.default.fileExists(atPath: url.appendingPathComponent("elements").path) {
      throw FileFormatError(
        file: url.path, "the model is in the form of Xcode 3: open it in a newer Xcode once, which writes \"contents\"")
    }
    let bytes = Array(try FileContents.ofSource(file.path))
    if bytes.starts(with: ModelArchive.magic) { return try readArchive(bytes, file: file.path) }
    if bytes.starts(with: Array("bplist".utf8)) {
      if let own = Self.ownArchive(bytes) { return try readArchive(own, file: file.path) }
      return try ArchivedModel(bytes, file: file.path, into: self).warnings
    }
    return try ModelDocument(contents: bytes, file: file.path).fill(self, module: module)
  }

  private func readArchive(_ bytes: [UInt8], file: String) throws(FileFormatError) -> [ModelWarning] {
    do throws(ModelArchiveError) {
      return try ModelArchive.read(bytes, into: self).map { ModelWarning(file: file, $0) }
    } catch {
      throw FileFormatError(file: file, "\(error)")
    }
  }

  /// Returns the bytes written by `encode(with:)`, if a property list is a program's archive of a model.
  private static func ownArchive(_ bytes: [UInt8]) -> [UInt8]? {
    guard let archive = KeyedArchive(bytes), let root = archive.object(archive.root) else { return nil }
    guard case .plain(.data(let data)) = root.object(archiveKey)?["NS.data"] ?? root[archiveKey] else { return nil }
    return Array(data)
  }
}
