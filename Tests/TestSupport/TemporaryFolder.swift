import Foundation

/// A test's own folder, deleted when released.
public final class TemporaryFolder: Sendable {
  public let url: URL
  public var path: String { url.path }

  public init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)")
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
