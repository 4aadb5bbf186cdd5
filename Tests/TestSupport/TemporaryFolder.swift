import Foundation

/// A separate folder for a test, deleted when released.
public final class TemporaryFolder: Sendable {
  public let url: URL
  public var path: String { url.path }

  /// - Parameter parent: Another parent, for a folder that other users can access: only this user may access the default.
  public init(in parent: URL = FileManager.default.temporaryDirectory) throws {
    url = parent.appendingPathComponent("strata-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  public func file(_ name: String = "test.sqlite") -> String { path + "/" + name }

  public func url(_ name: String = "Test.sqlite") -> URL { url.appendingPathComponent(name) }

  // MARK: Until the process ends

  private static let root: URL = {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("strata-tests-\(getpid())")
    atexit { try? FileManager.default.removeItem(at: TemporaryFolder.root) }
    return root
  }()

  /// Creates an empty folder for stores that stay open. All such folders are deleted when the process exits.
  public static func make() throws -> URL {
    let folder = root.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
