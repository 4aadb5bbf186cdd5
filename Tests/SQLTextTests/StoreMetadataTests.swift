import Foundation
import StrataRowStore
import StrataSQLText
import StrataTestSupport
import Testing

/// Reading Z_PLIST of a damaged store returns a dictionary or throws a clear error.
@Suite struct StoreMetadataTests {
  private static let metadata: [String: any Sendable] = [
    "NSStoreModelVersionHashes": ["Book": Data(repeating: 7, count: 32)], "NSStoreModelVersionIdentifiers": ["1", "é"],
    "NSPersistenceFrameworkVersion": 1344, "opened": Date(timeIntervalSinceReferenceDate: 700_000_000), "share": 0.5,
    "isShared": true, "nested": ["a": [1, 2, "three"] as [any Sendable]] as [String: any Sendable],
  ]

  private func read(_ bytes: [UInt8]) -> Bool {
    do {
      _ = try StoreMetadata.dictionary(from: bytes)
      return true
    } catch {
      #expect((error as? StoreError)?.code == .corrupt, "\(error)")
      return false
    }
  }

  @Test func `metadata with one wrong byte is read or reported as damaged`() throws {
    let bytes = try StoreMetadata.bytes(of: Self.metadata)
    #expect(read(bytes))
    for index in bytes.indices {
      for value: UInt8 in [0, 0x0f, 0x10, 0x3f, 0x7f, 0x80, 0xd0, 0xff, bytes[index] ^ 1, bytes[index] ^ 0x80] {
        var damaged = bytes
        damaged[index] = value
        _ = read(damaged)
      }
    }
  }

  @Test func `metadata with several wrong bytes is read or reported as damaged`() throws {
    let bytes = try StoreMetadata.bytes(of: Self.metadata)
    var generator = SeededRandom()
    for _ in 0..<5_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 2...5, using: &generator) {
        damaged[Int.random(in: 8..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      _ = read(damaged)
    }
  }

  @Test func `truncated metadata is reported as damaged`() throws {
    let bytes = try StoreMetadata.bytes(of: Self.metadata)
    for count in bytes.indices { #expect(!read(Array(bytes.prefix(count))), "cut after \(count) bytes") }
  }
}
