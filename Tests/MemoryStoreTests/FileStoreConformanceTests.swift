import Foundation
import StrataManagedModel
import StrataMemoryStore
import StrataRowStore
import StrataStoreConformance
import Testing

/// Creates file stores in a separate folder for each check. A store's name is its file name.
private final class FileStoreFactory: StoreFactory {
  /// Stores that have the file open do not see each other's commits.
  let isDurable = false
  let keepsHistory = false
  private let type: String
  private let folder: URL

  init(_ type: String) throws {
    self.type = type
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("file-stores-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func open(_ name: String, model: NSManagedObjectModel, number: Int, keepsHistory: Bool) throws -> any BackEnd {
    let file = try StoreFile(type: type, at: folder.appendingPathComponent(name))
    return try MemoryStore(in: file, model: model, configuration: nil, number: number)
  }
}

/// Atomic stores fulfill the contract of every back end except history, which they do not keep.
@Suite struct FileStoreConformanceTests {
  private static let checks =
    StoreConformance.plainChecks + StoreConformance.constraintChecks

  @Test(arguments: checks)
  func `the XML store conforms to the back-end contract`(_ check: ConformanceCheck) throws {
    try check.run(try FileStoreFactory("XML"))
  }

  @Test(arguments: checks)
  func `the binary store conforms to the back-end contract`(_ check: ConformanceCheck) throws {
    try check.run(try FileStoreFactory("Binary"))
  }
}
