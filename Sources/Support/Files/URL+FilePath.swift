import Foundation

extension URL {
  /// `standardizedFileURL.path`, without Foundation's work for what most paths do not have: it decodes percent signs with
  /// a set, for which Swift searches all conformances of the program when a path is first asked for.
  package var standardizedPath: String { plainPath ?? standardizedFileURL.path }

  /// The path with all symbolic links resolved, also of a file that does not exist yet. If the system does not tell, the
  /// standardized path: opening it fails with the reason.
  package var resolvedPath: String {
    var path = standardizedPath
    for _ in 0..<Self.maximumLinks {
      if let real = Self.realPath(path) { return real }
      let name = (path as NSString).lastPathComponent
      guard errno == ENOENT, let folder = Self.realPath((path as NSString).deletingLastPathComponent) else { break }
      let file = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: file) else { return file }
      // A link to a file that does not exist yet: it will be created there.
      path = target.hasPrefix("/") ? target : "\(folder)/\(target)"
    }
    return standardizedPath
  }

  /// The number of links that Linux follows.
  private static let maximumLinks = 40

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Whether two URLs lead to one file, directly or through symbolic links.
  package func isSameFile(as other: URL?) -> Bool {
    guard let other else { return false }
    if standardizedFileURL == other.standardizedFileURL { return true }
    return isFileURL && other.isFileURL && resolvedPath == other.resolvedPath
  }

  /// The path if the URL spells it as the system does: absolute, with nothing encoded, and with no part that leads
  /// elsewhere.
  private var plainPath: String? {
    let (text, scheme) = (absoluteString.utf8, "file://".utf8)
    guard text.starts(with: scheme) else { return nil }
    var path = text.dropFirst(scheme.count)
    guard path.first == UInt8(ascii: "/") else { return nil }
    var previous: UInt8?
    for byte in path {
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: ";"), 0x80...: return nil
      case UInt8(ascii: "/") where previous == byte, UInt8(ascii: ".") where previous == UInt8(ascii: "/"): return nil
      default: previous = byte
      }
    }
    if path.count > 1, previous == UInt8(ascii: "/") { path.removeLast() }
    return String(decoding: path, as: UTF8.self)
  }
}
