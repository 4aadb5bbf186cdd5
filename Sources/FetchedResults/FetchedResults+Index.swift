import Foundation
import StrataObjectGraph

/// The section index: a title for each section.
extension FetchedResults {
  /// Returns the controller's title for a section; the program may have overridden the method.
  func indexTitle(of name: String) -> String? {
    if let face { return face.sectionIndexTitle(forSectionName: name) }
    return ownIndexTitle(of: name)
  }

  /// Returns the delegate's title, or the capitalized first letter.
  func ownIndexTitle(of name: String) -> String? {
    if let delegate, !missing.contains(.indexTitles) {
      let title = delegate.controller(erased, sectionIndexTitleForSectionName: name)
      if !missing.contains(.indexTitles) { return title }
    }
    return name.first.map { String($0).uppercased() }
  }

  /// The controller's titles; the program may have overridden the property.
  var shownIndexTitles: [String] { face?.sectionIndexTitles ?? indexTitles }

  /// The titles of the sections, each once.
  var indexTitles: [String] {
    var seen: Set<String> = []
    return (arrangement?.sections ?? []).compactMap { indexTitle(of: $0.name) }.filter { seen.insert($0).inserted }
  }

  func section(forIndexTitle title: String, at index: Int, of titles: [String]) -> Int {
    guard titles.indices.contains(index), titles[index] == title else {
      fatalError("Index title at \(index) is not equal to '\(title)'")
    }
    let names = (arrangement?.sections ?? []).map { indexTitle(of: $0.name) }
    for title in titles[...index].reversed() {
      if let section = names.firstIndex(of: title) { return section }
    }
    return 0
  }
}
