import Foundation
import Predicates

/// Indexes and uniqueness constraints.
extension ModelAssembly {
  /// The entity's fetch indexes, and those that older editors wrote: an indexed property has an index of its own name,
  /// an index of several has their names, unless there is a fetch index of the same properties.
  mutating func indexes(
    of source: ModelDocument.Entity, _ entity: NSEntityDescription
  ) throws(ModelFileError) -> [NSFetchIndexDescription] {
    var indexes: [NSFetchIndexDescription] = []
    for index in source.fetchIndexes { indexes.append(try self.index(index, entity)) }
    let properties = source.attributes.map(\.property) + source.relationships.map(\.property)
    let old = properties.filter(\.isIndexed).map { [$0.name] } + source.compoundIndexes
    for names in old {
      let isThere = indexes.contains { index in
        index.elements.compactMap(\.propertyName) == names && index.partialIndexPredicate == nil
      }
      if !isThere { indexes.append(try index(names, entity, source.line)) }
    }
    return indexes
  }

  private func index(
    _ names: [String], _ entity: NSEntityDescription, _ line: Int
  ) throws(ModelFileError) -> NSFetchIndexDescription {
    var elements: [NSFetchIndexElementDescription] = []
    for name in names {
      let property = try property(name, of: entity, namedBy: "an index", line)
      elements.append(NSFetchIndexElementDescription(property: property, collationType: .binary))
    }
    return NSFetchIndexDescription(name: names.joined(separator: "_"), elements: elements)
  }

  private mutating func index(
    _ source: ModelDocument.FetchIndex, _ entity: NSEntityDescription
  ) throws(ModelFileError) -> NSFetchIndexDescription {
    var elements: [NSFetchIndexElementDescription] = []
    for element in source.elements {
      let indexed = try indexedProperty(element, of: entity, in: source)
      let description = NSFetchIndexElementDescription(property: indexed, collationType: element.collation)
      description.isAscending = element.isAscending
      elements.append(description)
    }
    let index = NSFetchIndexDescription(name: source.name, elements: elements)
    index.partialIndexPredicate = try source.partialPredicateText.map { text throws(ModelFileError) in
      try predicate(text, source.line)
    }
    return index
  }

  private func indexedProperty(
    _ element: ModelDocument.IndexElement, of entity: NSEntityDescription, in index: ModelDocument.FetchIndex
  ) throws(ModelFileError) -> NSPropertyDescription {
    if let name = element.propertyName {
      return try property(name, of: entity, namedBy: "the index \(index.name)", element.line)
    }
    let description = NSExpressionDescription()
    description.name = element.expressionText ?? ""
    description.expression = .expression(with: try expression(description.name, element.line))
    description.expressionResultType = element.expressionType
    return description
  }

  func property(
    _ name: String, of entity: NSEntityDescription, namedBy what: String, _ line: Int
  ) throws(ModelFileError) -> NSPropertyDescription {
    guard let property = entity.property(at: name) else {
      throw error(line, "\(what) of \(entity.name ?? "") names the property \(name), which is not there")
    }
    return property
  }

  mutating func constraints(
    of source: ModelDocument.Entity, _ entity: NSEntityDescription
  ) throws(ModelFileError) -> [[Any]] {
    for name in source.uniquenessConstraints.flatMap(\.self) {
      _ = try property(name, of: entity, namedBy: "a uniqueness constraint", source.line)
    }
    return source.uniquenessConstraints
  }
}
