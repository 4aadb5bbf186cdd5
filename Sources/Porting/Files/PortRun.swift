import Foundation

/// Sources on disk and what becomes of them.
package struct PortRun {
  package private(set) var files: [PortedFile] = []

  /// Ports the sources at paths, each of a file or a folder.
  package init(paths: [String]) throws(PortError) {
    for path in paths {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw PortError(isMissing: true, message: "'\(path)' does not exist")
      }
      let count = files.count
      if isFolder.boolValue { try addFolder(path) } else if path.hasSuffix(".swift") { try addFile(path) }
      guard files.count > count else { throw PortError(isMissing: true, message: "No Swift sources in '\(path)'") }
    }
  }

  /// Ports the sources of one module, whose models are in a folder.
  package init(sources: [String], folder: String) throws(PortError) {
    try add(sources.sorted(), names: Self.readable(SourceFolder(folder)).modelNames)
  }

  private mutating func addFolder(_ path: String) throws(PortError) {
    let folder = try Self.readable(SourceFolder(path))
    let modules = Dictionary(grouping: folder.sources) { SourceFolder.module(ofSource: $0, in: path) }
    for module in modules.keys.sorted() { try add(modules[module] ?? [], names: folder.modelNames) }
  }

  private static func readable(_ folder: SourceFolder) throws(PortError) -> SourceFolder {
    if let path = folder.unreadable { throw PortError(isMissing: false, message: "cannot read the folder '\(path)'") }
    return folder
  }

  /// The other files of its module decide how a file is ported too. Folders near it that cannot be read may be unrelated.
  private mutating func addFile(_ path: String) throws(PortError) {
    let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let nearest = path.hasPrefix("/") && parent.isEmpty ? "/" : parent.isEmpty ? "." : parent
    let folder = SourceFolder(SourceFolder.module(ofSource: path, in: nearest))
    let own = URL(fileURLWithPath: path).standardizedFileURL
    let others = folder.sources.filter { URL(fileURLWithPath: $0).standardizedFileURL != own }
    try add(others + [path], names: folder.modelNames, only: path)
  }

  private mutating func add(_ paths: [String], names: Set<String>, only onlyPath: String? = nil) throws(PortError) {
    var sources: [(path: String, bytes: [UInt8])] = []
    for path in paths {
      guard let data = FileManager.default.contents(atPath: path) else {
        throw PortError(isMissing: false, message: "cannot read '\(path)'")
      }
      sources.append((path, Array(data)))
    }
    files += PortedModule(sources, modelNames: names).files.filter { onlyPath == nil || $0.path == onlyPath }
  }

  /// Writes the changed files.
  package func write() throws(PortError) {
    for file in files where file.isChanged {
      do {
        // A link stays a link, and a file keeps its mode.
        let path = URL(fileURLWithPath: file.path).resolvingSymlinksInPath().path
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        try Data(file.result).write(to: URL(fileURLWithPath: path), options: .atomic)
        if let mode { try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path) }
      } catch {
        throw PortError(isMissing: false, message: "cannot write '\(file.path)': \(error.localizedDescription)")
      }
    }
  }
}
