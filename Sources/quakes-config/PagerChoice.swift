/// Which program shows long texts on a terminal.
public enum PagerChoice: Equatable, Sendable {
  case none
  /// `$PAGER`, or else less.
  case standard
  case command(String)

  /// - Parameter command: as it is typed; empty for none.
  public init(command: String) {
    let isEmpty = command.allSatisfy(\.isWhitespace)
    self = isEmpty ? .none : .command(command)
  }
}
