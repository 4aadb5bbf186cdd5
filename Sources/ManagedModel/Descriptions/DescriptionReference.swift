import Foundation

/// A reference to a description that does not retain it: once the description is gone, its name remains.
///
/// Relationships refer to their destination and inverse in this way, since those refer back. If a program adds copies
/// to its model and drops the originals, the copies find each other by the remaining names.
final class DescriptionReference<Description: AnyObject> {
  // Cleared by the description itself, so it never points to freed memory.
  @exclusivity(unchecked) private(set) unowned(unsafe) var description: Description?
  private var lastName: String?
  private let nameOf: (Description) -> String?

  init(nameOf: @escaping (Description) -> String?) { self.nameOf = nameOf }

  /// The description's name, or its last one.
  var name: String? { description.map(nameOf) ?? lastName }

  func begin(_ description: Description) { self.description = description }

  /// Called by the description's `deinit`.
  func end(name: String?) {
    description = nil
    lastName = name
  }
}
