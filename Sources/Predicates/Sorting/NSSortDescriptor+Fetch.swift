import Foundation

/// A sort descriptor in the form that fetches use. An empty key path means the objects themselves.
package struct FetchableSort: Hashable, Sendable {
  package var keyPath: [String]
  package var isAscending: Bool
  package var comparison: SortComparison

  package init(_ keyPath: [String], ascending: Bool, comparison: SortComparison) {
    self.keyPath = keyPath
    isAscending = ascending
    self.comparison = comparison
  }
}

/// A sort descriptor that no store supports.
package struct UnsupportedSortError: Error, CustomStringConvertible {
  /// Apple's message.
  package let description: String
}

extension NSSortDescriptor {
  /// The sort key for a fetch.
  /// - Throws: `UnsupportedSortError` for a selector other than Apple's five, a comparator, and a Swift key path that
  ///   names
  ///   no property.
  package var fetchable: FetchableSort {
    get throws(UnsupportedSortError) {
      if let descriptor = self as? KeyPathSortDescriptor { return try descriptor.fetchableProperty }
      guard let descriptor = self as? KeySortDescriptor else {
        throw UnsupportedSortError(
          description: "unsupported NSSortDescriptor \(self): "
            + "a store knows properties by their names, so use NSSortDescriptor(key:ascending:)")
      }
      switch descriptor.method {
      case .comparison(let comparison):
        return FetchableSort(descriptor.path, ascending: descriptor.ascending, comparison: comparison)
      case .selector(let selector):
        throw UnsupportedSortError(description: "unsupported NSSortDescriptor selector: \(selector)")
      case .comparator:
        throw UnsupportedSortError(
          description: "unsupported NSSortDescriptor (comparator blocks are not supported)")
      }
    }
  }
}
