/// The subject and the result of a doctor's check.
public struct Finding: Equatable, Sendable {
  public enum State: String, Sendable {
    case ok
    /// It works, but not as well as it could.
    case warn
    /// It does not work until something is changed.
    case fail
  }

  public var name: String
  public var state: State
  public var text: String
  /// The suggested fix.
  public var advice: String?

  public init(_ name: String, _ state: State, _ text: String, advice: String? = nil) {
    (self.name, self.state, self.text, self.advice) = (name, state, text, advice)
  }
}
