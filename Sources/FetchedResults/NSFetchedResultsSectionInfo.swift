import Foundation
import StrataObjectGraph

/// A section of a fetched results controller, as it was when it was asked for.
/// See https://developer.apple.com/documentation/coredata/nsfetchedresultssectioninfo
public protocol NSFetchedResultsSectionInfo: AnyObject {
  /// The name, which the objects of the section have in common; empty where there are no sections.
  var name: String { get }
  /// The title in the index: what `sectionIndexTitle(forSectionName:)` of the controller says.
  var indexTitle: String? { get }
  /// How many objects the section has.
  var numberOfObjects: Int { get }
  /// The objects in their order.
  var objects: [Any]? { get }
}

/// A section with the contents that it belongs to. Whoever keeps it keeps those: its objects do not change. It is the same
/// object until the contents change.
final class FetchedSectionInfo: NSObject, NSFetchedResultsSectionInfo {
  private let section: FetchedSection
  private let all: [NSManagedObject]
  /// Keeps the sections itself.
  private weak var results: FetchedResults?

  init(_ section: FetchedSection, of all: [NSManagedObject], _ results: FetchedResults) {
    (self.section, self.all, self.results) = (section, all, results)
  }

  var name: String { section.name }
  var indexTitle: String? { results?.indexTitle(of: section.name) }
  var numberOfObjects: Int { section.count }
  var objects: [Any]? { Array(all[section.range]) }
}
