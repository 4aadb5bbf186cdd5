import Foundation

/// What the user noted of one earthquake, as a value.
public struct QuakeMark: Equatable, Sendable {
  public var isStarred = false
  /// When the user said to have seen it; nil if not.
  public var acknowledged: Date?
  public var note: String?

  public init() {}

  /// Whether there is nothing to keep.
  public var isEmpty: Bool { self == QuakeMark() }
}

extension QuakeMark {
  /// What several marks say together: an earthquake has several if its service made one of two that were marked.
  init(_ marks: [Mark]) {
    isStarred = marks.contains(where: \.isStarred)
    acknowledged = marks.compactMap(\.acknowledged).max()
    let notes = marks.compactMap(\.note)
    note = notes.isEmpty ? nil : notes.joined(separator: "; ")
  }
}
