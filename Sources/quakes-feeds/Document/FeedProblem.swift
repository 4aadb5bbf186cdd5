/// A line of a body and a column in it, both from 1 on.
struct TextPlace: Equatable, Sendable, CustomStringConvertible {
  var line: Int
  /// In bytes; nil for the whole line.
  var column: Int?

  var description: String { "line \(line)" + (column.map { ", column \($0)" } ?? "") }
}

/// A part of a body that could not be used, and its position.
struct FeedProblem: Equatable, Sendable {
  enum Reason: Equatable, Sendable {
    case broken(String)
    case missing(String)
    case wrongType(String)
    case tooLong(String)
    case outOfRange(String, value: String, bounds: String)
    /// A time that is either in seconds, or in milliseconds and in January 1970.
    case ambiguousTime(Double)
    /// An event is larger than this number of bytes.
    case tooLarge(Int)
    case cutOff
    case unreadable(String)
    case unreadableRest
  }

  /// The event's index in the body; nil if the problem is outside of an event.
  var feature: Int?
  /// The byte offset in the body.
  var position: Int
  /// The line and column, in formats of lines.
  var place: TextPlace?
  /// The event's ID, if it was read before the problem.
  var identifier: String?
  var reason: Reason
  /// How many events lost a field for this reason, of which `feature` is the first; nil if more than a field was lost.
  var events: Int?

  /// Whether an event was lost.
  var isBadFeature: Bool { feature != nil && events == nil }
}

extension FeedProblem: CustomStringConvertible {
  var description: String {
    let name = identifier.map { " (\($0))" } ?? ""
    let byte = "byte \(position)"
    let location =
      feature.map { "\(place == nil ? "feature" : "event") \($0)\(name) at \(place?.description ?? byte)" }
      ?? place?.description ?? byte
    guard let events else { return "\(location): \(reason)" }
    return "\(reason) in \(events == 1 ? "1 event," : "\(events) events, first") at \(location)"
  }
}

extension FeedProblem.Reason: CustomStringConvertible {
  var description: String {
    switch self {
    case .broken(let what): what
    case .missing(let field): "has no \(field)"
    case .wrongType(let field): "\(field) has the wrong type"
    case .tooLong(let field): "\(field) is too long"
    case .outOfRange(let field, let value, let bounds): "\(field) \(value) is outside of \(bounds)"
    case .ambiguousTime(let time):
      "time \(Int(time)) is in January 1970, or in seconds instead of milliseconds, and the event has no update to tell"
    case .cutOff: "the body is truncated here; everything before was used"
    case .tooLarge(let limit): "is larger than \(limit >> 20) MB"
    case .unreadable(let reason): "the rest of the body cannot be read: \(reason); everything before was used"
    case .unreadableRest: "found no further feature after this point"
    }
  }

  /// Whether the same field was lost to the same kind of problem.
  func isSameKind(as other: Self) -> Bool {
    switch (self, other) {
    case (.outOfRange(let field, _, _), .outOfRange(let otherField, _, _)): field == otherField
    default: self == other
    }
  }
}
