import Foundation
import StrataMemoryStore
import StrataRowStore
import Testing

@Suite struct StoreFileTests {
  /// Opening a FIFO would wait for a writer.
  @Test(arguments: ["XML", "Binary"])
  func `a FIFO is refused without waiting`(type: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-file-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("Store")
    try #require(mkfifo(url.path, 0o600) == 0)
    let error = #expect(throws: StoreError.self) { try StoreFile(type: type, at: url).metadata() }
    #expect(error?.message.contains("it is a FIFO, not a file") == true, "\(error?.message ?? "")")
  }
}
