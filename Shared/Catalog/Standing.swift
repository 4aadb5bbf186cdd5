/// Whether an earthquake is listed, and if not, why.
public enum Standing: Int16, CaseIterable, Sendable {
  case live = 0
  /// The service withdrew it: it did not happen, or was not an earthquake.
  case retracted = 1
  /// The service made it part of another, under that one's ID.
  case merged = 2
  /// Another agency's report of an earthquake that is listed under its main report.
  case joined = 3
}

extension Standing: CustomStringConvertible {
  public var description: String {
    switch self {
    case .live: "live"
    case .retracted: "retracted"
    case .merged: "merged"
    case .joined: "joined"
    }
  }
}
