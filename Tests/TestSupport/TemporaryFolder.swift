import Foundation

/// A test's own folder, deleted when released.
public final class TemporaryFolder: Sendable {
  public let url: URL
  public var path: String { url.path }

  /// - Parameter parent: for a folder that other users reach; the usual one may be this user's alone.
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

  /// A new, empty folder for stores that stay open until the end: all such folders are deleted when the process exits.
  public static func make() throws -> URL {
    let folder = root.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
