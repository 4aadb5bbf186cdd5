import Foundation
import StrataFoundationGaps
import StrataObjectGraph

/// A run of objects with the same section name.
struct FetchedSection {
  let name: String
  var start: Int
  var count: Int

  var end: Int { start + count }
  var range: Range<Int> { start..<end }
}

extension [FetchedSection] {
  /// Returns the index of the section that contains the object at an index.
  func number(of object: Int) -> Int {
    var (low, high) = (0, count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if self[middle].start <= object { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// Returns the index path of the object at an index.
  func indexPath(of object: Int) -> IndexPath {
    let section = number(of: object)
    return IndexPath(item: object - self[section].start, section: section)
  }
}
