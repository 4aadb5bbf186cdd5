import Foundation
import StrataFoundationGaps
import StrataObjectGraph

/// The contents of a list with sections at one moment, as a fetched results controller tells them.
///
/// On Apple's systems the class belongs to UIKit and AppKit, where a data source takes it. Here it is for reading, under the
/// same names: section identifiers are names (`String`), item identifiers are `NSManagedObjectID`s. What it costs to list
/// the items is spent when they are first asked for.
/// See https://developer.apple.com/documentation/uikit/nsdiffabledatasourcesnapshotreference
public final class NSDiffableDataSourceSnapshotReference: NSObject {
  private let sections: [FetchedSection]
  private let objects: [NSManagedObject]
  private let changed: [NSManagedObject]

  private lazy var ids = objects.map(\.objectID)
  private lazy var numbers = Dictionary(ids.enumerated().map { ($1, $0) }) { first, _ in first }

  init(sections: [FetchedSection], objects: [NSManagedObject], changed: [NSManagedObject]) {
    (self.sections, self.objects, self.changed) = (sections, objects, changed)
  }

  /// How many items all sections have.
  public var numberOfItems: Int { objects.count }

  /// How many sections there are.
  public var numberOfSections: Int { sections.count }

  /// The names of the sections, in their order.
  public var sectionIdentifiers: [Any] { sections.map(\.name) }

  /// The ids of all objects, in their order.
  public var itemIdentifiers: [Any] { ids }

  /// The ids of the objects that changed and are still there: new at their place or at another one.
  public var reloadedItemIdentifiers: [Any] { changed.map(\.objectID) }

  /// Always empty: a controller names what changed as items to reload.
  public var reconfiguredItemIdentifiers: [Any] { [] }

  /// Always empty: the sections of a controller are inserted and deleted alone.
  public var reloadedSectionIdentifiers: [Any] { [] }

  /// How many items a section has; the program stops if there is none of the name.
  public func numberOfItems(inSection sectionIdentifier: Any) -> Int { section(sectionIdentifier).count }

  /// The ids of the objects of a section; the program stops if there is none of the name.
  public func itemIdentifiers(inSectionWithIdentifier sectionIdentifier: Any) -> [Any] {
    Array(ids[section(sectionIdentifier).range])
  }

  /// The name of the section that an object is in; nil if it is in none.
  public func sectionIdentifier(forSectionContainingItemIdentifier itemIdentifier: Any) -> Any? {
    guard let number = number(of: itemIdentifier) else { return nil }
    return sections.first { $0.range.contains(number) }?.name
  }

  /// The place of an object among all; NSNotFound if it is not there.
  public func index(ofItemIdentifier itemIdentifier: Any) -> Int { number(of: itemIdentifier) ?? NSNotFound }

  /// The place of a section; NSNotFound if it is not there.
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
