import CoreData
import Foundation

/// Writes an `xcmapping.xml` with Xcode's names.
struct EditorMapping {
  private var objects: [String] = []
  private var entities: [String] = []

  /// Adds an entity mapping; each property is given by name and the editor's attributes.
  mutating func add(
    _ old: String?, _ new: String?, attributes: [String] = [], relationships: [String: [String: String]] = [:],
    extraValues: [String: String] = [:]
  ) {
    let id = "z\(200 + entities.count)"
    let parts = attributes.map { property("XDDEVATTRIBUTEMAPPING", $0, [:], of: id) }
    let relationshipIDs = relationships.sorted { $0.key < $1.key }.map {
      property("XDDEVRELATIONSHIPMAPPING", $0.key, ["autogenerateexpression": "1"].merging($0.value) { $1 }, of: id)
    }
    var values = ["mappingnumber": "\(entities.count + 1)", "mappingtypename": "Undefined"]
    (values["sourcename"], values["destinationname"]) = (old, new)
    entities.append(id)
    object(
      "XDDEVENTITYMAPPING", id, values.merging(extraValues) { $1 },
      [
        "attributemappings": parts.joined(separator: " "),
        "relationshipmappings": relationshipIDs.joined(separator: " "),
      ])
  }

  private mutating func property(_ type: String, _ name: String, _ values: [String: String], of entity: String)
    -> String
  {
    let id = "z\(1_000 + objects.count)"
    object(type, id, values.merging(["name": name]) { $1 }, ["entitymapping": entity])
    return id
  }

  private mutating func object(
    _ type: String, _ id: String, _ values: [String: String], _ relationshipIDs: [String: String]
  ) {
    let attributes = values.sorted { $0.key < $1.key }.map { name, value in
      "<attribute name=\"\(name)\" type=\"string\">\(value)</attribute>"
    }
    let relationships = relationshipIDs.sorted { $0.key < $1.key }.map { name, ids in
      "<relationship name=\"\(name)\" idrefs=\"\(ids)\"></relationship>"
    }
    objects.append(
      "<object type=\"\(type)\" id=\"\(id)\">\((attributes + relationships).joined(separator: "\n"))</object>")
  }

  /// Writes the file to a folder and returns its location.
  mutating func write(
    in folder: URL, from old: NSManagedObjectModel, to new: NSManagedObjectModel
  ) throws -> URL {
    object(
      "XDDEVMAPPINGMODEL", "z100",
      ["sourcemodeldata": EditorArchive.text(of: old), "destinationmodeldata": EditorArchive.text(of: new)],
      ["entitymappings": entities.joined(separator: " ")])
    let url = folder.appendingPathComponent("Edited.xcmappingmodel")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let text =
      "<?xml version=\"1.0\" standalone=\"yes\"?>\n<database>\n\(objects.joined(separator: "\n"))\n</database>\n"
    try Data(text.utf8).write(to: url.appendingPathComponent("xcmapping.xml"))
    return url
  }
}
