import CoreData
import Foundation
import StrataManagedModel

/// The first line of a dump: the version of the model.
struct DumpHeader {
  static let format = "coredata dump"
  static let version: Int64 = 1

  /// The version hashes of the store's entities, by name.
  let hashes: [String: Data]

  init(hashes: [String: Data]) { self.hashes = hashes }

  var node: JSONNode {
    .members([
      .init("format", .text(Self.format)), .init("version", .integer(Self.version)),
      .init("checksum", .text(hashes.versionChecksum)),
      .init(
        "hashes",
        .members(hashes.sorted { $0.key < $1.key }.map { .init($0.key, .text($0.value.base64EncodedString())) })),
    ])
  }

  /// nil if the line is not a header.
  /// - Throws: `ToolFailure` for a dump of an unknown version.
  init?(_ node: JSONNode) throws {
    guard node["format"] == .text(Self.format) else { return nil }
    guard node["version"] == .integer(Self.version) else {
      throw ToolFailure(
        .unusable, "line 1: the dump has version \(node["version"]?.line ?? "0"); this program reads 1")
    }
    var hashes: [String: Data] = [:]
    if case .members(let members)? = node["hashes"] {
      for case (let name, .text(let text)) in members.map({ ($0.name, $0.value) }) {
        hashes[name] = Data(base64Encoded: text)
      }
    }
    self.hashes = hashes
  }

  /// - Throws: `ToolFailure`, which names the entities that differ.
  func check(against others: [String: Data]) throws {
    let names = Set(hashes.keys).union(others.keys).filter { hashes[$0] != others[$0] }
    guard !names.isEmpty else { return }
    throw ToolFailure(
      .unusable,
      "line 1: the dump is of another version of the model than the store: \(names.sorted().joined(separator: ", ")) "
        + "differ. Load it into a store of its own version and migrate that, or remove the line to load what fits")
  }
}
