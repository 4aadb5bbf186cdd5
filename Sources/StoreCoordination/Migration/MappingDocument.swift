import Foundation
import StrataFormats
import StrataManagedModel
import StrataObjectGraph
import StrataPredicates

/// XCODE'S MAPPING MODEL -> MAPPINGS: the file `xcmapping.xml`, which is a Core Data XML store of the editor's objects.
///
///     XDDEVMAPPINGMODEL         sourcemodeldata, destinationmodeldata (`EditorModel`), entitymappings
///     XDDEVENTITYMAPPING        name?, mappingnumber, sourcename, destinationname, migrationpolicyclassname,
///                               sourcefilterpredicatestring, sourceexpressiondata, attributemappings,
///                               relationshipmappings
///     XDDEVATTRIBUTEMAPPING     name, valueexpressiondata, sourcekeypath
///     XDDEVRELATIONSHIPMAPPING  name, valueexpressiondata, sourcekeypath, sourcemappingname, autogenerateexpression
///
/// `sourcekeypath` is a text such as `$source.country.continent`, and `sourcemappingname` the entity mapping that what is
/// found there goes through. What the person at the editor left open is filled in as Apple's compiler does: that is read
/// off a pair of a file and what was compiled of it. A value of another name is refused.
struct MappingDocument {
  private let file: String
  private let model: MappingElement
  private let objects: [String: MappingElement]
  private let source: NSManagedObjectModel
  private let destination: NSManagedObjectModel

  /// - Parameter file: the file's name in errors.
  init(_ bytes: [UInt8], file: String) throws(FileFormatError) {
    let root = try XMLReader.root(bytes, file: file)
    var objects: [String: MappingElement] = [:]
    for element in root.children where element.name == "object" {
      objects[element["id"] ?? ""] = try MappingElement(element, file: file)
    }
    guard root.name == "database", let model = objects.values.first(where: { $0.type == "XDDEVMAPPINGMODEL" }) else {
      throw FileFormatError(file: file, line: root.line, "expected a mapping model of Xcode's")
    }
    self.file = file
    self.model = model
    self.objects = objects
    source = try EditorModel(model.bytes("sourcemodeldata"), file: "\(file), sourcemodeldata").model
    destination = try EditorModel(model.bytes("destinationmodeldata"), file: "\(file), destinationmodeldata").model
  }

  /// In the order in which the editor shows them.
  func mappings() throws(FileFormatError) -> [NSEntityMapping] {
    let elements = try members(of: model, "entitymappings")
      .sorted { ($0.integer("mappingnumber") ?? 0) < ($1.integer("mappingnumber") ?? 0) }
    var mappings: [NSEntityMapping] = []
    for element in elements { mappings.append(try mapping(element, among: elements)) }
    return mappings
  }

  private func mapping(
    _ element: MappingElement, among elements: [MappingElement]
  ) throws(FileFormatError) -> NSEntityMapping {
    let mapping = NSEntityMapping()
    mapping.name = element.mappingName
    mapping.sourceEntityName = element.text("sourcename")
    mapping.destinationEntityName = element.text("destinationname")
    let old = try entity(mapping.sourceEntityName, in: source, element: element)
    let new = try entity(mapping.destinationEntityName, in: destination, element: element)
    (mapping.sourceEntityVersionHash, mapping.destinationEntityVersionHash) = (old?.versionHash, new?.versionHash)
    mapping.entityMigrationPolicyClassName = element.text("migrationpolicyclassname")
    mapping.mappingType = mapping.compiledType
    mapping.userInfo = try notes(element)
    if let name = old?.name, new != nil {
      let filter = element.text("sourcefilterpredicatestring") ?? "TRUEPREDICATE"
      mapping.sourceExpression =
        try expression(of: element, forKey: "sourceexpressiondata")
        ?? MappingExpression.objects(of: name, where: filter)
    }
    mapping.attributeMappings = try properties(element, key: "attributemappings") {
      part, name throws(FileFormatError) in
      try attribute(part, name: name, of: old)
    }
    mapping.relationshipMappings = try properties(element, key: "relationshipmappings") {
      part, name throws(FileFormatError) in try relationship(part, name: name, from: old, to: new, among: elements)
    }
    return mapping
  }

  // MARK: Expressions that the editor leaves to the compiler

  private func attribute(
    _ part: MappingElement, name: String, of old: NSEntityDescription?
  ) throws(FileFormatError) -> StrataPredicates.NSExpression? {
    if let path = part.text("sourcekeypath") { return .expression(with: try source(path, part: part)) }
    return old?.attributesByName[name].map { _ in .expression(with: MappingExpression.value(named: name)) }
  }

