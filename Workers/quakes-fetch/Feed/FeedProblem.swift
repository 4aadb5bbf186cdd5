/// A part of a body that could not be used, and its position.
struct FeedProblem: Equatable, Sendable {
  enum Reason: Equatable, Sendable {
    case broken(String)
    case missing(String)
    case wrongType(String)
    case outOfRange(String)
    case cutOff
    case unreadableRest
  }

  /// The feature's index in the array; nil if the problem is outside of a feature.
  var feature: Int?
  /// The byte offset in the body.
  var position: Int
  /// The feature's id, if it was read before the problem.
  var identifier: String?
  var reason: Reason

  /// Whether an event was lost.
  var isBadFeature: Bool { feature != nil }
}

extension FeedProblem: CustomStringConvertible {
  var description: String {
    let name = identifier.map { " (\($0))" } ?? ""
    let place = feature.map { "feature \($0)\(name) at byte \(position)" } ?? "byte \(position)"
    return "\(place): \(reason)"
  }
}

extension FeedProblem.Reason: CustomStringConvertible {
  var description: String {
    switch self {
    case .broken(let what): what
    case .missing(let field): "has no \(field)"
    case .wrongType(let field): "\(field) has the wrong type"
    case .outOfRange(let field): "\(field) is out of range"
    case .cutOff: "the body is truncated here; everything before was used"
    case .unreadableRest: "found no further feature after this point"
    }
  }
}
