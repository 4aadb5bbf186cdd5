/// The result of a doctor's check.
struct DoctorFinding: Encodable {
  enum State: String, Encodable {
    case ok
    /// It works, but not as well as it could.
    case warn
    /// It does not work until something is changed.
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
}
