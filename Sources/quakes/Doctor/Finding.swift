import StrataQuakes

/// The subject and the result of a check.
struct Finding: Equatable, Sendable {
  enum State: String, Sendable {
    case ok
    /// Something is missing or less good than it could be; the programs work.
    case warn
    /// Something does not work.
    case fail
  }

  var name: String
  var state: State
  var text: String
  /// The suggested fix.
  var advice: String?

  init(_ name: String, _ state: State, _ text: String, advice: String? = nil) {
    (self.name, self.state, self.text, self.advice) = (name, state, text, advice)
  }

  /// - Parameter failure: includes the suggested fix.
  init(_ name: String, _ state: State, _ failure: Failure) {
    self.init(name, state, failure.message)
  }
}
