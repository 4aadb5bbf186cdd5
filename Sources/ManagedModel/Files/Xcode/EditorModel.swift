import Foundation
import StrataFormats
import StrataSupport

/// Reads the model editor's own archive: Xcode stores both models in a mapping file this way.
///
///     XDPMModel           _xd_rootPackage: XDBucketForClassesstorage (entities by name)
///     XDPMEntity          _name, _isAbstract, XDBucketForOwnedAttributesstorage (properties by name),
///                         XDBucketForGeneralizationsstorage: _general (the parent), XDBucketForStereotypesstorage
///     stereotype          XDBucketForOwnedAttributesstorage: by key a property whose _default is the value
///
/// Reads only names and what affects version hashes; the keys are those of archives written by Xcode.
package struct EditorModel {
  /// The model; not usable to open a store, since it lacks everything that does not affect a hash.
  package let model = NSManagedObjectModel()
  private var entities: [String: NSEntityDescription] = [:]

  /// - Parameter file: the name of the archive in errors.
  package init(_ bytes: [UInt8], file: String) throws(FileFormatError) {
    guard let archive = KeyedArchive(bytes), let root = archive.object(archive.root), root.className == "XDPMModel",
      let package = root.object("_xd_rootPackage")
    else { throw FileFormatError(file: file, "expected the archive of a model as Xcode's editor keeps it") }
    let sources = package.dictionary("XDBucketForClassesstorage").compactMap { archive.object($0.value) }
    for source in sources { add(source) }
    for source in sources { inherit(source) }
    for source in sources { connect(source) }
    model.entities = entities.values.sorted { ($0.name ?? "") < ($1.name ?? "") }
    try archive.refuseSpent(file: file)
  }

  private mutating func add(_ source: ArchivedObject) {
    let entity = NSEntityDescription()
    entity.name = source.text("_name")
    entity.isAbstract = source.flag("_isAbstract") || source.setting("XD_PSK_isAbstract")?.flag == true
    entity.versionHashModifier = source.setting("XD_PSK_versionHashModifier")?.text
    entity.properties = source.ownedAttributes.compactMap(Self.property)
    let constraints = source.setting("XDPMUniquenessConstraints")?.object?.members ?? []
    entity.uniquenessConstraints = constraints.compactMap { constraint in
      source.archive.object(constraint)?.members.compactMap(source.archive.text)
    }
    entities[entity.name ?? ""] = entity
  }

  private func inherit(_ source: ArchivedObject) {
    for member in source.members("XDBucketForGeneralizationsstorage") {
      guard let parent = source.archive.object(member)?.object("_general")?.text("_name"),
        let child = source.text("_name").flatMap({ entities[$0] })
      else { continue }
      entities[parent]?.subentities.append(child)
    }
  }

  private func connect(_ source: ArchivedObject) {
    for property in source.ownedAttributes where property.className == "XDPMRelationship" {
      let entity = source.text("_name").flatMap { entities[$0] }
      guard let relationship = entity?.ownRelationship(named: property.text("_name") ?? ""),
        let destination = property.setting("XD_PRK_destination")?.object?.text("_name").flatMap({ entities[$0] })
      else { continue }
      relationship.destinationEntity = destination
      let inverse = property.setting("XD_PRK_inverseRelationship")?.object?.text("_name")
      relationship.inverseRelationship = inverse.flatMap { destination.relationshipsByName[$0] }
    }
  }

  private static func property(_ source: ArchivedObject) -> NSPropertyDescription? {
    let property: NSPropertyDescription
    switch source.className {
    case "XDPMAttribute": property = attribute(source)
    case "XDPMRelationship": property = relationship(source)
    // Fetched properties do not affect any hash.
    default: return nil
    }
    property.name = source.text("_name") ?? ""
    property.isOptional = source.setting("XD_PPSK_isOptional")?.flag ?? true
    property.isTransient = source.setting("XD_PPSK_isTransient")?.flag ?? false
    property.versionHashModifier = source.setting("XD_PPSK_versionHashModifier")?.text
    return property
  }

  private static func attribute(_ source: ArchivedObject) -> NSPropertyDescription {
    let attribute = NSAttributeDescription()
    let number = source.setting("XD_PAttK_attributeType")?.integer.flatMap { UInt(exactly: $0) }
    let type = number.flatMap(NSAttributeType.init)
    attribute.attributeType = type ?? .undefinedAttributeType
    attribute.allowsExternalBinaryDataStorage =
      source.setting("XD_PAttK_allowsExternalBinaryDataStorage")?.flag ?? false
    return attribute
  }

  private static func relationship(_ source: ArchivedObject) -> NSPropertyDescription {
    let relationship = NSRelationshipDescription()
    relationship.minCount = source.setting("XD_PRK_minCount")?.integer ?? 0
    relationship.maxCount = source.setting("XD_PRK_maxCount")?.integer ?? 0
    relationship.isOrdered = source.setting("XD_PRK_ordered")?.flag ?? false
    return relationship
  }
}

/// A value of the editor.
private struct EditorSetting {
  let holder: ArchivedObject

  var text: String? { holder.text("_default").flatMap { $0.isEmpty ? nil : $0 } }
  var integer: Int? { holder.integer("_default") }
  var flag: Bool { holder.flag("_default") }
  var object: ArchivedObject? { holder.object("_default") }
}

extension ArchivedObject {
  fileprivate var ownedAttributes: [ArchivedObject] {
    dictionary("XDBucketForOwnedAttributesstorage").compactMap { archive.object($0.value) }
  }

  /// Returns a value by its key, whichever stereotype has it.
  fileprivate func setting(_ key: String) -> EditorSetting? {
    for (_, stereotype) in dictionary("XDBucketForStereotypesstorage") {
      for (name, value) in archive.object(stereotype)?.dictionary("XDBucketForOwnedAttributesstorage") ?? []
      where name == key {
        return archive.object(value).map(EditorSetting.init)
      }
    }
    return nil
  }
}
