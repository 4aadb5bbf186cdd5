import Foundation
import StrataFoundationGaps
import StrataObjectGraph

/// A run of objects with one name among all objects.
struct FetchedSection {
  let name: String
  var start: Int
  var count: Int

  var end: Int { start + count }
  var range: Range<Int> { start..<end }
}

extension [FetchedSection] {
  /// The section that the object with a number is in.
  func number(of object: Int) -> Int {
    var (low, high) = (0, count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if self[middle].start <= object { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// The path to the object with a number.
  func indexPath(of object: Int) -> IndexPath {
    let section = number(of: object)
    return IndexPath(item: object - self[section].start, section: section)
  }
}
