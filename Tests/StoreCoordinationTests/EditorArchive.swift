import CoreData
import Foundation
import StrataSupport

@testable import StrataManagedModel

/// Archives a model as Xcode's editor embeds it in a mapping file, with Xcode's keys.
struct EditorArchive {
  typealias UID = KeyedArchive.UID
  typealias Entry = (key: String, value: KeyedArchiveWriter.Value)

  private var archive = KeyedArchiveWriter()
  private var entities: [String: UID] = [:]
  private var properties: [String: UID] = [:]

  /// The archive in base64.
  static func text(of model: NSManagedObjectModel) -> String {
    var archive = EditorArchive()
    return Data(archive.bytes(of: model)).base64EncodedString()
  }

  private mutating func bytes(of model: NSManagedObjectModel) -> [UInt8] {
    // Reserve first, because entities and properties refer to each other.
    for entity in model.entities {
      entities[entity.name ?? ""] = archive.reserve()
      for property in entity.properties { properties["\(entity.name ?? "").\(property.name)"] = archive.reserve() }
    }
    for entity in model.entities { put(entity) }
    let entityEntries = entities.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
    let package = archive.add(
      ["XDPMPackage"],
      entries: [
        ("XDBucketForClassesstorage", .object(archive.dictionary(["NSMutableDictionary"], entries: entityEntries)))
      ])
    let root = archive.add(["XDPMModel"], entries: [("_xd_rootPackage", .object(package))])
    return archive.bytes(root: root)
  }

  private mutating func put(_ entity: NSEntityDescription) {
    let name = entity.name ?? ""
    let owned = entity.properties.map { (key: $0.name, value: properties["\(name).\($0.name)"] ?? 0) }
    for property in entity.properties { put(property, of: name) }
    archive.put(
      ["XDPMEntity"],
      entries: [
        ("_name", .object(archive.text(name))), ("_isAbstract", .boolean(entity.isAbstract)),
        ("XDBucketForOwnedAttributesstorage", .object(archive.dictionary(["NSMutableDictionary"], entries: owned))),
      ], at: entities[name] ?? 0)
  }

  private mutating func put(_ property: NSPropertyDescription, of entity: String) {
    var settings = [
      setting("XD_PPSK_isOptional", .boolean(property.isOptional)),
      setting("XD_PPSK_isTransient", .boolean(property.isTransient)),
    ]
    if let attribute = property as? NSAttributeDescription {
      settings.append(setting("XD_PAttK_attributeType", .integer(Int(attribute.attributeType.rawValue))))
    }
    if let relationship = property as? NSRelationshipDescription {
      let target = relationship.destinationEntity?.name ?? ""
      let inverse = relationship.inverseRelationship.flatMap { properties["\(target).\($0.name)"] }
      settings += [
        setting("XD_PRK_minCount", .integer(relationship.minCount)),
        setting("XD_PRK_maxCount", .integer(relationship.maxCount)),
        setting("XD_PRK_ordered", .boolean(relationship.isOrdered)),
        setting("XD_PRK_destination", .object(entities[target])),
        setting("XD_PRK_inverseRelationship", .object(inverse)),
      ]
    }
    let stereotype = archive.add(
      ["XDUMLStereotypeImp"],
      entries: [
        ("XDBucketForOwnedAttributesstorage", .object(archive.dictionary(["NSMutableDictionary"], entries: settings)))
      ])
    archive.put(
      [property is NSAttributeDescription ? "XDPMAttribute" : "XDPMRelationship"],
      entries: [
        ("_name", .object(archive.text(property.name))),
        (
          "XDBucketForStereotypesstorage",
          .object(archive.dictionary(["NSMutableDictionary"], entries: [("settings", stereotype)]))
        ),
      ], at: properties["\(entity).\(property.name)"] ?? 0)
  }

  private mutating func setting(_ name: String, _ value: KeyedArchiveWriter.Value) -> (key: String, value: UID) {
    (name, archive.add(["XDUMLPropertyImp"], entries: [("_default", value)]))
  }
}
