import Foundation
import StrataFileFormats
import StrataManagedModel
import StrataPredicates

/// Indexes and uniqueness constraints.
extension ModelAssembly {
  /// The entity's fetch indexes, and those that older editors wrote: an indexed property has an index of its own name,
  /// an index of several has their names, unless there is a fetch index of the same properties.
  mutating func indexes(
    of source: ModelDocument.Entity, _ entity: NSEntityDescription
  ) -> [NSFetchIndexDescription] {
    var indexes: [NSFetchIndexDescription] = []
    for index in source.fetchIndexes { indexes.append(self.index(index, entity)) }
    let properties = source.attributes.map(\.property) + source.relationships.map(\.property)
    let old = properties.filter(\.isIndexed).map { [$0.name] } + source.compoundIndexes
    for names in old {
      let isThere = indexes.contains { index in
        index.elements.compactMap(\.propertyName) == names && index.partialIndexPredicate == nil
      }
      if !isThere { indexes.append(index(names, entity, source.line)) }
    }
    return indexes
  }

  private mutating func index(
    _ names: [String], _ entity: NSEntityDescription, _ line: Int
  ) -> NSFetchIndexDescription {
    var elements: [NSFetchIndexElementDescription] = []
    for name in names {
      guard let property = property(name, of: entity, namedBy: "an index", line) else { continue }
      elements.append(NSFetchIndexElementDescription(property: property, collationType: .binary))
    }
    return NSFetchIndexDescription(name: names.joined(separator: "_"), elements: elements)
  }

  private mutating func index(
    _ source: ModelDocument.FetchIndex, _ entity: NSEntityDescription
  ) -> NSFetchIndexDescription {
    var elements: [NSFetchIndexElementDescription] = []
    for element in source.elements {
      guard let indexed = indexedProperty(element, of: entity, in: source) else { continue }
      let description = NSFetchIndexElementDescription(property: indexed, collationType: element.collation)
      description.isAscending = element.isAscending
      elements.append(description)
    }
    let index = NSFetchIndexDescription(name: source.name, elements: elements)
    index.partialIndexPredicate = source.partialPredicateText.flatMap {
      predicate($0, "the predicate of the index \(source.name)", source.line)
    }
    return index
  }

  private mutating func indexedProperty(
    _ element: ModelDocument.IndexElement, of entity: NSEntityDescription, in index: ModelDocument.FetchIndex
  ) -> NSPropertyDescription? {
    if let name = element.propertyName {
      return property(name, of: entity, namedBy: "the index \(index.name)", element.line)
    }
    let text = element.expressionText ?? ""
    guard let node = expression(text, "an element of the index \(index.name)", element.line) else { return nil }
    let description = NSExpressionDescription()
    description.name = text
    description.expression = .expression(with: node)
    description.expressionResultType = element.expressionType
    return description
  }

  /// nil, with a warning, for a property that is gone.
  private mutating func property(
    _ name: String, of entity: NSEntityDescription, namedBy what: String, _ line: Int
  ) -> NSPropertyDescription? {
    let property = entity.property(at: name)
    if property == nil {
      warn(line, "\(what) of \(entity.name ?? "") names the property \(name), which is not there, and goes without it")
    }
    return property
  }

  mutating func constraints(
    of source: ModelDocument.Entity, _ entity: NSEntityDescription
  ) throws(FileFormatError) -> [[Any]] {
    for name in source.uniquenessConstraints.flatMap(\.self) where entity.property(at: name) == nil {
      throw error(
        source.line,
        "a uniqueness constraint of \(source.name) names the property \(name), which is not there")
    }
    return source.uniquenessConstraints
  }
}
