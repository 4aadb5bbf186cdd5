import Foundation
import StrataFileFormats
import StrataManagedModel
import StrataPredicates

/// Builds a model from a document, in the order of references between descriptions: entities, their properties,
/// hierarchy, relationships, inverses, indexes and constraints, configurations, templates.
struct ModelAssembly {
  let document: ModelDocument
  /// The module that a leading dot in a class name stands for; nil drops the dot.
  let module: String?
  let model: NSManagedObjectModel
  var entities: [String: NSEntityDescription] = [:]
  var warnings: [ModelWarning] = []

  init(_ document: ModelDocument, module: String?, into model: NSManagedObjectModel) {
    self.document = document
    self.module = module
    self.model = model
  }

  mutating func assemble() throws(FileFormatError) {
    try makeEntities()
    for source in document.entities { entities[source.name]?.properties = try properties(of: source) }
    try makeHierarchy()
    try connectRelationships()
    for source in document.entities {
      guard let entity = entities[source.name] else { continue }
      entity.indexes = indexes(of: source, entity)
      entity.uniquenessConstraints = try constraints(of: source, entity)
    }
    model.entities = document.entities.compactMap { entities[$0.name] }
    try makeConfigurations()
    for request in document.fetchRequests { model.fetchTemplates[request.name] = template(request) }
    if let identifier = document.versionIdentifier { model.versionIdentifiers = [identifier] }
    if let contradiction = model.contradiction { throw FileFormatError(file: document.file, contradiction) }
  }

  func error(line: Int, _ problem: String) -> FileFormatError {
    FileFormatError(file: document.file, line: line, problem)
  }

  mutating func warn(line: Int, _ text: String) {
    warnings.append(ModelWarning(file: document.file, line: line, text))
  }

  /// Returns the entity that something in the file names.
  func entity(_ name: String, namedBy what: String, line: Int) throws(FileFormatError) -> NSEntityDescription {
    guard let entity = entities[name] else {
      throw error(line: line, "\(what) names the entity \(name), which is not there")
    }
    return entity
  }

  func className(_ name: String) -> String {
    guard name.hasPrefix(".") else { return name }
    return module.map { $0 + name } ?? String(name.dropFirst())
  }

  private mutating func makeEntities() throws(FileFormatError) {
    for source in document.entities {
      let entity = NSEntityDescription()
      guard entities.updateValue(entity, forKey: source.name) == nil else {
        throw error(line: source.line, "there are two entities \(source.name)")
      }
      entity.name = source.name
      entity.managedObjectClassName = source.representedClassName.map(className) ?? "NSManagedObject"
      entity.isAbstract = source.isAbstract
      entity.renamingIdentifier = source.renamingIdentifier
      entity.versionHashModifier = source.versionHashModifier
      entity.userInfo = source.userInfo
    }
  }

  private mutating func properties(of source: ModelDocument.Entity) throws(FileFormatError) -> [NSPropertyDescription] {
    var properties: [NSPropertyDescription] = []
    for attribute in source.attributes { properties.append(try self.attribute(attribute, inComposites: [])) }
    properties += source.relationships.map(relationship)
    for fetched in source.fetchedProperties { properties.append(fetchedProperty(fetched)) }
    var names: Set<String> = []
    for property in properties where !names.insert(property.name).inserted {
      throw error(line: source.line, "\(source.name) has two properties \(property.name)")
    }
    return properties
  }

  private func makeHierarchy() throws(FileFormatError) {
    for source in document.entities {
      guard let parentName = source.parentName, let child = entities[source.name] else { continue }
      let parent = try entity(parentName, namedBy: "parentEntity", line: source.line)
      guard !parent.isKindOf(entity: child) else {
        throw error(line: source.line, "\(source.name) inherits from itself")
      }
      parent.subentities.append(child)
    }
  }

