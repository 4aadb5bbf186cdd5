#if DeveloperTool
import ArgumentParser
import CoreData
import Foundation
import StrataSQLStore

/// `coredata model hash`: prints the hashes by which stores identify a model version.
struct ModelHash: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash", abstract: "Print the version hashes of a model's entities, and its checksum.",
    discussion: """
      A line for each entity, its hash in base64 first, as VersionInfo.plist and the metadata of stores have it; then the \
      checksum by which stages of a migration name the version. Of a store these are the hashes that it was written with.
      """)

  @OptionGroup var options: ModelOptions

  @Flag(help: "Print JSON.")
  var json = false

  private struct Report: Encodable {
    let formatVersion = 1
    var checksum: String
    var hashes: [String: String]
  }

  func run() throws {
    let hashes = try self.hashes()
    let checksum = hashes.versionChecksum
    let texts = hashes.mapValues { $0.base64EncodedString() }
    if json { return try Console.print(json: Report(checksum: checksum, hashes: texts)) }
    for (name, hash) in texts.sorted(by: { $0.key < $1.key }) { print("\(hash)  \(Console.printable(name))") }
    print("\(checksum)  (checksum)")
  }

  private func hashes() throws -> [String: Data] {
    let url = try ModelLocation.url(options.path)
    return ModelLocation.isStore(url)
      ? try StoreInspector.versionHashes(at: url) : try options.location().model.entityVersionHashesByName
  }
}
#endif
