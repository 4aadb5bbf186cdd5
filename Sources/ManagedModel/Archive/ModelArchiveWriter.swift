import Foundation
import StrataFormats
import StrataPredicates

/// Encodes a model.
struct ModelArchiveWriter: ModelArchiveEncoder {
  var buffer = ModelArchiveBuffer()
  var entityNumbers: [ObjectIdentifier: Int] = [:]
  var subject = "the model"

  /// - Parameter hashes: the entities' version hashes; empty to leave them out.
  mutating func write(_ model: NSManagedObjectModel, hashes: [Data]) throws(ModelArchiveError) {
    let entities = model.entities
    for (number, entity) in entities.enumerated() { entityNumbers[ObjectIdentifier(entity)] = number }
    list(model.versionIdentifiers.compactMap { $0.base as? String }.sorted()) { $0.text($1) }
    try optional(model.localizationDictionary) { writer, texts throws(ModelArchiveError) in
      try writer.dictionary(texts)
    }
    number(entities.count)
    for entity in entities { try head(of: entity) }
    for entity in entities { try tail(of: entity) }
    list(model.configurations) { writer, name in
      writer.text(name)
      writer.list(model.entities(forConfigurationName: name) ?? []) { $0.entity($1) }
    }
    number(model.fetchTemplates.count)
    for (name, template) in model.fetchTemplates.sorted(by: { $0.key < $1.key }) {
      subject = "the fetch request \(name)"
      text(name)
      try self.template(template)
    }
    let hasComposites = entities.contains { $0.ownProperties.contains { $0 is NSCompositeAttributeDescription } }
    if !hasComposites { for hash in hashes { buffer.bytes += hash } }
  }

  private mutating func head(of entity: NSEntityDescription) throws(ModelArchiveError) {
    subject = entity.name ?? ""
    text(entity.name)
    text(entity.managedObjectClassName)
    flags([entity.isAbstract])
    text(entity.renamingIdentifier == entity.name ? nil : entity.renamingIdentifier)
    text(entity.versionHashModifier)
    try userInfo(entity.userInfo)
    list(entity.subentities) { $0.entity($1) }
    // A relationship without a destination is not a property of the objects.
    let properties = entity.ownProperties.filter {
      guard let relationship = $0 as? NSRelationshipDescription else { return true }
      return relationship.destinationEntity.map { entityNumbers[ObjectIdentifier($0)] != nil } ?? false
    }
    number(properties.count)
    for property in properties {
      subject = "\(entity.name ?? "").\(property.name)"
      try self.property(property)
    }
  }

  private mutating func tail(of entity: NSEntityDescription) throws(ModelArchiveError) {
    subject = entity.name ?? ""
    list(entity.uniqueNames) { writer, names in writer.list(names) { $0.text($1) } }
    number(entity.indexes.count)
    for index in entity.indexes {
      text(index.name)
      try predicate(index.partialIndexPredicate)
      list(index.elements) { writer, element in
        writer.text(element.path)
        let expression = element.property as? NSExpressionDescription
        writer.flags([element.isAscending, element.collationType == .rTree, expression != nil])
        guard let expression else { return }
        writer.number(Int(expression.expressionResultType.rawValue))
        writer.text(expression.expression.map(String.init(describing:)))
      }
    }
  }
}
