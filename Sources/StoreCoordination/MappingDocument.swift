import Foundation
import ManagedModel
import ObjectGraph
import Predicates

/// XCODE'S MAPPING MODEL -> MAPPINGS: the file `xcmapping.xml`, which is a Core Data XML store of the editor's objects.
///
///     XDDEVMAPPINGMODEL         sourcemodeldata, destinationmodeldata (`EditorModel`), entitymappings
///     XDDEVENTITYMAPPING        name?, mappingnumber, sourcename, destinationname, migrationpolicyclassname,
///                               sourcefilterpredicatestring, sourceexpressiondata, attributemappings,
///                               relationshipmappings
///     XDDEVATTRIBUTEMAPPING     name, valueexpressiondata
///     XDDEVRELATIONSHIPMAPPING  name, valueexpressiondata
///
/// What the person at the editor left open is filled in as Apple's compiler does: that is read off a pair of a file and
/// what was compiled of it.
struct MappingDocument {
  private let file: String
  private let model: MappingElement
  private let objects: [String: MappingElement]
  private let source: NSManagedObjectModel
  private let destination: NSManagedObjectModel

  /// - Parameter file: what errors call the file.
  init(_ bytes: [UInt8], file: String) throws(ModelFileError) {
    let root = try MarkupReader.root(bytes, file: file)
    var objects: [String: MappingElement] = [:]
    for element in root.children where element.name == "object" {
      objects[element["id"] ?? ""] = MappingElement(element)
    }
    guard root.name == "database", let model = objects.values.first(where: { $0.type == "XDDEVMAPPINGMODEL" }) else {
      throw ModelFileError(file: file, line: root.line, "expected a mapping model of Xcode's")
    }
    self.file = file
    self.model = model
    self.objects = objects
    source = try EditorModel(model.bytes("sourcemodeldata"), file: "\(file), sourcemodeldata").model
    destination = try EditorModel(model.bytes("destinationmodeldata"), file: "\(file), destinationmodeldata").model
  }

  /// In the order that the editor shows.
  func mappings() throws(ModelFileError) -> [NSEntityMapping] {
    let elements = model.references("entitymappings").compactMap { objects[$0] }
      .sorted { ($0.integer("mappingnumber") ?? 0) < ($1.integer("mappingnumber") ?? 0) }
    var mappings: [NSEntityMapping] = []
    for element in elements { mappings.append(try mapping(element, among: elements)) }
    return mappings
  }

  private func mapping(
    _ element: MappingElement, among elements: [MappingElement]
  ) throws(ModelFileError) -> NSEntityMapping {
    let mapping = NSEntityMapping()
    mapping.name = element.mappingName
    mapping.sourceEntityName = element.text("sourcename")
    mapping.destinationEntityName = element.text("destinationname")
    let old = try entity(mapping.sourceEntityName, in: source, element)
    let new = try entity(mapping.destinationEntityName, in: destination, element)
    (mapping.sourceEntityVersionHash, mapping.destinationEntityVersionHash) = (old?.versionHash, new?.versionHash)
    mapping.entityMigrationPolicyClassName = element.text("migrationpolicyclassname")
    mapping.mappingType = mapping.compiledType
    mapping.userInfo = try notes(element)
    if let name = old?.name, new != nil {
      let filter = element.text("sourcefilterpredicatestring") ?? "TRUEPREDICATE"
      mapping.sourceExpression =
        try expression(element, "sourceexpressiondata") ?? MappingExpression.objects(of: name, where: filter)
    }
    mapping.attributeMappings = try properties(element, "attributemappings") { name in
      old?.attributesByName[name].map { _ in MappingExpression.value(at: name) }
    }
    mapping.relationshipMappings = try properties(element, "relationshipmappings") { name in
      old?.relationshipsByName[name]?.destinationEntity.map { target in
        let names = elements.filter { leads($0, from: target) }.map(\.mappingName)
        return names.count == 1
          ? MappingExpression.successors(at: name, by: names[0]) : MappingExpression.successors(at: name)
      }
    }
    return mapping
  }

  /// Whether a mapping is for objects that a relationship to an entity may lead to.
  private func leads(_ element: MappingElement, from entity: NSEntityDescription) -> Bool {
    element.text("destinationname") != nil
      && element.text("sourcename").flatMap { source.entitiesByName[$0] }?.isKindOf(entity: entity) == true
  }

  private func entity(
    _ name: String?, in model: NSManagedObjectModel, _ element: MappingElement
  ) throws(ModelFileError) -> NSEntityDescription? {
    guard let name else { return nil }
    guard let entity = model.entitiesByName[name] else {
      throw ModelFileError(file: file, line: element.line, "the mapping names the entity \(name), which is not there")
    }
    return entity
  }

  private func properties(
    _ element: MappingElement, _ key: String, _ automatic: (String) -> Predicates.NSExpression?
  ) throws(ModelFileError) -> [NSPropertyMapping] {
    var properties: [NSPropertyMapping] = []
    for part in element.references(key).compactMap({ objects[$0] }) {
      guard let name = part.text("name") else { continue }
      let property = NSPropertyMapping()
      property.name = name
      property.userInfo = try notes(part)
      property.valueExpression = try expression(part, "valueexpressiondata") ?? automatic(name)
      properties.append(property)
    }
    return properties.sorted { ($0.name ?? "") < ($1.name ?? "") }
  }

  /// nil for none.
  private func expression(_ element: MappingElement, _ key: String) throws(ModelFileError) -> Predicates.NSExpression? {
    guard element.text(key) != nil else { return nil }
    let place = "\(element.text("name") ?? element.mappingName)"
    let archive = try ArchivedMapping(element.bytes(key), file: file)
    return try archive.expression(archive.archive.object(archive.archive.root), of: place)
  }

  private func notes(_ element: MappingElement) throws(ModelFileError) -> [AnyHashable: Any]? {
    guard element.text("userinfodata") != nil else { return nil }
    let archive = try ArchivedMapping(element.bytes("userinfodata"), file: file).archive
    return archive.constant(.object(archive.root)) as? [String: Any]
  }
}

extension NSEntityMapping {
  /// The kind that Apple's compiler gives a mapping.
  fileprivate var compiledType: NSEntityMappingType {
    if sourceEntityName == nil { return .addEntityMappingType }
    if destinationEntityName == nil { return .removeEntityMappingType }
    if entityMigrationPolicyClassName != nil { return .customEntityMappingType }
    return sourceEntityName == destinationEntityName ? .copyEntityMappingType : .transformEntityMappingType
  }
}
