import Foundation

/// A folder of a test's own, gone when the test lets go of it.
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

  // MARK: Until the tests are done

  private static let root: URL = {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("strata-tests-\(getpid())")
    atexit { try? FileManager.default.removeItem(at: TemporaryFolder.root) }
    return root
  }()

  /// A new, empty folder for stores that stay open to the end: all such folders go when the process ends.
  public static func make() throws -> URL {
    let folder = root.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