  private mutating func makeConfigurations() throws(FileFormatError) {
    for configuration in document.configurations {
      var members: [NSEntityDescription] = []
      for name in configuration.memberNames {
        if let member = entities[name] {
          members.append(member)
        } else {
          warn(
            line: configuration.line,
            "the configuration \(configuration.name) names the entity \(name), which is not there")
        }
      }
      model.setEntities(members, forConfigurationName: configuration.name)
    }
  }
}

extension ModelAssembly {
  private func relationship(_ source: ModelDocument.Relationship) -> NSPropertyDescription {
    let relationship = NSRelationshipDescription()
    fill(relationship, from: source.property)
    relationship.minCount = source.minCount
    relationship.maxCount = source.maxCount
    relationship.isOrdered = source.isOrdered
    relationship.deleteRule = source.deleteRule
    return relationship
  }

  private mutating func connectRelationships() throws(FileFormatError) {
    for source in document.entities {
      for relationship in source.relationships { try connect(relationship, of: source) }
    }
  }

  private mutating func connect(
    _ source: ModelDocument.Relationship, of owner: ModelDocument.Entity
  ) throws(FileFormatError) {
    let (line, name) = (source.property.line, "\(owner.name).\(source.property.name)")
    guard let relationship = entities[owner.name]?.ownRelationship(named: source.property.name) else { return }
    let destination = try entity(source.destinationName, namedBy: "the relationship \(name)", line: line)
    relationship.destinationEntity = destination
    guard let inverseName = source.inverseName else { return }
    // The relationship may be inherited by its destination.
    var holder: NSEntityDescription? = destination
    while let candidate = holder, candidate.ownRelationship(named: inverseName) == nil {
      holder = candidate.superentity
    }
    guard let inverse = holder?.ownRelationship(named: inverseName) else {
      warn(line: line, "the inverse \(source.destinationName).\(inverseName) of \(name) is not there")
      return
    }
    relationship.inverseRelationship = inverse
  }

  private mutating func fetchedProperty(_ source: ModelDocument.FetchedProperty) -> NSPropertyDescription {
    let fetched = NSFetchedPropertyDescription()
    fill(fetched, from: source.property)
    fetched.isTransient = true
    fetched.template = template(source.request)
    return fetched
  }

  /// Returns nil, with a warning, for an invalid request: without its predicate it would select other objects.
  private mutating func template(_ source: ModelDocument.FetchRequest) -> FetchTemplate? {
    var template = source.template
    if entities[source.entityName] == nil {
      warn(
        line: source.line,
        "the fetch request \(source.name) names the entity \(source.entityName), which is not there, and is left out")
      return nil
    }
    guard let text = source.predicateText else { return template }
    template.predicate = predicate(text, of: "the fetch request \(source.name)", line: source.line)
    return template.predicate == nil ? nil : template
  }

  /// Returns nil, with a warning, for an invalid predicate.
  mutating func predicate(_ text: String, of what: String, line: Int) -> NSPredicate? {
    do throws(PredicateSyntaxError) {
      return .predicate(with: try PredicateParser.tree(text))
    } catch let problem {
      warn(line: line, "\(what) is left out: \(problem)")
      return nil
    }
  }
}

extension ModelDocument {
  /// Builds the model that the document describes.
  /// - Parameter module: the module that a leading dot in a class name stands for; if nil, the dot is dropped, and the
  ///   class is searched in the program's main module.
  /// - Returns: the model, and the warnings of the reader and the assembly.
  /// - Throws: a `FileFormatError` with its line for a contradiction or a missing part.
  package func makeModel(
    module: String? = nil
  ) throws(FileFormatError) -> (model: NSManagedObjectModel, warnings: [ModelWarning]) {
    let model = NSManagedObjectModel()
    return (model, try fill(model, module: module))
  }

  /// Builds the document's model in an empty model.
  package func fill(_ model: NSManagedObjectModel, module: String? = nil) throws(FileFormatError) -> [ModelWarning] {
    var assembly = ModelAssembly(self, module: module, into: model)
    try assembly.assemble()
    return warnings + assembly.warnings
  }
}
