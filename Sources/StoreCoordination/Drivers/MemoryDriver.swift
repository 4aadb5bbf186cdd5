import Foundation
import StrataManagedModel
import StrataMemoryStore
import StrataRowStore

/// Stores that exist while they are open.
struct MemoryDriver: StoreDriver {
  func open(_ request: OpenRequest) throws -> any BackEnd {
    try MemoryStore(
      model: request.model, configuration: request.configuration, number: request.number,
      keepsHistory: request.options.keepsHistory)
  }

  func exists(at url: URL) throws -> Bool { false }
  func isInMemory(_ url: URL) -> Bool { true }
  func metadata(at url: URL) throws -> [String: any Sendable] { [:] }
  func setMetadata(_ metadata: [String: any Sendable], at url: URL, options: StoreOptions) throws {}
  func destroy(at url: URL, options: StoreOptions) throws {}
  func replace(at url: URL, with source: URL, options: StoreOptions) throws {}
}
