import Foundation
import StrataFoundationGaps
import StrataObjectGraph

/// The contents of a sectioned list at one moment, as reported by a fetched results controller.
///
/// On Apple's platforms the class belongs to UIKit and AppKit, where a data source takes it. Here it is read-only,
/// under the same names: section identifiers are section names (`String`), item identifiers are `NSManagedObjectID`s.
/// The item identifiers are created on first use.
///
/// See <https://developer.apple.com/documentation/uikit/nsdiffabledatasourcesnapshotreference>
public final class NSDiffableDataSourceSnapshotReference: NSObject {
  private let sections: [FetchedSection]
  private let objects: [NSManagedObject]
  private let changed: [NSManagedObject]

  private lazy var ids = objects.map(\.objectID)
  private lazy var numbers = Dictionary(ids.enumerated().map { ($1, $0) }) { first, _ in first }

  init(sections: [FetchedSection], objects: [NSManagedObject], changed: [NSManagedObject]) {
    (self.sections, self.objects, self.changed) = (sections, objects, changed)
  }

  /// The number of items in all sections.
  public var numberOfItems: Int { objects.count }

  /// The number of sections.
  public var numberOfSections: Int { sections.count }

  /// The names of the sections, in order.
  public var sectionIdentifiers: [Any] { sections.map(\.name) }

  /// The IDs of all objects, in order.
  public var itemIdentifiers: [Any] { ids }

  /// The IDs of the objects that changed and are still in the list, moved or not.
  public var reloadedItemIdentifiers: [Any] { changed.map(\.objectID) }

  /// Always empty: a controller reports changed objects as items to reload.
  public var reconfiguredItemIdentifiers: [Any] { [] }

  /// Always empty: a controller only inserts and deletes sections.
  public var reloadedSectionIdentifiers: [Any] { [] }

  /// Returns the number of items in a section. An unknown section stops the program.
  public func numberOfItems(inSection sectionIdentifier: Any) -> Int { section(sectionIdentifier).count }

  /// Returns the IDs of the objects in a section. An unknown section stops the program.
  public func itemIdentifiers(inSectionWithIdentifier sectionIdentifier: Any) -> [Any] {
    Array(ids[section(sectionIdentifier).range])
  }

  /// Returns the name of the section that contains an object; nil if no section does.
  public func sectionIdentifier(forSectionContainingItemIdentifier itemIdentifier: Any) -> Any? {
    guard let number = number(of: itemIdentifier) else { return nil }
    return sections.first { $0.range.contains(number) }?.name
  }

  /// Returns the index of an object among all items; `NSNotFound` if it is not in the list.
  public func index(ofItemIdentifier itemIdentifier: Any) -> Int { number(of: itemIdentifier) ?? NSNotFound }

  /// Returns the index of a section; `NSNotFound` if it is not in the list.
  public func index(ofSectionIdentifier sectionIdentifier: Any) -> Int {
    let name = sectionIdentifier as? String
    return sections.firstIndex { $0.name == name } ?? NSNotFound
  }

  private func number(of item: Any) -> Int? { (item as? NSManagedObjectID).flatMap { numbers[$0] } }

  private func section(_ identifier: Any) -> FetchedSection {
    let index = index(ofSectionIdentifier: identifier)
    guard index != NSNotFound else { fatalError("Invalid section identifier for snapshot: \(identifier)") }
    return sections[index]
  }
}
