import Foundation

/// Paths without symbolic links.
public enum RealPath {
  /// As many as the kernel follows.
  private static let maximumLinks = 40

  /// The path that a path leads to, of which a part may not exist.
  public static func of(_ path: String) -> String { of(path, links: maximumLinks) }

  private static func of(_ path: String, links: Int) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    let parent = (path as NSString).deletingLastPathComponent
    guard path.hasPrefix("/"), path != "/", links > 0 else { return path }
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
      return of(target.hasPrefix("/") ? target : "\(parent)/\(target)", links: links - 1)
    }
    let folder = of(parent, links: links)
    switch (path as NSString).lastPathComponent {
    case ".": return folder
    case "..": return (folder as NSString).deletingLastPathComponent
    case let name: return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }
  }
}
