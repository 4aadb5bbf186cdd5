import Foundation

/// A folder of a test's own, gone when the test lets go of it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "store-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func url(_ name: String = "Test.sqlite") -> URL { URL(fileURLWithPath: path).appendingPathComponent(name) }
}
