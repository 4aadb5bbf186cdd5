/// Finds the inverses of relationships: those that are declared, and those that only one relationship can be.
struct InverseFinder {
  private let tables: [ModelTable]
  /// The inverses found so far, in both directions.
  private(set) var inverses: [End: End] = [:]

  /// One end: a relationship of a class.
  struct End: Hashable {
    let model: ObjectIdentifier
    let name: String
  }

  /// - Throws: `SwiftDataError.unknownSchema` if a declared inverse does not lead back.
  init(_ tables: [ModelTable]) throws {
    self.tables = tables
    for table in tables { for relationship in table.relationships { try noteDeclared(relationship, of: table) } }
    for table in tables { for relationship in table.relationships { inferInverse(of: relationship, in: table) } }
  }

  /// The names of inverses by the names of a class's relationships.
  func inverses(of table: ModelTable) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: table.relationships.compactMap { relationship in
        inverses[End(relationship, table)].map { (relationship.name, $0.name) }
      })
  }

  private mutating func noteDeclared(_ relationship: ModelRelationship, of table: ModelTable) throws {
    guard let keyPath = relationship.options?.inverseKeyPath else { return }
    let other = tables.first { $0.model == relationship.destination }
    guard let other, let inverse = other[keyPath] as? ModelRelationship, inverse.destination == table.model else {
      throw SwiftDataError.unknownSchema.because(
        "the inverse of \(table.model).\(relationship.name), \(keyPath), is not a relationship of "
          + "\(relationship.destination) that leads back.")
    }
    try pair(End(relationship, table), End(inverse, other))
  }

  private mutating func pair(_ first: End, _ second: End) throws {
    for (end, other) in [(first, second), (second, first)] {
      if let known = inverses[end], known != other {
        throw SwiftDataError.unknownSchema.because("the relationship '\(end.name)' has two inverses.")
      }
      inverses[end] = other
    }
  }

  /// Two relationships without inverses between two classes are inverse to each other if each is the only one.
  private mutating func inferInverse(of relationship: ModelRelationship, in table: ModelTable) {
    let end = End(relationship, table)
    guard inverses[end] == nil, let other = tables.first(where: { $0.model == relationship.destination })
    else { return }
    let candidates = free(of: other, to: table.model).filter {
      // A manager is not the inverse of a friend: within a class, one end has to be a list.
      $0 != end && (other !== table || isToMany($0, of: other) != relationship.isToMany)
    }
    guard candidates.count == 1, free(of: table, to: other.model).filter({ $0 != candidates[0] }) == [end] else {
      return
    }
    (inverses[end], inverses[candidates[0]]) = (candidates[0], end)
  }

  private func isToMany(_ end: End, of table: ModelTable) -> Bool {
    table.relationships.contains { $0.name == end.name && $0.isToMany }
  }

  private func free(of table: ModelTable, to destination: any PersistentModel.Type) -> [End] {
    table.relationships.filter { $0.destination == destination }.map { End($0, table) }
      .filter { inverses[$0] == nil }
  }
}

extension InverseFinder.End {
  fileprivate init(_ relationship: ModelRelationship, _ table: ModelTable) {
    self.init(model: ObjectIdentifier(table.model), name: relationship.name)
  }
}