  private func relationship(
    _ part: MappingElement, name: String, from old: NSEntityDescription?, to new: NSEntityDescription?,
    among elements: [MappingElement]
  ) throws(FileFormatError) -> StrataPredicates.NSExpression? {
    let (chosen, path) = (part.text("sourcemappingname"), part.text("sourcekeypath"))
    guard part.isGenerated || chosen != nil || path != nil else { return nil }
    guard path != nil || old?.relationshipsByName[name] != nil else {
      guard let chosen else { return nil }
      throw problem(
        in: part, "'\(name)' goes through the mapping \(chosen), but the old entity has no such relationship")
    }
    let members = if let path { try source(path, part: part) } else { MappingExpression.value(named: name) }
    if let chosen {
      guard elements.contains(where: { $0.mappingName == chosen }) else {
        throw problem(in: part, "'\(name)' goes through the mapping \(chosen), which is not there")
      }
      return MappingExpression.successors(of: members, by: chosen)
    }
    let target = old.flatMap { Self.target(of: members, from: $0) }
    let end = new?.relationshipsByName[name]?.destinationEntity
    let names = target.map { target in elements.filter { leads($0, from: target, to: end) }.map(\.mappingName) } ?? []
    return names.count == 1
      ? MappingExpression.successors(of: members, by: names[0])
      : MappingExpression.successors(of: members, at: name)
  }

  private func source(_ path: String, part: MappingElement) throws(FileFormatError) -> ExpressionNode {
    do throws(PredicateSyntaxError) { return try MappingExpression.source(path) } catch {
      throw problem(in: part, "the key path '\(path)' cannot be read: \(error)")
    }
  }

  /// The entity that `$source.path` leads to, if the path consists of relationships only.
  private static func target(of members: ExpressionNode, from entity: NSEntityDescription) -> NSEntityDescription? {
    guard case .path(of: .variable(NSMigrationSourceObjectKey), let path) = members else { return nil }
    return path.reduce(entity as NSEntityDescription?) { $0?.relationshipsByName[$1]?.destinationEntity }
  }

  /// Whether a mapping takes objects that a relationship to an entity may lead to, and produces objects that the new
  /// relationship may lead to.
  private func leads(
    _ element: MappingElement, from old: NSEntityDescription, to new: NSEntityDescription?
  ) -> Bool {
    guard let source = element.text("sourcename").flatMap({ source.entitiesByName[$0] }),
      let destination = element.text("destinationname").flatMap({ destination.entitiesByName[$0] })
    else { return false }
    return source.isKindOf(entity: old) && (new.map(destination.isKindOf) ?? true)
  }

  private func entity(
    _ name: String?, in model: NSManagedObjectModel, element: MappingElement
  ) throws(FileFormatError) -> NSEntityDescription? {
    guard let name else { return nil }
    guard let entity = model.entitiesByName[name] else {
      throw problem(in: element, "the mapping names the entity \(name), which is not there")
    }
    return entity
  }

  private func properties(
    _ element: MappingElement, key: String,
    automatic: (MappingElement, String) throws(FileFormatError) -> StrataPredicates.NSExpression?
  ) throws(FileFormatError) -> [NSPropertyMapping] {
    var properties: [NSPropertyMapping] = []
    for part in try members(of: element, key) {
      guard let name = part.text("name") else { continue }
      let property = NSPropertyMapping()
      property.name = name
      property.userInfo = try notes(part)
      property.valueExpression =
        if let expression = try expression(of: part, forKey: "valueexpressiondata") {
          expression
        } else {
          try automatic(part, name)
        }
      properties.append(property)
    }
    return properties.sorted { ($0.name ?? "") < ($1.name ?? "") }
  }

  private func members(of element: MappingElement, _ key: String) throws(FileFormatError) -> [MappingElement] {
    var members: [MappingElement] = []
    for id in element.references(key) {
      guard let member = objects[id] else {
        throw problem(in: element, "'\(key)' names the object \(id), which is not there")
      }
      members.append(member)
    }
    return members
  }

  private func problem(in element: MappingElement, _ text: String) -> FileFormatError {
    FileFormatError(file: file, line: element.line, text)
  }

  /// nil if there is none.
  private func expression(of element: MappingElement, forKey key: String) throws(FileFormatError) -> StrataPredicates
    .NSExpression?
  {
    guard element.text(key) != nil else { return nil }
    let place = "\(element.text("name") ?? element.mappingName)"
    let archive = try ArchivedMapping(element.bytes(key), file: file)
    return try archive.expression(archive.archive.object(archive.archive.root), of: place)
  }

  private func notes(_ element: MappingElement) throws(FileFormatError) -> [AnyHashable: Any]? {
    guard element.text("userinfodata") != nil else { return nil }
    let archive = try ArchivedMapping(element.bytes("userinfodata"), file: file).archive
    return archive.constant(.object(archive.root)) as? [String: Any]
  }
}

extension NSEntityMapping {
  /// The mapping type that Apple's compiler chooses.
  fileprivate var compiledType: NSEntityMappingType {
    if sourceEntityName == nil { return .addEntityMappingType }
    if destinationEntityName == nil { return .removeEntityMappingType }
    if entityMigrationPolicyClassName != nil { return .customEntityMappingType }
    return sourceEntityName == destinationEntityName ? .copyEntityMappingType : .transformEntityMappingType
  }
}
