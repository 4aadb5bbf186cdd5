import Foundation
import StrataRowStore
import StrataSQLiteEngine
import StrataTestSupport
import Testing

@Suite struct StoreFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A link to a name that is too long for any file system simulates a disk that does not respond.
  @Test func `a failed lookup does not count as a lost file`() throws {
    let link = folder.path + "/link"
    let manager = FileManager.default
    func lead(to target: String) throws {
      try? manager.removeItem(atPath: link)
      try manager.createSymbolicLink(atPath: link, withDestinationPath: target)
    }
    try manager.createDirectory(atPath: folder.path + "/stores", withIntermediateDirectories: true)
    try lead(to: "stores")
    try Data().write(to: URL(fileURLWithPath: link + "/Quakes.sqlite"))
    let files = try StoreFiles(at: link + "/Quakes.sqlite")
    try files.check()
    try lead(to: String(repeating: "x", count: 300))
    #expect(throws: StoreError.self) { try StoreFiles(at: link + "/Quakes.sqlite") }
    let unknown = #expect(throws: StoreError.self) { try files.check() }
    #expect(unknown?.code == .io)
    #expect(unknown?.message.contains("File name too long") == true)
    try lead(to: "stores")
    try files.check()
    try manager.removeItem(atPath: link + "/Quakes.sqlite")
    #expect(throws: StoreError.self) { try files.check() }
  }
}
