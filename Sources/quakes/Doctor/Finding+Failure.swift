import StrataQuakes
import StrataSystemChecks

extension Finding {
  /// - Parameter failure: includes the suggested fix.
  init(_ name: String, _ state: State, _ failure: Failure) {
    self.init(name, state, failure.message)
  }
}
