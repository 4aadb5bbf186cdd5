import Foundation
import StrataManagedModel
import StrataMemoryStore
import StrataRowStore
import StrataStoreConformance
import Testing

/// Each store name is a file name in a folder of the check's own.
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

/// Atomic stores fulfil the contract of every back end except history, which they do not keep.
@Suite struct FileStoreConformanceTests {
  private static let checks =
    StoreConformance.plainChecks + StoreConformance.constraintChecks

  @Test(arguments: checks)
  func xmlStoreConforms(_ check: ConformanceCheck) throws { try check.run(try FileStoreFactory("XML")) }

  @Test(arguments: checks)
  func binaryStoreConforms(_ check: ConformanceCheck) throws { try check.run(try FileStoreFactory("Binary")) }
}
