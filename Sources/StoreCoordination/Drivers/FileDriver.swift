import Foundation
import StrataManagedModel
import StrataMemoryStore
import StrataObjectGraph
import StrataRowStore

/// Atomic stores: kept in memory, with the whole file rewritten by every save.
struct FileDriver: StoreDriver {
  let type: String

  func open(_ request: OpenRequest) throws -> any BackEnd {
    guard let url = request.url else {
      throw CocoaError.coreData(.open, "A store of the type '\(type)' needs a file URL.")
    }
    return try MemoryStore(
      in: StoreFile(type: type, at: url, isReadOnly: request.options.isReadOnly), model: request.model,
      configuration: request.configuration, number: request.number, ignoresVersions: request.options.ignoresVersions)
  }

  func exists(at url: URL) throws -> Bool { FileManager.default.fileExists(atPath: url.path) }

  func isInMemory(_ url: URL) -> Bool { false }

  func metadata(at url: URL) throws -> [String: any Sendable] { try file(url).metadata() }

  func setMetadata(_ metadata: [String: any Sendable], at url: URL, options: StoreOptions) throws {
    try file(url).setMetadata(metadata)
  }

  func destroy(at url: URL, options: StoreOptions) throws { try file(url).destroy() }

  func replace(at url: URL, with source: URL, options: StoreOptions) throws { try file(url).copy(file(source)) }

  private func file(_ url: URL) throws -> StoreFile { try StoreFile(type: type, at: url) }
}
