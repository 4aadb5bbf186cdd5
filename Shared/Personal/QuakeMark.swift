import Foundation

/// The user's marks and note for one earthquake, as a value.
public struct QuakeMark: Equatable, Sendable {
  public var isStarred = false
  /// The time of the user's acknowledgment; nil without one.
  public var acknowledged: Date?
  public var note: String?

  public init() {}

  /// Whether there is nothing to keep.
  public var isEmpty: Bool { self == QuakeMark() }
}

extension QuakeMark {
  /// Merges several marks: an earthquake has several if its service merged two marked earthquakes.
  init(_ marks: [Mark]) {
    isStarred = marks.contains(where: \.isStarred)
    acknowledged = marks.compactMap(\.acknowledged).max()
    let notes = marks.compactMap(\.note)
    note = notes.isEmpty ? nil : notes.joined(separator: "; ")
  }
}
