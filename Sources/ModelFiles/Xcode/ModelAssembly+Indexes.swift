import Foundation
import StrataFileFormats
import StrataManagedModel
import StrataPredicates

extension ModelAssembly {
  /// Returns the entity's fetch indexes, and those written by older editors: an indexed property has an index with its
  /// own name, a compound index has the joined names, unless there is a fetch index on the same properties.
  mutating func indexes(
    of source: ModelDocument.Entity, _ entity: NSEntityDescription
  ) -> [NSFetchIndexDescription] {
    var indexes: [NSFetchIndexDescription] = []
    for index in source.fetchIndexes {
      if let index = self.index(index, of: entity) { indexes.append(index) }
    }
    let properties = source.attributes.map(\.property) + source.relationships.map(\.property)
    let old = properties.filter(\.isIndexed).map { [$0.name] } + source.compoundIndexes
    for names in old {
      let isThere = indexes.contains { index in
        index.elements.compactMap(\.propertyName) == names && index.partialIndexPredicate == nil
      }
      if !isThere { indexes.append(index(names, of: entity, line: source.line)) }
    }
    return indexes
  }

  private mutating func index(
    _ names: [String], of entity: NSEntityDescription, line: Int
  ) -> NSFetchIndexDescription {
    var elements: [NSFetchIndexElementDescription] = []
    for name in names {
      guard let property = property(name, of: entity, namedBy: "an index", line: line) else { continue }
      elements.append(NSFetchIndexElementDescription(property: property, collationType: .binary))
    }
    return NSFetchIndexDescription(name: names.joined(separator: "_"), elements: elements)
  }

  private mutating func index(
    _ source: ModelDocument.FetchIndex, of entity: NSEntityDescription
  ) -> NSFetchIndexDescription? {
    var elements: [NSFetchIndexElementDescription] = []
    for element in source.elements {
      guard let indexed = indexedProperty(element, of: entity, in: source) else { continue }
      let description = NSFetchIndexElementDescription(property: indexed, collationType: element.collation)
      description.isAscending = element.isAscending
      elements.append(description)
    }
    guard !NSFetchIndexDescription.isMixture(elements) else {
      warn(
        line: source.line, "the index \(source.name) of \(entity.name ?? "") is left out: it has two collation types")
      return nil
    }
    let index = NSFetchIndexDescription(name: source.name, elements: elements)
    index.partialIndexPredicate = source.partialPredicateText.flatMap {
      predicate($0, of: "the predicate of the index \(source.name)", line: source.line)
    }
    return index
  }

  private mutating func indexedProperty(
    _ element: ModelDocument.IndexElement, of entity: NSEntityDescription, in index: ModelDocument.FetchIndex
  ) -> NSPropertyDescription? {
    if let name = element.propertyName {
      return property(name, of: entity, namedBy: "the index \(index.name)", line: element.line)
    }
    let text = element.expressionText ?? ""
    guard let node = expression(text, of: "an element of the index \(index.name)", line: element.line) else {
      return nil
    }
    let description = NSExpressionDescription()
    description.name = text
    description.expression = .expression(with: node)
    description.expressionResultType = element.expressionType
    return description
  }

  /// Returns nil, with a warning, for a missing property.
  private mutating func property(
    _ name: String, of entity: NSEntityDescription, namedBy what: String, line: Int
  ) -> NSPropertyDescription? {
    let property = entity.property(at: name)
    if property == nil {
      warn(
        line: line,
        "\(what) of \(entity.name ?? "") names the property \(name), which is not there, and goes without it")
    }
    return property
  }

  mutating func constraints(
    of source: ModelDocument.Entity, _ entity: NSEntityDescription
  ) throws(FileFormatError) -> [[Any]] {
    for name in source.uniquenessConstraints.flatMap(\.self) where entity.property(at: name) == nil {
      throw error(
        line: source.line,
        "a uniqueness constraint of \(source.name) names the property \(name), which is not there")
    }
    return source.uniquenessConstraints
  }
}
