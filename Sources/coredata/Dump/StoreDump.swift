#if DeveloperTool
import ArgumentParser
import CoreData
import Foundation
import StrataManagedModel

/// `coredata store dump`: writes the objects of a store as JSON lines.
struct StoreDump: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump", abstract: "Write all objects of a store as JSON lines, for 'coredata store load'.",
    discussion: """
      The first line has the version hashes of the model, and each other line an object: \
      {"id":"Book/p1","entity":"Book","attributes":{…},"relationships":{…}}. Values are exact: loading restores what was \
      dumped. Data is in base64, dates in ISO 8601. Each relationship is written at one of its two ends.

      The dump is one snapshot, even if other processes write at the same time. It excludes the history, the program's \
      metadata, and derived attributes, which the new store computes.
      """)

  @OptionGroup var store: StorePath

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write, created when the dump is complete (default: standard output).", valueName: "file"))
  var output: String?

  @OptionGroup var source: ModelOption

  func run() throws {
    let url = try store.url()
    let opened = try ToolStore.reading(url, model: source.model(of: url))
    let file = try OutputFile(output, besideStore: url.path)
    try file.write(Array((DumpHeader(hashes: try opened.versionHashes).node.line + "\n").utf8))
    let reader = try ObjectReader(opened)
    let entities = opened.model.entities(forConfigurationName: opened.store.configurationName) ?? opened.model.entities
    for root in DumpPlan(entities).roots {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: root.name ?? "")
      try reader.forEachPage(of: request, prefetching: Self.toMany) { objects in
        var bytes: [UInt8] = []
        for object in objects {
          Self.node(of: object).write(to: &bytes)
          bytes.append(UInt8(ascii: "\n"))
        }
        try file.write(bytes)
      }
    }
    try file.finish()
  }

  private static func toMany(of entity: NSEntityDescription) -> [String] {
    DumpPlan.relationships(of: entity).filter(\.isToMany).map(\.name)
  }

  private static func node(of object: NSManagedObject) -> JSONNode {
    let attributes = DumpPlan.attributes(of: object.entity).map { attribute in
      JSONNode.Member(attribute.name, AttributeForm.node(object.value(forKey: attribute.name), of: attribute))
    }
    let relationships = DumpPlan.relationships(of: object.entity).map { relationship in
      let ids = object.objectIDs(forRelationshipNamed: relationship.name)
      guard relationship.isToMany else {
        return JSONNode.Member(relationship.name, ids.first.map { .text($0.shortText) } ?? .null)
      }
      let sorted = relationship.isOrdered ? ids : ids.sortedByKey()
      return JSONNode.Member(relationship.name, .list(sorted.map { .text($0.shortText) }))
    }
    return .members([
      .init("id", .text(object.objectID.shortText)), .init("entity", .text(object.entity.name ?? "")),
      .init("attributes", .members(attributes)), .init("relationships", .members(relationships)),
    ])
  }
}

extension ToolStore {
  /// The version hashes that the store was written with.
  var versionHashes: [String: Data] {
    get throws { coordinator.metadata(for: store)[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:] }
  }
}
#endif
