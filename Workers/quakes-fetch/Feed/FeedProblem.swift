/// Something in a body that could not be used, and where it stands.
struct FeedProblem: Equatable, Sendable {
  enum Reason: Equatable, Sendable {
    case broken(String)
    case missing(String)
    case wrongType(String)
    case outOfRange(String)
    case cutOff
    case unreadableRest
  }

  /// The feature's place in the array, from 0; nil if the trouble stands outside a feature.
  var feature: Int?
  /// Counted from the first byte of the body, which is 0.
  var position: Int
  /// The feature's id if it was read before the trouble.
  var identifier: String?
  var reason: Reason

  /// One event was lost by it.
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
    case .wrongType(let field): "\(field) is not of the kind that belongs there"
    case .outOfRange(let field): "\(field) is out of range"
    case .cutOff: "the body is cut off here; what stands before it was used"
    case .unreadableRest: "no further feature can be found from here on"
    }
  }
}
