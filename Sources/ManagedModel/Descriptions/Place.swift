import Foundation

/// Where a description is, for those that refer to it and do not keep it: once it is gone, its name is left.
///
/// Relationships refer to their destination and their inverse in this way, since those refer back. A program that puts
/// copies into its model and drops the originals thus leaves names behind, by which the copies find each other.
final class Place<Description: AnyObject> {
  // Ended by the description itself, so it never points to freed memory.
  @exclusivity(unchecked) private(set) unowned(unsafe) var description: Description?
  private var lastName: String?
  private let nameOf: (Description) -> String?

  init(nameOf: @escaping (Description) -> String?) { self.nameOf = nameOf }

  /// The description's name, or the last that it had.
  var name: String? { description.map(nameOf) ?? lastName }

  func begin(_ description: Description) { self.description = description }

  /// Called by the description's `deinit`.
  func end(name: String?) {
    description = nil
    lastName = name
  }
}
