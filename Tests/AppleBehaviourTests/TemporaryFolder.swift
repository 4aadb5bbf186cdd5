import Foundation

/// Folders for the stores of tests, all in one that goes when the tests are done.
enum TemporaryFolder {
  private static let root: URL = {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("strata-tests-\(getpid())")
    atexit { try? FileManager.default.removeItem(at: TemporaryFolder.root) }
    return root
  }()

  /// A new, empty folder.
  static func make() throws -> URL {
    let folder = root.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
