import Foundation
import StrataObjectGraph

/// The index beside a list: a title for each section.
extension FetchedResults {
  /// What the controller says, which may be of a class of the program's own.
  func indexTitle(of name: String) -> String? {
    if let face { return face.sectionIndexTitle(forSectionName: name) }
    return ownIndexTitle(of: name)
  }

  /// What the delegate says, or else the first letter as a capital.
  func ownIndexTitle(of name: String) -> String? {
    if let delegate, !missing.contains(.indexTitles) {
      let title = delegate.controller(erased, sectionIndexTitleForSectionName: name)
      if !missing.contains(.indexTitles) { return title }
    }
    return name.first.map { String($0).uppercased() }
  }

  /// What the controller shows, which may be of a class of the program's own.
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
