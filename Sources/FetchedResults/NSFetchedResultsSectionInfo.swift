import Foundation
import StrataObjectGraph

/// A section of a fetched results controller at the moment it was read.
///
/// See <https://developer.apple.com/documentation/coredata/nsfetchedresultssectioninfo>
public protocol NSFetchedResultsSectionInfo: AnyObject {
  /// The name of the section, shared by its objects; empty without a section key path.
  var name: String { get }
  /// The title of the section in the index.
  var indexTitle: String? { get }
  /// The number of objects in the section.
  var numberOfObjects: Int { get }
  /// The objects of the section, in order.
  var objects: [Any]? { get }
}

/// A section with the contents that it belongs to. It retains those: its objects do not change. It stays the same
/// object until the contents change.
final class FetchedSectionInfo: NSObject, NSFetchedResultsSectionInfo {
  private let section: FetchedSection
  private let all: [NSManagedObject]
  /// Retains the sections itself.
  private weak var results: FetchedResults?

  init(_ section: FetchedSection, of all: [NSManagedObject], _ results: FetchedResults) {
    (self.section, self.all, self.results) = (section, all, results)
  }

  var name: String { section.name }
  var indexTitle: String? { results?.indexTitle(of: section.name) }
  var numberOfObjects: Int { section.count }
  var objects: [Any]? { Array(all[section.range]) }
}
