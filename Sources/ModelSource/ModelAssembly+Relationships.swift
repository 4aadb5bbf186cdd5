import StrataFormats

extension ModelAssembly {
  mutating func write(
    _ relationship: ModelDocument.Relationship, of owner: ModelDocument.Entity
  ) throws(FileFormatError) {
    let (line, name) = (relationship.property.line, "\(owner.name).\(relationship.property.name)")
    let destination = try number(of: relationship.destinationName, namedBy: "the relationship \(name)", line: line)
    let hasInverse = index.ownerOfInverse(of: relationship) != nil
    if !hasInverse, let missing = relationship.inverseName {
      warn(line: line, "the inverse \(relationship.destinationName).\(missing) of \(name) does not exist")
    }
    kind(.relationship)
    write(relationship.property, rules: [])
    number(destination)
    text(hasInverse ? relationship.inverseName : nil)
    signed(Int64(relationship.minCount))
    signed(Int64(relationship.maxCount))
    number(Int(relationship.deleteRule.rawValue))
    flags([relationship.isOrdered])
  }
}

/// Uniqueness constraints and fetch indexes.
extension ModelAssembly {
  mutating func writeTail(of entity: ModelDocument.Entity) throws(FileFormatError) {
    for name in entity.uniquenessConstraints.flatMap(\.self) where !self.index.hasProperty(at: name, of: entity) {
      throw error(
        line: entity.line,
        "a uniqueness constraint of \(entity.name) names the property \(name), which does not exist")
    }
    list(entity.uniquenessConstraints) { assembly, names in assembly.list(names) { $0.text($1) } }
    list(indexes(of: entity)) { assembly, index in
      assembly.text(index.name)
      assembly.text(index.partialPredicateText)
      assembly.list(index.elements) { $0.write($1) }
    }
  }

  private mutating func write(_ element: ModelDocument.IndexElement) {
    text(element.propertyName ?? element.expressionText)
    flags([element.isAscending, element.collation == .rTree, element.propertyName == nil])
    guard element.propertyName == nil else { return }
    number(Int(element.expressionType.rawValue))
    text(element.expressionText)
  }

  /// Returns the entity's fetch indexes, and those written by older editors: an indexed property has an index with its
  /// own name, a compound index has the joined names, unless there is a fetch index on the same properties.
  private mutating func indexes(of entity: ModelDocument.Entity) -> [ModelDocument.FetchIndex] {
    var indexes: [ModelDocument.FetchIndex] = []
    for index in entity.fetchIndexes { if let index = usable(index, of: entity) { indexes.append(index) } }
    let properties = entity.attributes.map(\.property) + entity.relationships.map(\.property)
    let old = properties.filter(\.isIndexed).map { [$0.name] } + entity.compoundIndexes
    for names in old {
      let isThere = indexes.contains { index in
        index.elements.compactMap(\.propertyName) == names && index.partialPredicateText == nil
      }
      if isThere { continue }
      let elements = names.map { ModelDocument.IndexElement(line: entity.line, propertyName: $0) }
      indexes.append(
        ModelDocument.FetchIndex(
          line: entity.line, name: names.joined(separator: "_"),
          elements: elements.filter { exists($0, of: entity, namedBy: "an index") }))
    }
    return indexes
  }

  /// Returns an index without elements that cannot be used; nil, with a warning, if it cannot be used itself.
  private mutating func usable(
    _ index: ModelDocument.FetchIndex, of entity: ModelDocument.Entity
  ) -> ModelDocument.FetchIndex? {
    var index = index
    index.elements = index.elements.filter { element in
      guard element.propertyName == nil else { return exists(element, of: entity, namedBy: "the index \(index.name)") }
      let what = "an element of the index \(index.name)"
      return expression(element.expressionText ?? "", of: what, line: element.line) != nil
    }
    guard !index.elements.contains(where: { $0.collation != index.elements[0].collation }) else {
      warn(line: index.line, "the index \(index.name) of \(entity.name) is left out: it has two collation types")
      return nil
    }
    index.partialPredicateText = index.partialPredicateText.flatMap {
      predicate($0, of: "the predicate of the index \(index.name)", line: index.line)
    }
    return index
  }

  /// Whether the property of an element exists; warns otherwise.
  private mutating func exists(
    _ element: ModelDocument.IndexElement, of entity: ModelDocument.Entity, namedBy what: String
  ) -> Bool {
    guard let name = element.propertyName, !self.index.hasProperty(at: name, of: entity) else { return true }
    warn(
      line: element.line,
      "\(what) of \(entity.name) names the property \(name), which does not exist, and goes without it")
    return false
  }
}
