import StrataPredicates

/// A fetch index of an entity.
package struct IndexLayout: Sendable {
  /// An indexed property.
  package struct Element: Sendable {
    /// The property's path from the entity: `magnitude.richter`.
    package let path: String
    package let isAscending: Bool
    package let collationType: NSFetchIndexElementType
  }

  package let name: String
  /// The most significant first.
  package let elements: [Element]
  /// The predicate that rows must match to be in the index, or the reason that it cannot be read; nil for all rows.
  package let predicate: Result<PredicateNode, any Error>?

  init(_ index: NSFetchIndexDescription) {
    name = index.name
    elements = index.elements.compactMap { element in
      element.path.map { Element(path: $0, isAscending: element.isAscending, collationType: element.collationType) }
    }
    predicate = index.partialIndexPredicate.map { predicate in Result { try predicate.tree } }
  }
}
